"""What the tests of dialects share: a session to be started for, and events to be heard."""

import json
from pathlib import Path

from interlock.worker.agents.heard import Heard
from interlock.worker.agents.program import Dialect, Session, Told

KEY = "sk-0123456789"
TOLD = Told("a", url="http://127.0.0.1:1", key=KEY)


def session(room: Path, reach: str = "write", told: Told = TOLD, model: str = "big-1") -> Session:
    """Return a session in a tree."""
    return Session(told, "Do it.", model, reach, room, room / "tree")


def heard(dialect: Dialect, *events: object) -> tuple[Heard, list[str]]:
    """Return what a dialect makes of events, each a line, and what was passed on meanwhile."""
    told: list[str] = []
    made = Heard(told.append)
    for event in events:
        dialect.line(event if isinstance(event, str) else json.dumps(event), made)
    return made, told


NONSENSE: tuple[object, ...] = (
    "", "plain words", "{", "{}", "[1]", {"type": 3}, {"type": "assistant"}, {"type": "result"},
    {"type": "assistant", "message": {"content": "no list"}},
    {"type": "assistant", "message": {"content": [3, {"type": "text"}, {"type": "tool_use"}]}},
    {"type": "item.completed"}, {"type": "item.completed", "item": {"type": "agent_message"}},
    {"type": "turn.completed", "usage": {"input_tokens": "many", "output_tokens": True}},
    {"type": "turn.failed"}, {"type": "error"}, {"type": "error", "error": "words"},
    {"type": "text", "part": 3}, {"type": "step_finish", "part": {"tokens": 3, "cost": "much"}},
    {"type": "message", "role": "assistant"}, {"type": "tool_use"}, "{" * 5_000,
)  # fmt: skip
"""What no dialect may stumble over."""
