"""What the stand-in for a model does: it works a plan of three steps, call by call.

It keeps nothing between two requests. Like a real model it has only the conversation that the
client sends it, so every id and every lease comes out of a tool's answer that passed through the
client.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

Document = dict[str, Any]

STEPS: Final = ("search the offers", "compare them", "conclude")
TOOLS: Final = ("create_research_plan", "get_next_step", "submit_step_result")
CALLS: Final = (TOOLS[0], *(TOOLS[1], TOOLS[2]) * len(STEPS), TOOLS[1])
"""The tools that are needed, and every call from the beginning to the end."""
DONE: Final = "The plan is complete."
NOTHING: Final = "There is nothing to do."


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a tool that the conversation holds, and what came back."""

    tool: str
    answer: str

    @property
    def document(self) -> Document:
        """The envelope in the answer: some clients put words of their own around it."""
        found: Document
        found, _ = json.JSONDecoder().raw_decode(self.answer, self.answer.index("{"))
        return found


@dataclass(frozen=True, slots=True)
class Call:
    """The next call of a tool, by the tool's own name."""

    tool: str
    arguments: Document


Script = Callable[[Sequence[Called], Sequence[str]], Call | str]
"""Says what comes next, by the calls that were made and the tools that are offered."""


def by_answers(calls: Sequence[Called], offered: Sequence[str]) -> Call | str:
    """Work the plan, whatever is offered."""
    del offered
    return answer(calls)


def answer(calls: Sequence[Called]) -> Call | str:
    """Return what comes next: a call, or the last words."""
    if not calls:
        steps = [{"step_type": "search", "instructions": text} for text in STEPS]
        question = "Which offer is the cheapest?"
        arguments = {"name": "Offers", "research_question": question, "steps": steps}
        return Call("create_research_plan", arguments)
    last = calls[-1].document
    if calls[-1].tool != "get_next_step":
        return Call("get_next_step", {"plan_id": calls[0].document["data"]["plan_id"]})
    if last["status"] != "in_progress":
        return f"{DONE} ({last['status']})" if last["status"] == "plan_complete" else str(last)
    return _submit(last["data"]["step"])


def own_name(offered: str) -> str:
    """Return a tool's own name, without what a client puts before it."""
    return re.sub(r"^(mcp_+)?interlock[_.]+", "", offered)


def offered_as(tool: str, offered: Iterable[str]) -> str | None:
    """Return the name that a client offers a tool by."""
    return next((name for name in offered if own_name(name) == tool), None)


def _submit(step: Document) -> Call:
    arguments = {
        "step_id": step["step_id"],
        "lease": step["lease"]["token"],
        "result": {"found": step["order"]},
        "result_summary": f"step {step['order']} is done",
        "confidence": 0.9,
    }
    return Call("submit_step_result", arguments)
