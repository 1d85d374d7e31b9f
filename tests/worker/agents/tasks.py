"""Tasks for tests of agents."""

from dataclasses import replace
from typing import Final

from interlock.worker.agents.agent import Task

SCHEMA: Final[dict[str, object]] = {
    "type": "object",
    "required": ["questions"],
    "properties": {"questions": {"type": "array"}},
    "additionalProperties": False,
}
DRAFT: Final = Task(
    role="council", task="draft", domain="interview", member="ada", model="big-1",
    prompt="Draft questions.", schema=SCHEMA, deadline_s=5.0, unit="ticket-1", part="ticket-1.1",
)  # fmt: skip


def again(rejected: int = 1) -> Task:
    """Return the same piece of work after answers to it were refused."""
    return replace(DRAFT, rejected=rejected)


def later(part: str, **more: str | float) -> Task:
    """Return another piece of work."""
    return replace(DRAFT, part=part, **more)  # type: ignore[arg-type] # the test names fields
