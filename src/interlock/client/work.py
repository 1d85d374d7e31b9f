"""The toolset work as methods. Made by `make docs` from the command rows. Do not edit."""

from collections.abc import Mapping, Sequence
from typing import Literal

from interlock.client.caller import Caller
from interlock.wire.envelope import Envelope
from interlock.wire.logs import LogLine
from interlock.wire.work import Usage


# fmt: off
class Work(Caller):
    """What the toolset work can do."""

    async def get_next_work(
        self, *, request_id: str | None = None, workflow: str | None = None,
        kind: str | None = None, role: str | None = None, member: str | None = None,
        tags: Sequence[str] | None = None, site: str | None = None,
        wait_s: float | None = None,
    ) -> Envelope:
        """Claim the next piece of work of any workflow that fits the filters."""
        return await self.call("get_next_work", {
            "request_id": request_id, "workflow": workflow, "kind": kind, "role": role,
            "member": member, "tags": tags, "site": site, "wait_s": wait_s,
        })

    async def submit_work(
        self, part_id: str, *, request_id: str | None = None,
        answer: Mapping[str, object] | None = None, lease: str | None = None,
        usage: Usage | Mapping[str, object] | None = None,
    ) -> Envelope:
        """Hand in the answer to a piece of work you hold."""
        return await self.call("submit_work", {
            "request_id": request_id, "part_id": part_id, "answer": answer, "lease": lease,
            "usage": usage,
        })

    async def heartbeat_work(
        self, part_id: str, *, request_id: str | None = None, lease: str | None = None,
        note: str | None = None,
    ) -> Envelope:
        """Show that you are still at a piece of work, which extends your lease."""
        return await self.call("heartbeat_work", {
            "request_id": request_id, "part_id": part_id, "lease": lease, "note": note,
        })

    async def release_work(
        self, part_id: str, *, request_id: str | None = None, lease: str | None = None,
        note: str | None = None,
    ) -> Envelope:
        """Give a piece of work back, so that somebody else can take it."""
        return await self.call("release_work", {
            "request_id": request_id, "part_id": part_id, "lease": lease, "note": note,
        })

    async def fail_work(
        self, part_id: str, reason: str, *, request_id: str | None = None,
        failure: Literal["transient", "validation", "configuration", "user_correctable", "resource_unavailable", "system", "unhandled"] | None = None,
        lease: str | None = None, usage: Usage | Mapping[str, object] | None = None,
    ) -> Envelope:
        """Give a piece of work up, and say why; for a mission's, of which class the failure is."""
        return await self.call("fail_work", {
            "request_id": request_id, "part_id": part_id, "reason": reason, "failure": failure,
            "lease": lease, "usage": usage,
        })

    async def take_over_work(
        self, part_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """Take a piece of work from whoever holds it, and say why."""
        return await self.call("take_over_work", {
            "request_id": request_id, "part_id": part_id, "reason": reason,
        })

    async def explain(
        self, id: str,
    ) -> Envelope:
        """Why a unit or part is where it is, what must change for it to move, and who can."""
        return await self.call("explain", {
            "id": id,
        })

    async def list_units(
        self, *, workflow: str | None = None, status: str | None = None,
        tag: str | None = None, is_open: bool | None = None, cursor: str | None = None,
        limit: int | None = None,
    ) -> Envelope:
        """What there is, the last changed first."""
        return await self.call("list_units", {
            "workflow": workflow, "status": status, "tag": tag, "is_open": is_open,
            "cursor": cursor, "limit": limit,
        })

    async def get_unit(
        self, id: str, *, at: int | None = None, after: int | None = None,
        limit: int | None = None,
    ) -> Envelope:
        """A unit and its parts, a page at a time: where each stands and what it holds, now or then."""
        return await self.call("get_unit", {
            "id": id, "at": at, "after": after, "limit": limit,
        })

    async def get_audit(
        self, id: str, *, after: int | None = None, limit: int | None = None,
    ) -> Envelope:
        """What has happened to a unit, entry by entry."""
        return await self.call("get_audit", {
            "id": id, "after": after, "limit": limit,
        })

    async def ping(
        self,
    ) -> Envelope:
        """Who you are here, whose data you see, and which server this is."""
        return await self.call("ping", {
        })

    async def list_work(
        self, *, workflow: str | None = None, kind: str | None = None,
        role: str | None = None, member: str | None = None, tag: str | None = None,
        site: str | None = None, unit_id: str | None = None, cursor: str | None = None,
        limit: int | None = None,
    ) -> Envelope:
        """What waits to be taken and who holds what until when, of any workflow, the oldest unit first."""
        return await self.call("list_work", {
            "workflow": workflow, "kind": kind, "role": role, "member": member, "tag": tag,
            "site": site, "unit_id": unit_id, "cursor": cursor, "limit": limit,
        })

    async def get_work_context(
        self, part_id: str,
    ) -> Envelope:
        """A piece of work you hold once more: its task, its fields and your lease, as it was handed out."""
        return await self.call("get_work_context", {
            "part_id": part_id,
        })

    async def append_log(
        self, part_id: str, lease: str, lines: Sequence[LogLine | Mapping[str, object]], *,
        request_id: str | None = None,
    ) -> Envelope:
        """Tell what you do with a piece of work you hold, line by line."""
        return await self.call("append_log", {
            "request_id": request_id, "part_id": part_id, "lease": lease, "lines": lines,
        })

    async def read_logs(
        self, id: str, *, part_id: str | None = None, member: str | None = None,
        after: int | None = None, limit: int | None = None,
    ) -> Envelope:
        """What workers have told about a unit, in its order, of one part or member."""
        return await self.call("read_logs", {
            "id": id, "part_id": part_id, "member": member, "after": after, "limit": limit,
        })

    async def get_board(
        self, *, workflow: str | None = None, q: str | None = None,
        column: Literal["", "todo", "doing", "needs_you", "done"] | None = None,
        tag: str | None = None, cursor: str | None = None, limit: int | None = None,
    ) -> Envelope:
        """All work by where it stands: to do, in progress, waiting for a person, done."""
        return await self.call("get_board", {
            "workflow": workflow, "q": q, "column": column, "tag": tag, "cursor": cursor,
            "limit": limit,
        })

    async def verify_audit(
        self, *, unit: str | None = None, cursor: str | None = None,
        limit: int | None = None,
    ) -> Envelope:
        """Prove what happened: every hash, every move, and that the log makes the state."""
        return await self.call("verify_audit", {
            "unit": unit, "cursor": cursor, "limit": limit,
        })

    async def list_leases(
        self, *, unit_id: str | None = None, cursor: str | None = None,
        limit: int | None = None,
    ) -> Envelope:
        """Who holds which part until when, the lease that ends first at the top."""
        return await self.call("list_leases", {
            "unit_id": unit_id, "cursor": cursor, "limit": limit,
        })

    async def list_artifacts(
        self, id: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> Envelope:
        """What is kept for a unit and its parts: results, answers, artifacts, every version."""
        return await self.call("list_artifacts", {
            "id": id, "cursor": cursor, "limit": limit,
        })

    async def get_content(
        self, id: str, digest: str, *, offset: int | None = None, limit: int | None = None,
    ) -> Envelope:
        """Read what is kept for a unit by its digest, page by page."""
        return await self.call("get_content", {
            "id": id, "digest": digest, "offset": offset, "limit": limit,
        })

    async def list_workflows(
        self,
    ) -> Envelope:
        """Which workflows there are, and what each is made of."""
        return await self.call("list_workflows", {
        })

    async def get_workflow(
        self, name: str,
    ) -> Envelope:
        """A workflow whole: its machines, rules and ties as data, and drawn in Mermaid."""
        return await self.call("get_workflow", {
            "name": name,
        })

    async def list_gates(
        self, *, state: Literal["open", "decided", "all"] | None = None,
        workflow: str | None = None, unit: str | None = None, cursor: str | None = None,
        limit: int | None = None,
    ) -> Envelope:
        """What waits for a decision of a person, the oldest first; and what was decided."""
        return await self.call("list_gates", {
            "state": state, "workflow": workflow, "unit": unit, "cursor": cursor, "limit": limit,
        })

    async def get_gate(
        self, gate_id: str,
    ) -> Envelope:
        """A gate: what is shown there, what can be decided and how, who decided what before."""
        return await self.call("get_gate", {
            "gate_id": gate_id,
        })

    async def decide_gate(
        self, decision: str, gate_id: str, *, request_id: str | None = None,
        feedback: str | None = None, answers: Sequence[str] | None = None,
        content_digest: str | None = None,
    ) -> Envelope:
        """Decide at a gate, once; where people decide, only a person can, and names what was shown."""
        return await self.call("decide_gate", {
            "request_id": request_id, "decision": decision, "feedback": feedback,
            "answers": answers, "content_digest": content_digest, "gate_id": gate_id,
        })
