"""The whole ticket workflow: kinds, fields, rules, and what follows from what."""

from types import MappingProxyType
from typing import Final

from interlock.kernel.forms import All, Any, Both, In, Is, Not
from interlock.kernel.lease import LEASE_FUNCTIONS
from interlock.kernel.rules import Cascade, Lift
from interlock.kernel.timer import Timer
from interlock.kernel.trouble import Trouble
from interlock.kernel.workflow import Field, Workflow
from interlock.workflows.ticket.assignment import ASSIGNMENT_FUNCTIONS, ASSIGNMENT_KIND
from interlock.workflows.ticket.bead import BEAD_FUNCTIONS, BEAD_KIND
from interlock.workflows.ticket.blocked_rules import BLOCKED_FUNCTIONS, BLOCKED_RULES
from interlock.workflows.ticket.coding_rules import CODING_RULES
from interlock.workflows.ticket.council import COUNCIL_FUNCTIONS, COUNCIL_LIFTS
from interlock.workflows.ticket.coverage import COVERAGE_FIELDS, COVERAGE_FUNCTIONS
from interlock.workflows.ticket.delivery_rules import DELIVERY_RULES
from interlock.workflows.ticket.guards import GUARD_FUNCTIONS
from interlock.workflows.ticket.machine import TICKET
from interlock.workflows.ticket.pairs import PAIRS
from interlock.workflows.ticket.phases import (
    ANSWERS,
    APPROVALS,
    BLOCKED,
    GROUPS,
    LIVE,
    OFFERING,
    ON_REQUEST,
    REFINES,
    ROUNDS,
    SETUP,
)
from interlock.workflows.ticket.planning_rules import (
    CONTENT,
    PLANNING_FUNCTIONS,
    PLANNING_RULES,
)
from interlock.workflows.ticket.reopen_rules import REOPEN_RULES
from interlock.workflows.ticket.waiting import waiting
from interlock.workflows.ticket.work_rules import WORK_FUNCTIONS, WORK_RULES

TRIES_MAX: Final = 5
"""How many attempts a bead has unless the ticket is told otherwise."""

ROUND_S: Final = 1_200
"""How many seconds the work of a phase has unless the ticket is told otherwise."""

STRUCTURED_RETRIES: Final = 1
"""How often an answer that is no good may be mended."""

FIELDS: Final = (
    Field("members", 1),
    Field("quorum", 1),
    Field("policy", "human"),
    Field("tries_max", TRIES_MAX),
    Field("structured_retries", STRUCTURED_RETRIES),
    Field("parallel", 1),
    Field("previous", during=(BLOCKED,)),
    # Found corrupt beyond telling which phase it was in: only cancelling is left.
    Field("is_lost", default=False, during=(BLOCKED,)),
    # The digest of what is to be approved. A gate that is retried shows what it showed before.
    Field("shown", "", during=(*APPROVALS, BLOCKED)),
    Field("batch", default=False, during=(ANSWERS,)),
    Field("setup_ready", default=False, during=(SETUP,)),
    *COVERAGE_FIELDS,
    # The council: the names of its members, by place what each has drafted and how many points
    # that was given, and the place of whoever has won.
    Field("roster", (), is_read=False),
    Field("drafts", (), is_read=False),
    Field("totals", (), is_read=False),
    # By place what has become of each member's work in this round, as far as it is over.
    Field("outcomes", (), is_read=False),
    Field("winner", 0, is_read=False),
    # How long the work of a phase has, and which offer of work that is: 0 while none is open.
    Field("round_s", ROUND_S, is_read=False),
    Field("round", 0, is_read=False, during=(*OFFERING, *ON_REQUEST)),
    # Where the ticket's tree is, and how it stands: branch, base commit, head, candidate.
    Field("site", "", is_read=False),
    Field("tree", is_read=False),
    # The pull request, as it was last told.
    Field("pull_request", is_read=False),
    # How much the ticket may cost, and what it has: tokens, money, seconds, attempts.
    Field("budget", is_read=False),
    Field("spent", is_read=False),
    # What is wrong, and how often something was.
    Field("error", is_read=False, during=(BLOCKED,)),
    Field("occurrence", 0, is_read=False),
    *(Field(name, is_read=False) for name in CONTENT),
)

LIFTS: Final = (
    *COUNCIL_LIFTS,
    Lift("a bead is in error", Any("bead", ("error",)), "BEAD_ERROR"),
    Lift("every bead is done", All("bead", ("done",)), "ALL_BEADS_DONE"),
)

FINALISES: Final = Is("event", "finalise")
INTO_CODING: Final = In("unit", ("CODING",))

CASCADES: Final = (
    Cascade("remember where it went wrong", of="ticket", enters=(BLOCKED,), do="remember_phase"),
    Cascade("convene the council", of="ticket", enters=ROUNDS, do="convene"),
    Cascade("name the winner", of="ticket", enters=REFINES, do="pick_winner"),
    Cascade("withdraw open work", of="ticket", leaves=LIVE, to="assignment", fire="cancel",
            reason="phase_left"),
    Cascade("offer the phase's work", of="ticket", enters=OFFERING, do="offer_work",
            when=Not(Is("unit", "setup_ready"))),
    Cascade("end the leases of beads", of="ticket", leaves=("CODING",), do="end_bead_leases",
            when=Both((Not(INTO_CODING), Any("bead", ("in_progress",))))),
    Cascade("put interrupted beads back", of="ticket", leaves=(BLOCKED,), to="bead", fire="restore",
            when=Both((INTO_CODING, Not(FINALISES))), reason="retried"),
    Cascade("take a green bead up again", of="ticket", leaves=(BLOCKED,), to="bead", fire="finalise",
            when=Both((INTO_CODING, FINALISES)), reason="finalising"),
    Cascade("put beads back", of="ticket", enters=("CANCELED",), to="bead", fire="withdraw",
            reason="ticket_cancelled"),
)  # fmt: skip

WORKFLOW: Final = Workflow(
    name="ticket",
    doc="A coding ticket from a first idea to a merged pull request, planned by a council of "
    "models, approved by a person gate by gate, and built bead by bead.",
    unit=TICKET,
    parts=(BEAD_KIND, ASSIGNMENT_KIND),
    fields=FIELDS,
    # In the order in which they are suggested: what goes on before what goes back or gives up.
    rules=(
        *WORK_RULES, *CODING_RULES, *PLANNING_RULES, *DELIVERY_RULES, *BLOCKED_RULES, *REOPEN_RULES,
    ),
    lifts=LIFTS,
    cascades=CASCADES,
    pairs=PAIRS,
    functions=MappingProxyType({
        **LEASE_FUNCTIONS,
        **GUARD_FUNCTIONS,
        **COUNCIL_FUNCTIONS,
        **COVERAGE_FUNCTIONS,
        **ASSIGNMENT_FUNCTIONS,
        **BEAD_FUNCTIONS,
        **WORK_FUNCTIONS,
        **PLANNING_FUNCTIONS,
        **BLOCKED_FUNCTIONS,
    }),
    groups=GROUPS,
    timer=Timer(
        field="round_s",
        event="deadline",
        during=(*OFFERING, *ON_REQUEST),
        when="round",
        reason="The time for the work of this phase is over.",
    ),
    trouble=Trouble(
        event="error",
        status=BLOCKED,
        previous="previous",
        lost="is_lost",
        error="error",
        count="occurrence",
    ),
    waiting=waiting,
)  # fmt: skip
