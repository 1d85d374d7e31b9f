"""What the checker explores of plans: up to N steps, with and without dependencies and limits.

Every submit and approval is tried with every kind of branch, to every later step; the result
that makes a condition true is up to the agent, so each variant brings its own condition.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from interlock.kernel.check.scope import Scope, Turn, Variant
from interlock.kernel.check.variants import AGENT_ACTOR, PERSON
from interlock.kernel.seen import Actor
from interlock.kernel.snapshot import Snapshot, begin, new_part
from interlock.kernel.workflow import Workflow
from interlock.workflows.plan.branching import GRAMMAR, read_expression
from interlock.workflows.plan.workflow import WORKFLOW

STEPS_DEFAULT: Final = 3
STEPS_WIDE: Final = 3
"""Passing over a step takes three: the one that ends, the one passed over, the target."""
ALWAYS: Final = read_expression("go === true")
RESULT: Final = {"result": {"go": True}, "result_summary": "what was found"}


def scope(steps: int = STEPS_DEFAULT, flow: Workflow = WORKFLOW) -> Scope:
    """Return what a check of plans with up to ``steps`` steps covers."""
    return Scope(
        flow=flow,
        starts=tuple(_starts(flow, steps)),
        bounds={
            "steps": steps,
            "dependencies": "none, and a chain",
            "parallel": "no limit, and 1",
            "review policy": "relay, and human",
            "branches": "fail, add a step, skip to every later step",
            "leases": "held, lapsed, holder dead, given back, stale",
        },
        most={"step": steps},
        extra=tuple(_branching(steps)),
        grammar=GRAMMAR,
        is_wide=steps >= STEPS_WIDE,
    )


def _starts(flow: Workflow, steps: int) -> Iterator[Snapshot]:
    for count in range(1, steps + 1):
        yield _start(flow, steps, count)
    if steps > 1:
        chain = tuple(
            new_part(flow, "step", needs=(place - 1,) if place else ()) for place in range(steps)
        )
        yield replace(_start(flow, steps, steps), parts=chain)
    yield _start(flow, steps, steps, max_parallel=1, review_policy="human")


def _start(flow: Workflow, most: int, count: int, **fields: object) -> Snapshot:
    first = begin(flow, unit={"max_steps": most, **fields})
    return replace(first, parts=tuple(new_part(flow, "step") for _ in range(count)))


def _branching(steps: int) -> Iterator[Variant]:
    turns = [
        Turn(ALWAYS, "fail", {"reason": "a dead end"}),
        Turn(ALWAYS, "add_steps", {"steps": ({},)}),
        *(Turn(ALWAYS, "skip_to", {}, ahead) for ahead in range(1, steps)),
    ]
    for turn in turns:
        yield Variant("submit", "step", AGENT_ACTOR, RESULT, "current", (turn,))
        yield _approval(PERSON, turn)


def _approval(actor: Actor, turn: Turn) -> Variant:
    args = {**RESULT, "digest": "sha256:shown"}
    return Variant("approve", "step", actor, args, "", (turn,))
