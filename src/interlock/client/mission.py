"""The toolset mission as methods. Made by `make docs` from the command rows. Do not edit."""

from collections.abc import Mapping, Sequence
from typing import Literal

from interlock.client.caller import Caller
from interlock.wire.envelope import Envelope
from interlock.wire.mission import ChainStep, GivenAsset, NewAsset, StepError


# fmt: off
class Mission(Caller):
    """What the toolset mission can do."""

    async def propose_mission(
        self, name: str, goal: str, *, request_id: str | None = None,
        description: str | None = None, success_criteria: Sequence[str] | None = None,
        inputs: Sequence[GivenAsset | Mapping[str, object]] | None = None,
        outputs: Sequence[NewAsset | Mapping[str, object]] | None = None,
        assets: Sequence[NewAsset | Mapping[str, object]] | None = None,
        policy: Literal["human", "relay"] | None = None, tries_max: int | None = None,
        recovery_deadline_s: int | None = None, tags: Sequence[str] | None = None,
    ) -> Envelope:
        """Propose a mission: its goal, what it is given and what it is to deliver. A person accepts it."""
        return await self.call("propose_mission", {
            "request_id": request_id, "name": name, "goal": goal, "description": description,
            "success_criteria": success_criteria, "inputs": inputs, "outputs": outputs,
            "assets": assets, "policy": policy, "tries_max": tries_max,
            "recovery_deadline_s": recovery_deadline_s, "tags": tags,
        })

    async def edit_mission(
        self, mission_id: str, *, request_id: str | None = None, name: str | None = None,
        goal: str | None = None, description: str | None = None,
        success_criteria: Sequence[str] | None = None,
        recovery_deadline_s: int | None = None,
    ) -> Envelope:
        """Change a mission that is only proposed; whoever decides must look at it again."""
        return await self.call("edit_mission", {
            "request_id": request_id, "mission_id": mission_id, "name": name, "goal": goal,
            "description": description, "success_criteria": success_criteria,
            "recovery_deadline_s": recovery_deadline_s,
        })

    async def accept_mission(
        self, mission_id: str, *, request_id: str | None = None,
        content_digest: str | None = None,
    ) -> Envelope:
        """Accept a mission as it was shown, as a person; its first hop can be proposed from then on."""
        return await self.call("accept_mission", {
            "request_id": request_id, "mission_id": mission_id, "content_digest": content_digest,
        })

    async def set_asset(
        self, asset_id: str, content: object, *, request_id: str | None = None,
    ) -> Envelope:
        """Supply the content of an asset that no tool step is making."""
        return await self.call("set_asset", {
            "request_id": request_id, "asset_id": asset_id, "content": content,
        })

    async def mission_status(
        self, mission_id: str,
    ) -> Envelope:
        """How a mission stands: its hops, its assets, what runs, and what waits for a person."""
        return await self.call("mission_status", {
            "mission_id": mission_id,
        })

    async def mission_context(
        self, mission_id: str,
    ) -> Envelope:
        """Everything needed to go on with a mission: goal, hops, what assets hold, which tools there are."""
        return await self.call("mission_context", {
            "mission_id": mission_id,
        })

    async def list_missions(
        self, *,
        status: Literal["PROPOSED", "READY_FOR_NEXT_HOP", "BUILDING_HOP", "HOP_READY_TO_EXECUTE", "EXECUTING_HOP", "COMPLETED", "FAILED", "CANCELLED"] | None = None,
        tag: str | None = None, include_ended: bool | None = None, cursor: str | None = None,
        limit: int | None = None,
    ) -> Envelope:
        """Missions that have not ended (or all: include_ended), the last changed first."""
        return await self.call("list_missions", {
            "status": status, "tag": tag, "include_ended": include_ended, "cursor": cursor,
            "limit": limit,
        })

    async def propose_hop(
        self, mission_id: str, name: str, goal: str, output: str, *,
        request_id: str | None = None, description: str | None = None,
        success_criteria: Sequence[str] | None = None, rationale: str | None = None,
        inputs: Sequence[str] | None = None,
        assets: Sequence[NewAsset | Mapping[str, object]] | None = None,
        is_final: bool | None = None,
    ) -> Envelope:
        """Propose the next hop of a mission: its goal, the assets it needs and the one it makes."""
        return await self.call("propose_hop", {
            "request_id": request_id, "mission_id": mission_id, "name": name, "goal": goal,
            "description": description, "success_criteria": success_criteria,
            "rationale": rationale, "inputs": inputs, "output": output, "assets": assets,
            "is_final": is_final,
        })

    async def create_hop(
        self, mission_id: str, name: str, goal: str, output: str, *,
        request_id: str | None = None, description: str | None = None,
        success_criteria: Sequence[str] | None = None, rationale: str | None = None,
        inputs: Sequence[str] | None = None,
        assets: Sequence[NewAsset | Mapping[str, object]] | None = None,
        is_final: bool | None = None,
    ) -> Envelope:
        """Write the next hop as a person; it is decided about like any other."""
        return await self.call("create_hop", {
            "request_id": request_id, "mission_id": mission_id, "name": name, "goal": goal,
            "description": description, "success_criteria": success_criteria,
            "rationale": rationale, "inputs": inputs, "output": output, "assets": assets,
            "is_final": is_final,
        })

    async def revise_hop(
        self, hop_id: str, *, request_id: str | None = None, name: str | None = None,
        goal: str | None = None, description: str | None = None,
        success_criteria: Sequence[str] | None = None, rationale: str | None = None,
        inputs: Sequence[str] | None = None, output: str | None = None,
        assets: Sequence[NewAsset | Mapping[str, object]] | None = None,
        is_final: bool | None = None, lease: str | None = None,
    ) -> Envelope:
        """Write the proposal of a hop anew; whoever decides must look at it again."""
        return await self.call("revise_hop", {
            "request_id": request_id, "hop_id": hop_id, "name": name, "goal": goal,
            "description": description, "success_criteria": success_criteria,
            "rationale": rationale, "inputs": inputs, "output": output, "assets": assets,
            "is_final": is_final, "lease": lease,
        })

    async def withdraw_hop(
        self, hop_id: str, *, request_id: str | None = None,
    ) -> Envelope:
        """Take your pending proposal of a hop back."""
        return await self.call("withdraw_hop", {
            "request_id": request_id, "hop_id": hop_id,
        })

    async def accept_hop(
        self, hop_id: str, *, request_id: str | None = None,
        content_digest: str | None = None, is_final: bool | None = None,
    ) -> Envelope:
        """Accept the concept of a hop as it was shown, as a person; it is to be resolved from then on."""
        return await self.call("accept_hop", {
            "request_id": request_id, "hop_id": hop_id, "content_digest": content_digest,
            "is_final": is_final,
        })

    async def reject_hop(
        self, hop_id: str, reason: str, *, request_id: str | None = None,
        content_digest: str | None = None,
    ) -> Envelope:
        """Refuse a pending proposal as a person; it is deleted, and another one is waited for."""
        return await self.call("reject_hop", {
            "request_id": request_id, "hop_id": hop_id, "reason": reason,
            "content_digest": content_digest,
        })

    async def request_changes(
        self, hop_id: str, reason: str, *, request_id: str | None = None,
        content_digest: str | None = None,
    ) -> Envelope:
        """As a person send a design back to be resolved anew, or an accepted concept to be proposed anew."""
        return await self.call("request_changes", {
            "request_id": request_id, "hop_id": hop_id, "reason": reason,
            "content_digest": content_digest,
        })

    async def reset_hop(
        self, hop_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """As a person propose a cancelled hop again."""
        return await self.call("reset_hop", {
            "request_id": request_id, "hop_id": hop_id, "reason": reason,
        })

    async def delete_hop(
        self, hop_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """As a person take a pending, failed or cancelled hop out of its mission for good."""
        return await self.call("delete_hop", {
            "request_id": request_id, "hop_id": hop_id, "reason": reason,
        })

    async def archive_hop(
        self, hop_id: str, *, request_id: str | None = None,
    ) -> Envelope:
        """Put a completed hop out of sight; no status changes."""
        return await self.call("archive_hop", {
            "request_id": request_id, "hop_id": hop_id,
        })

    async def submit_resolution(
        self, hop_id: str, *, request_id: str | None = None,
        steps: Sequence[ChainStep | Mapping[str, object]] | None = None,
        lease: str | None = None,
    ) -> Envelope:
        """Hand in the whole chain of tool steps of a hop you hold (get_next_work); all that is wrong is told at once."""
        return await self.call("submit_resolution", {
            "request_id": request_id, "hop_id": hop_id, "steps": steps, "lease": lease,
        })

    async def fail_resolution(
        self, hop_id: str,
        failure: Literal["transient", "validation", "configuration", "user_correctable", "resource_unavailable", "system", "unhandled"],
        message: str, *, request_id: str | None = None, detail: str | None = None,
        lease: str | None = None,
    ) -> Envelope:
        """Say that a hop you hold cannot be resolved; what a person can repair holds the mission."""
        return await self.call("fail_resolution", {
            "request_id": request_id, "hop_id": hop_id, "failure": failure, "message": message,
            "detail": detail, "lease": lease,
        })

    async def approve_design(
        self, hop_id: str, *, request_id: str | None = None,
        content_digest: str | None = None,
    ) -> Envelope:
        """Approve the design of a hop as it was shown, as a person; execute_hop runs it."""
        return await self.call("approve_design", {
            "request_id": request_id, "hop_id": hop_id, "content_digest": content_digest,
        })

    async def execute_hop(
        self, hop_id: str, *, request_id: str | None = None,
        content_digest: str | None = None, is_final: bool | None = None,
    ) -> Envelope:
        """Run the design of a hop as it was shown, as a person; it is validated again, and goes back where it is not valid."""
        return await self.call("execute_hop", {
            "request_id": request_id, "hop_id": hop_id, "content_digest": content_digest,
            "is_final": is_final,
        })

    async def submit_tool_result(
        self, part_id: str, *, request_id: str | None = None,
        outputs: Mapping[str, object] | None = None,
        failure: Literal["transient", "validation", "configuration", "user_correctable", "resource_unavailable", "system", "unhandled"] | None = None,
        error: StepError | Mapping[str, object] | None = None,
        resource_down: bool | None = None, lease: str | None = None,
    ) -> Envelope:
        """Hand in what the tool of a step you hold has returned, or the class of its failure."""
        return await self.call("submit_tool_result", {
            "request_id": request_id, "part_id": part_id, "outputs": outputs, "failure": failure,
            "error": error, "resource_down": resource_down, "lease": lease,
        })

    async def mark_hop_complete(
        self, hop_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """Say as a person that an executing hop is done: its output is there, its other steps are cancelled."""
        return await self.call("mark_hop_complete", {
            "request_id": request_id, "hop_id": hop_id, "reason": reason,
        })

    async def complete_early(
        self, mission_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """Say as a person that a mission has reached its goal: every output is ready."""
        return await self.call("complete_early", {
            "request_id": request_id, "mission_id": mission_id, "reason": reason,
        })

    async def fix_hop(
        self, hop_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """As a person have the failed hop of a held mission resolved anew; what it has completed is kept."""
        return await self.call("fix_hop", {
            "request_id": request_id, "hop_id": hop_id, "reason": reason,
        })

    async def abandon_recovery(
        self, mission_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """As a person give up repairing the failed hop of a held mission; the mission fails."""
        return await self.call("abandon_recovery", {
            "request_id": request_id, "mission_id": mission_id, "reason": reason,
        })

    async def cancel(
        self, id: str, reason: str, *, request_id: str | None = None,
        cascade: bool | None = None,
    ) -> Envelope:
        """As a person cancel a mission or a hop; the current hop only with its mission (cascade: true)."""
        return await self.call("cancel", {
            "request_id": request_id, "id": id, "reason": reason, "cascade": cascade,
        })

    async def reset_mission(
        self, mission_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """As a person begin a mission anew that has ended: a new one is proposed, linked both ways."""
        return await self.call("reset_mission", {
            "request_id": request_id, "mission_id": mission_id, "reason": reason,
        })
