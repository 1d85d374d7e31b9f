"""The toolset research as methods. Made by `make docs` from the command rows. Do not edit."""

from collections.abc import Mapping, Sequence
from typing import Literal

from interlock.client.caller import Caller
from interlock.wire.envelope import Envelope
from interlock.wire.library import Filters
from interlock.wire.plan import AddedStep, NewCondition, NewStep
from interlock.wire.plans import PlanFilter
from interlock.wire.skills import SkillMetadata


# fmt: off
class Research(Caller):
    """What the toolset research can do."""

    async def create_research_plan(
        self, name: str, research_question: str,
        steps: Sequence[NewStep | Mapping[str, object]], *, request_id: str | None = None,
        branching_conditions: Sequence[NewCondition | Mapping[str, object]] | None = None,
        plan_design_rationale: str | None = None, output_formatting_notes: str | None = None,
        review_policy: Literal["relay", "human"] | None = None,
        review_by_others: bool | None = None, stall_after: int | None = None,
        max_parallel_steps: int | None = None, tags: Sequence[str] | None = None,
    ) -> Envelope:
        """Make a research plan: its question, its steps in order, and the branches between them."""
        return await self.call("create_research_plan", {
            "request_id": request_id, "name": name, "research_question": research_question,
            "steps": steps, "branching_conditions": branching_conditions,
            "plan_design_rationale": plan_design_rationale,
            "output_formatting_notes": output_formatting_notes, "review_policy": review_policy,
            "review_by_others": review_by_others, "stall_after": stall_after,
            "max_parallel_steps": max_parallel_steps, "tags": tags,
        })

    async def get_next_step(
        self, plan_id: str, *, request_id: str | None = None, wait_s: float | None = None,
    ) -> Envelope:
        """Claim the next step of a plan; it is yours until its lease expires, longer with heartbeats."""
        return await self.call("get_next_step", {
            "request_id": request_id, "plan_id": plan_id, "wait_s": wait_s,
        })

    async def submit_step_result(
        self, step_id: str, result_summary: str, *, request_id: str | None = None,
        result: Mapping[str, object] | None = None, confidence: float | None = None,
        step_execution_report: str | None = None, output_formatting_notes: str | None = None,
        evidence: Sequence[str] | None = None, lease: str | None = None,
        claim_next: bool | None = None,
    ) -> Envelope:
        """Hand in the result of a step; its branches are asked at once."""
        return await self.call("submit_step_result", {
            "request_id": request_id, "step_id": step_id, "result": result,
            "result_summary": result_summary, "confidence": confidence,
            "step_execution_report": step_execution_report,
            "output_formatting_notes": output_formatting_notes, "evidence": evidence,
            "lease": lease, "claim_next": claim_next,
        })

    async def heartbeat_step(
        self, step_id: str, *, request_id: str | None = None, lease: str | None = None,
        note: str | None = None,
    ) -> Envelope:
        """Show that you are still at a step, which extends your lease."""
        return await self.call("heartbeat_step", {
            "request_id": request_id, "step_id": step_id, "lease": lease, "note": note,
        })

    async def release_step(
        self, step_id: str, *, request_id: str | None = None, lease: str | None = None,
        note: str | None = None,
    ) -> Envelope:
        """Give a step back, so that somebody else can take it at once."""
        return await self.call("release_step", {
            "request_id": request_id, "step_id": step_id, "lease": lease, "note": note,
        })

    async def take_over_step(
        self, step_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """Take a step from whoever holds it; an agent only once the lease has expired."""
        return await self.call("take_over_step", {
            "request_id": request_id, "step_id": step_id, "reason": reason,
        })

    async def request_user_review(
        self, step_id: str, summary: str, *, request_id: str | None = None,
        questions: Sequence[str] | None = None, artifact_ids: Sequence[str] | None = None,
        result: Mapping[str, object] | None = None, result_summary: str | None = None,
        confidence: float | None = None, lease: str | None = None,
    ) -> Envelope:
        """Pause the plan until the person has decided about a step; a result given is a draft until then."""
        return await self.call("request_user_review", {
            "request_id": request_id, "step_id": step_id, "summary": summary,
            "questions": questions, "artifact_ids": artifact_ids, "result": result,
            "result_summary": result_summary, "confidence": confidence, "lease": lease,
        })

    async def submit_user_decision(
        self, decision: Literal["approve", "reject", "modify", "skip"], *,
        request_id: str | None = None, feedback: str | None = None,
        answers: Sequence[str] | None = None, content_digest: str | None = None,
        step_id: str | None = None, gate_id: str | None = None,
    ) -> Envelope:
        """Decide about a step under review: approve, modify, skip or reject (which fails the plan)."""
        return await self.call("submit_user_decision", {
            "request_id": request_id, "decision": decision, "feedback": feedback,
            "answers": answers, "content_digest": content_digest, "step_id": step_id,
            "gate_id": gate_id,
        })

    async def modify_plan(
        self, plan_id: str,
        action: Literal["add_steps", "remove_step", "reorder_steps", "update_step_instructions", "fail_step", "retry_step", "add_condition", "remove_condition", "update_plan"],
        *, request_id: str | None = None,
        steps: Sequence[AddedStep | Mapping[str, object]] | None = None,
        insert_after_order: int | None = None, step_id: str | None = None,
        step_ids: Sequence[str] | None = None, instructions: str | None = None,
        title: str | None = None, acceptance: str | None = None, reason: str | None = None,
        condition: NewCondition | Mapping[str, object] | None = None,
        condition_number: int | None = None, name: str | None = None,
        output_formatting_notes: str | None = None,
        review_policy: Literal["relay", "human"] | None = None,
        stall_after: int | None = None, max_parallel_steps: int | None = None,
        modification_rationale: str | None = None, dry_run: bool | None = None,
    ) -> Envelope:
        """Change a plan: add, remove, reorder, instruct, fail or retry steps, conditions, settings."""
        return await self.call("modify_plan", {
            "request_id": request_id, "plan_id": plan_id, "action": action, "steps": steps,
            "insert_after_order": insert_after_order, "step_id": step_id, "step_ids": step_ids,
            "instructions": instructions, "title": title, "acceptance": acceptance,
            "reason": reason, "condition": condition, "condition_number": condition_number,
            "name": name, "output_formatting_notes": output_formatting_notes,
            "review_policy": review_policy, "stall_after": stall_after,
            "max_parallel_steps": max_parallel_steps,
            "modification_rationale": modification_rationale, "dry_run": dry_run,
        })

    async def fail_plan(
        self, plan_id: str, reason: str, *, request_id: str | None = None,
    ) -> Envelope:
        """End a plan for good; only a person can."""
        return await self.call("fail_plan", {
            "request_id": request_id, "plan_id": plan_id, "reason": reason,
        })

    async def get_plan_status(
        self, plan_id: str,
    ) -> Envelope:
        """How a plan stands: its steps, who holds what until when, how far it is."""
        return await self.call("get_plan_status", {
            "plan_id": plan_id,
        })

    async def get_research_context(
        self, plan_id: str,
    ) -> Envelope:
        """Everything needed to go on with a plan in a new session."""
        return await self.call("get_research_context", {
            "plan_id": plan_id,
        })

    async def get_step_context(
        self, step_id: str, *, token_budget: int | None = None,
    ) -> Envelope:
        """What a step builds upon: results of what it depends on and of earlier steps."""
        return await self.call("get_step_context", {
            "step_id": step_id, "token_budget": token_budget,
        })

    async def list_active_plans(
        self, *, filter: PlanFilter | Mapping[str, object] | None = None,
        cursor: str | None = None, limit: int | None = None,
    ) -> Envelope:
        """Plans that are not completed or failed, the last changed first, with how far each is."""
        return await self.call("list_active_plans", {
            "filter": filter, "cursor": cursor, "limit": limit,
        })

    async def store_research(
        self, plan_id: str, artifact_type: str, title: str, content: str, *,
        request_id: str | None = None, step_id: str | None = None,
        source_urls: Sequence[str] | None = None, media_type: str | None = None,
    ) -> Envelope:
        """Keep something you found or worked out, with its sources, so that it can be searched and read again."""
        return await self.call("store_research", {
            "request_id": request_id, "plan_id": plan_id, "step_id": step_id,
            "artifact_type": artifact_type, "title": title, "content": content,
            "source_urls": source_urls, "media_type": media_type,
        })

    async def store_research_output(
        self, plan_id: str, title: str, content: str, *, request_id: str | None = None,
        media_type: str | None = None,
    ) -> Envelope:
        """Keep the deliverable of a plan: the finished report or data."""
        return await self.call("store_research_output", {
            "request_id": request_id, "plan_id": plan_id, "title": title, "content": content,
            "media_type": media_type,
        })

    async def get_artifact(
        self, artifact_id: str, *, offset: int | None = None, limit: int | None = None,
    ) -> Envelope:
        """Read what was stored, page by page."""
        return await self.call("get_artifact", {
            "artifact_id": artifact_id, "offset": offset, "limit": limit,
        })

    async def search_sources(
        self, query: str, *, filters: Filters | Mapping[str, object] | None = None,
        limit: int | None = None,
    ) -> Envelope:
        """Search everything stored, by words and, where set up, by meaning."""
        return await self.call("search_sources", {
            "query": query, "filters": filters, "limit": limit,
        })

    async def extract_data(
        self, answer_schema: Mapping[str, object], *, request_id: str | None = None,
        source_text: str | None = None, artifact_id: str | None = None,
        instructions: str | None = None,
    ) -> Envelope:
        """Have a model read data out of a text or artifact that fits your JSON Schema; needs a model to be set up."""
        return await self.call("extract_data", {
            "request_id": request_id, "source_text": source_text, "artifact_id": artifact_id,
            "schema": answer_schema, "instructions": instructions,
        })

    async def log_skill_execution(
        self, skill_name: str, status: Literal["started", "completed", "failed"], *,
        request_id: str | None = None, skill_execution_id: str | None = None,
        metadata: SkillMetadata | Mapping[str, object] | None = None,
    ) -> Envelope:
        """Say that you have started to execute a skill, or how the one you name has ended."""
        return await self.call("log_skill_execution", {
            "request_id": request_id, "skill_name": skill_name, "status": status,
            "skill_execution_id": skill_execution_id, "metadata": metadata,
        })

    async def submit_feedback(
        self, plan_id: str, rating: int, *, request_id: str | None = None,
        text: str | None = None,
    ) -> Envelope:
        """Rate a plan from 1 to 5, in the words of the person it was for."""
        return await self.call("submit_feedback", {
            "request_id": request_id, "plan_id": plan_id, "rating": rating, "text": text,
        })
