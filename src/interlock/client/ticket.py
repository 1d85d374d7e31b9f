"""The toolset ticket as methods. Made by `make docs` from the command rows. Do not edit."""

from collections.abc import Mapping, Sequence
from typing import Literal

from interlock.client.caller import Caller
from interlock.wire.envelope import Envelope
from interlock.wire.project import Forge, Limits, Member
from interlock.wire.ticket import GivenAnswer


# fmt: off
class Ticket(Caller):
    """What the toolset ticket can do."""

    async def create_project(
        self, name: str, repository: str, members: Sequence[Member | Mapping[str, object]],
        *, base_branch: str | None = None,
        limits: Limits | Mapping[str, object] | None = None,
        prompts: Mapping[str, object] | None = None,
        forge: Forge | Mapping[str, object] | None = None, webhook_secret: str | None = None,
    ) -> Envelope:
        """Make a project: a repository, its base branch, and the council that plans its tickets."""
        return await self.call("create_project", {
            "name": name, "repository": repository, "base_branch": base_branch,
            "members": members, "limits": limits, "prompts": prompts, "forge": forge,
            "webhook_secret": webhook_secret,
        })

    async def edit_project(
        self, project_id: str, *, name: str | None = None, repository: str | None = None,
        base_branch: str | None = None,
        members: Sequence[Member | Mapping[str, object]] | None = None,
        limits: Limits | Mapping[str, object] | None = None,
        prompts: Mapping[str, object] | None = None,
        forge: Forge | Mapping[str, object] | None = None, webhook_secret: str | None = None,
    ) -> Envelope:
        """Change a project; tickets that were started go on with what they had."""
        return await self.call("edit_project", {
            "project_id": project_id, "name": name, "repository": repository,
            "base_branch": base_branch, "members": members, "limits": limits, "prompts": prompts,
            "forge": forge, "webhook_secret": webhook_secret,
        })

    async def archive_project(
        self, project_id: str,
    ) -> Envelope:
        """Put a project away, so that no ticket can be begun in it any more."""
        return await self.call("archive_project", {
            "project_id": project_id,
        })

    async def get_project(
        self, project_id: str,
    ) -> Envelope:
        """A project: its repository, its council and its limits."""
        return await self.call("get_project", {
            "project_id": project_id,
        })

    async def list_projects(
        self, *, include_archived: bool | None = None,
    ) -> Envelope:
        """The projects there are, the oldest first."""
        return await self.call("list_projects", {
            "include_archived": include_archived,
        })

    async def list_prompts(
        self, project_id: str,
    ) -> Envelope:
        """The prompts of a project, ours or its own: name, version, digest, placeholders and text."""
        return await self.call("list_prompts", {
            "project_id": project_id,
        })

    async def create_ticket(
        self, project_id: str, title: str, *, request_id: str | None = None,
        description: str | None = None, policy: Literal["human", "relay"] | None = None,
        tags: Sequence[str] | None = None, seed: str | None = None,
    ) -> Envelope:
        """Write down what is to be built, in a project. A person starts it."""
        return await self.call("create_ticket", {
            "request_id": request_id, "project_id": project_id, "title": title,
            "description": description, "policy": policy, "tags": tags, "seed": seed,
        })

    async def edit_ticket(
        self, ticket_id: str, *, request_id: str | None = None,
        project_id: str | None = None, title: str | None = None,
        description: str | None = None, policy: Literal["relay", "human"] | None = None,
    ) -> Envelope:
        """Change title, description, project or policy of a ticket that was not started."""
        return await self.call("edit_ticket", {
            "request_id": request_id, "ticket_id": ticket_id, "project_id": project_id,
            "title": title, "description": description, "policy": policy,
        })

    async def start(
        self, ticket_id: str, *, request_id: str | None = None,
    ) -> Envelope:
        """Lock the configuration of a ticket and have its working tree made; then the council begins."""
        return await self.call("start", {
            "request_id": request_id, "ticket_id": ticket_id,
        })

    async def answer_batch(
        self, ticket_id: str, batch: int, *, request_id: str | None = None,
        answers: Sequence[GivenAnswer | Mapping[str, object]] | None = None,
    ) -> Envelope:
        """Answer the questions of an interview that wait, all of a batch at once; one without an answer is skipped."""
        return await self.call("answer_batch", {
            "request_id": request_id, "ticket_id": ticket_id, "batch": batch, "answers": answers,
        })

    async def skip_question(
        self, ticket_id: str, question_id: str, *, request_id: str | None = None,
        reason: str | None = None,
    ) -> Envelope:
        """Leave one question that waits to the council."""
        return await self.call("skip_question", {
            "request_id": request_id, "ticket_id": ticket_id, "question_id": question_id,
            "reason": reason,
        })

    async def skip_all(
        self, ticket_id: str, *, request_id: str | None = None, reason: str | None = None,
    ) -> Envelope:
        """End the interview here; what was not answered is left to the council."""
        return await self.call("skip_all", {
            "request_id": request_id, "ticket_id": ticket_id, "reason": reason,
        })

    async def edit_answer(
        self, ticket_id: str, question_id: str, *, request_id: str | None = None,
        selected: Sequence[str] | None = None, text: str | None = None,
    ) -> Envelope:
        """Change an earlier answer while the interview goes on; an empty one is a skip."""
        return await self.call("edit_answer", {
            "request_id": request_id, "ticket_id": ticket_id, "question_id": question_id,
            "selected": selected, "text": text,
        })

    async def save_artifact(
        self, ticket_id: str, content: str, base_digest: str, *,
        request_id: str | None = None,
    ) -> Envelope:
        """Save an edit of what waits for approval as its next version; the gate stays."""
        return await self.call("save_artifact", {
            "request_id": request_id, "ticket_id": ticket_id, "content": content,
            "base_digest": base_digest,
        })

    async def approve(
        self, ticket_id: str, *, request_id: str | None = None,
        content_digest: str | None = None,
    ) -> Envelope:
        """Approve the interview, the PRD, the blueprint or the setup plan as it was shown."""
        return await self.call("approve", {
            "request_id": request_id, "ticket_id": ticket_id, "content_digest": content_digest,
        })

    async def reopen(
        self, ticket_id: str, artifact: Literal["interview", "prd", "beads", "setup"],
        reason: str, *, request_id: str | None = None, content: str | None = None,
        base_digest: str | None = None,
    ) -> Envelope:
        """Go back to something approved: an edited interview or PRD is approved and all that followed starts anew."""
        return await self.call("reopen", {
            "request_id": request_id, "ticket_id": ticket_id, "artifact": artifact,
            "reason": reason, "content": content, "base_digest": base_digest,
        })

    async def retry(
        self, ticket_id: str, *, request_id: str | None = None, note: str | None = None,
    ) -> Envelope:
        """Let a blocked ticket go on in exactly the phase it was in, with a note for whoever tries again."""
        return await self.call("retry", {
            "request_id": request_id, "ticket_id": ticket_id, "note": note,
        })

    async def regenerate_setup_plan(
        self, ticket_id: str, *, request_id: str | None = None, comment: str | None = None,
    ) -> Envelope:
        """Have the setup plan drafted again, with a comment on what was wrong with it."""
        return await self.call("regenerate_setup_plan", {
            "request_id": request_id, "ticket_id": ticket_id, "comment": comment,
        })

    async def merge(
        self, ticket_id: str, *, request_id: str | None = None,
    ) -> Envelope:
        """Have the pull request of a ticket merged by a worker."""
        return await self.call("merge", {
            "request_id": request_id, "ticket_id": ticket_id,
        })

    async def close_unmerged(
        self, ticket_id: str, *, request_id: str | None = None, reason: str | None = None,
    ) -> Envelope:
        """End a ticket without a merge; branch and pull request are left alone."""
        return await self.call("close_unmerged", {
            "request_id": request_id, "ticket_id": ticket_id, "reason": reason,
        })

    async def finish(
        self, ticket_id: str, *, request_id: str | None = None, reason: str | None = None,
    ) -> Envelope:
        """Complete a ticket whose clean-up hangs; what was not cleaned is kept as a warning."""
        return await self.call("finish", {
            "request_id": request_id, "ticket_id": ticket_id, "reason": reason,
        })

    async def raise_budget(
        self, ticket_id: str, *, request_id: str | None = None, tokens: int | None = None,
        cost_micros: int | None = None, seconds: int | None = None,
        attempts: int | None = None,
    ) -> Envelope:
        """Raise what a ticket may spend, the one setting that start does not lock."""
        return await self.call("raise_budget", {
            "request_id": request_id, "ticket_id": ticket_id, "tokens": tokens,
            "cost_micros": cost_micros, "seconds": seconds, "attempts": attempts,
        })

    async def report_merge(
        self, ticket_id: str, merge_commit: str, base_head: str, head: str, *,
        request_id: str | None = None,
    ) -> Envelope:
        """From a worker or a person: somebody has merged the pull request outside of Interlock."""
        return await self.call("report_merge", {
            "request_id": request_id, "ticket_id": ticket_id, "merge_commit": merge_commit,
            "base_head": base_head, "head": head,
        })

    async def ticket_status(
        self, ticket_id: str,
    ) -> Envelope:
        """How a ticket stands: its phase, who works, what waits for a person, its documents and beads."""
        return await self.call("ticket_status", {
            "ticket_id": ticket_id,
        })

    async def ticket_context(
        self, ticket_id: str,
    ) -> Envelope:
        """Everything needed to go on with a ticket: what it says, its documents, the attempts of its phases."""
        return await self.call("ticket_context", {
            "ticket_id": ticket_id,
        })

    async def list_tickets(
        self, *, status: str | None = None, project_id: str | None = None,
        tag: str | None = None, include_ended: bool | None = None, cursor: str | None = None,
        limit: int | None = None,
    ) -> Envelope:
        """Tickets that have not ended, the last changed first."""
        return await self.call("list_tickets", {
            "status": status, "project_id": project_id, "tag": tag,
            "include_ended": include_ended, "cursor": cursor, "limit": limit,
        })
