"""Work on a plan by a client of the MCP SDK, as far as stories in a browser need it."""

from dataclasses import dataclass, field
from typing import Any, Final

from interlock.cli.demo.session import Document, Session

STEPS: Final = (
    {"title": "Search", "instructions": "Find stores for a team of 40."},
    {"title": "Compare", "instructions": "Compare what they cost."},
    {"title": "Conclude", "instructions": "Say which one to take."},
)


@dataclass(slots=True)
class Work:
    """A plan, and the session that works on it."""

    session: Session
    plan: str
    step: Document = field(default_factory=dict)

    @property
    def lease(self) -> str:
        """The lease of the step that is held."""
        return str(self.step["lease"]["token"])

    async def claim(self) -> str:
        """Take the next step; return its id."""
        answer = await self.session.call("get_next_step", plan_id=self.plan)
        assert answer["status"] == "in_progress", answer
        self.step = answer["data"]["step"]
        return str(self.step["step_id"])

    async def submit(self, summary: str, **result: object) -> Document:
        """Hand in the step that is held."""
        said = {"step_id": self.step["step_id"], "lease": self.lease, "result_summary": summary}
        return await self.session.call("submit_step_result", **said, result=result)

    async def ask(self, summary: str, *questions: str, **result: object) -> None:
        """Take the next step, and ask for a review of it."""
        await self.claim()
        await self.ask_now(summary, *questions, **result)

    async def ask_now(self, summary: str, *questions: str, **result: object) -> None:
        """Ask for a review of the step that is held."""
        said: dict[str, Any] = {"step_id": self.step["step_id"], "lease": self.lease}
        said["summary"] = summary
        draft = {"result": result or {"text": summary}, "result_summary": summary}
        await self.session.call("request_user_review", **said, **draft, questions=list(questions))

    async def status(self) -> str:
        """Say how the plan stands."""
        answer = await self.session.call("get_plan_status", plan_id=self.plan)
        return str(answer["data"]["status"])


async def begin(session: Session, name: str = "Which store?", **more: object) -> Work:
    """Make a plan whose reviews a person decides."""
    new: dict[str, object] = {"name": name, "research_question": "Which store fits a team of 40?"}
    new |= {"steps": STEPS, "review_policy": "human", **more}
    made = await session.call("create_research_plan", **new)
    return Work(session, str(made["data"]["plan_id"]))
