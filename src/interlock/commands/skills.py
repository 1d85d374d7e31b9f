"""What clients tell beside the work itself: which skill they execute, what a plan was worth."""

from typing import Final

from interlock.commands.names import is_plan
from interlock.commands.row import AnyCommand, Call, Command
from interlock.service import skills
from interlock.service.errors import InvalidInput
from interlock.service.feedback import rate
from interlock.service.order import Reply
from interlock.service.run import Answer
from interlock.store.port import SkillRow
from interlock.wire.skills import Feedback, LogSkill

TOOLSET: Final = "research"
GO_ON: Final = (
    "Call create_research_plan with the same session_id: the plan is linked to this execution."
)


async def log_skill_execution(call: Call, asked: LogSkill) -> Answer:
    """Begin an execution, or end the one that is named."""
    metadata = {} if asked.metadata is None else asked.metadata.model_dump(exclude_none=True)
    if asked.skill_execution_id is not None:
        ending = skills.Ending(asked.skill_execution_id, asked.skill_name, asked.status, metadata)
        return await skills.end(call.engine, call.caller, ending, _told, call.key)
    if asked.status != "started":
        message = f"It is not said which execution has {asked.status}."
        raise InvalidInput(message, fix="Send the skill_execution_id that its start gave you.")
    return await skills.start(call.engine, call.caller, asked.skill_name, metadata, _told, call.key)


def _told(row: SkillRow, status: str) -> Reply:
    data: Reply = {"skill_execution_id": row.id, "skill_name": row.name}
    if row.unit is not None:
        data["plan_id"] = row.unit
    action = GO_ON if status == "started" else ""
    reply: Reply = {"status": status, "next_action": action, "legal_moves": []}
    return reply | {"data": data, "warnings": []}


async def submit_feedback(call: Call, asked: Feedback) -> Answer:
    """Keep what somebody thinks of a plan."""
    is_plan(asked.plan_id)
    data: Reply = {"plan_id": asked.plan_id, "rating": asked.rating}
    reply: Reply = {"status": "ok", "next_action": "", "legal_moves": [], "data": data}
    about = (asked.plan_id, asked.rating, asked.text)
    return await rate(call.engine, call.caller, about, reply | {"warnings": []}, call.key)


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("log_skill_execution", LogSkill, log_skill_execution, "work", TOOLSET, adds_only=True,
            http="POST /skills",
            doc="Say that you have started to execute a skill, or how the one you name has ended."),
    Command("submit_feedback", Feedback, submit_feedback, "work", TOOLSET, adds_only=True,
            http="POST /plans/{plan_id}/feedback",
            doc="Rate a plan from 1 to 5, in the words of the person it was for."),
)
# fmt: on
