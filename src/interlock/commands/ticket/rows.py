"""The rows of the ticket's commands."""

from typing import Final

from interlock.commands.row import AnyCommand, Command
from interlock.commands.ticket.approve import approve, reopen, save_artifact
from interlock.commands.ticket.context import ticket_context
from interlock.commands.ticket.deliver import close_unmerged, finish, merge, report_merge
from interlock.commands.ticket.limits import raise_budget, regenerate_setup_plan
from interlock.commands.ticket.make import create_ticket, edit_ticket, retry, start
from interlock.commands.ticket.status import list_tickets, ticket_status
from interlock.commands.ticket.talk import answer_batch, edit_answer, skip_all, skip_question
from interlock.commands.ticket.words import TOOLSET
from interlock.wire.ticket import (
    AboutTicket,
    AnswerBatch,
    Approve,
    CreateTicket,
    EditAnswer,
    EditTicket,
    ListTickets,
    PlainlyTicket,
    RaiseBudget,
    RegenerateSetupPlan,
    Reopen,
    ReportMerge,
    Retry,
    SaveArtifact,
    SkipAll,
    SkipQuestion,
    TicketRef,
)

# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("create_ticket", CreateTicket, create_ticket, "work", TOOLSET, event="begin", words="ticket create", adds_only=True,
            http="POST /tickets",
            doc="Write down what is to be built, in a project. A person starts it."),
    Command("edit_ticket", EditTicket, edit_ticket, "work", TOOLSET, event="edit_ticket", words="ticket edit",
            http="POST /tickets/{ticket_id}/changes",
            doc="Change title, description, project or policy of a ticket that was not started."),
    Command("start", AboutTicket, start, "work", TOOLSET, event="start", words="ticket start",
            http="POST /tickets/{ticket_id}/start",
            doc="Lock the configuration of a ticket and have its working tree made; then the council begins."),
    Command("answer_batch", AnswerBatch, answer_batch, "work", TOOLSET, event="answer_batch", words="ticket answer", adds_only=True,
            http="POST /tickets/{ticket_id}/answers",
            doc="Answer the questions of an interview that wait, all of a batch at once; one without an answer is skipped."),
    Command("skip_question", SkipQuestion, skip_question, "work", TOOLSET, event="skip_question", words="ticket skip",
            http="POST /tickets/{ticket_id}/skips",
            doc="Leave one question that waits to the council."),
    Command("skip_all", SkipAll, skip_all, "work", TOOLSET, event="skip_all", words="ticket skip-all",
            http="POST /tickets/{ticket_id}/end-of-interview",
            doc="End the interview here; what was not answered is left to the council."),
    Command("edit_answer", EditAnswer, edit_answer, "work", TOOLSET, event="edit_answer", words="ticket correct",
            http="PUT /tickets/{ticket_id}/answers/{question_id}",
            doc="Change an earlier answer while the interview goes on; an empty one is a skip."),
    Command("save_artifact", SaveArtifact, save_artifact, "work", TOOLSET, event="save_artifact", words="ticket save",
            http="POST /tickets/{ticket_id}/versions",
            doc="Save an edit of what waits for approval as its next version; the gate stays."),
    Command("approve", Approve, approve, "work", TOOLSET, event="approve", words="ticket approve",
            http="POST /tickets/{ticket_id}/approval",
            doc="Approve the interview, the PRD, the blueprint or the setup plan as it was shown."),
    Command("reopen", Reopen, reopen, "work", TOOLSET, event="reopen_prd", words="ticket reopen",
            http="POST /tickets/{ticket_id}/reopening",
            doc="Go back to something approved: an edited interview or PRD is approved and all that followed starts anew."),
    Command("retry", Retry, retry, "work", TOOLSET, event="retry", words="ticket retry",
            http="POST /tickets/{ticket_id}/retry",
            doc="Let a blocked ticket go on in exactly the phase it was in, with a note for whoever tries again."),
    Command("regenerate_setup_plan", RegenerateSetupPlan, regenerate_setup_plan, "work", TOOLSET, event="regenerate_setup_plan", words="ticket replan",
            http="POST /tickets/{ticket_id}/setup-plan",
            doc="Have the setup plan drafted again, with a comment on what was wrong with it."),
    Command("merge", AboutTicket, merge, "work", TOOLSET, event="merge", words="ticket merge",
            http="POST /tickets/{ticket_id}/merge",
            doc="Have the pull request of a ticket merged by a worker."),
    Command("close_unmerged", PlainlyTicket, close_unmerged, "work", TOOLSET, event="close_unmerged", words="ticket close-unmerged",
            http="POST /tickets/{ticket_id}/closing",
            doc="End a ticket without a merge; branch and pull request are left alone."),
    Command("finish", PlainlyTicket, finish, "decide", TOOLSET, event="finish", words="ticket finish",
            http="POST /tickets/{ticket_id}/finish",
            doc="Complete a ticket whose clean-up hangs; what was not cleaned is kept as a warning."),
    Command("raise_budget", RaiseBudget, raise_budget, "decide", TOOLSET, event="raise_budget", words="ticket raise-budget",
            http="POST /tickets/{ticket_id}/budget",
            doc="Raise what a ticket may spend, the one setting that start does not lock."),
    Command("report_merge", ReportMerge, report_merge, "work", TOOLSET, event="outside_merge", words="ticket report-merge",
            http="POST /tickets/{ticket_id}/merge-report",
            doc="From a worker or a person: somebody has merged the pull request outside of Interlock."),
    Command("ticket_status", TicketRef, ticket_status, "read", TOOLSET, words="ticket status",
            http="GET /tickets/{ticket_id}",
            doc="How a ticket stands: its phase, who works, what waits for a person, its documents and beads."),
    Command("ticket_context", TicketRef, ticket_context, "read", TOOLSET, words="ticket context", weight=2,
            http="GET /tickets/{ticket_id}/context",
            doc="Everything needed to go on with a ticket: what it says, its documents, the attempts of its phases."),
    Command("list_tickets", ListTickets, list_tickets, "read", TOOLSET, words="ticket list",
            http="GET /tickets",
            doc="Tickets that have not ended, the last changed first."),
)
# fmt: on
