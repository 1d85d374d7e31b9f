"""The demo's plan: a branch that adds a step, an agent that dies, a review, a step given up."""

from interlock.cli.demo.stage import ANN, CLOCK, Stage, agent
from interlock.kernel.snapshot import Condition, new_part
from interlock.workflows.plan.branching import read_expression
from interlock.workflows.plan.workflow import WORKFLOW


def play() -> Stage:
    """Play a plan from its first claim to its end."""
    parts = {name: new_part(WORKFLOW, "step") for name in ("search", "extract", "compare")}
    parts["conclude"] = new_part(WORKFLOW, "step", needs=("compare",))
    few = Condition(read_expression("found < 3"), "add_steps", {"steps": ({"title": "wider"},)})
    stage = Stage(WORKFLOW, {}, parts, {"search": (few,)})
    one, two = agent("laptop"), agent("desktop")
    stage.send(one, "claim", stage.head("step"))
    stage.send(one, "submit", "search", fence=1, result={"found": 2}, result_summary="two found")
    stage.send(one, "claim", stage.head("step"))
    stage.send(CLOCK, "lapse", "step-5")
    stage.send(two, "claim", stage.head("step"))
    stage.refused(one, "submit", "step-5", fence=1, result={}, result_summary="too late")
    stage.send(two, "submit", "step-5", fence=2, result={}, result_summary="three more")
    stage.send(two, "claim", stage.head("step"))
    stage.send(two, "fail_step", "extract", reason="the source is gone")
    stage.send(two, "claim", stage.head("step"))
    stage.send(two, "request_review", "compare", fence=1, digest="d1", summary="a table")
    stage.refused(two, "claim", "conclude")
    stage.send(ANN, "modify", "compare", digest="d1", feedback="add the running costs")
    stage.send(two, "claim", stage.head("step"))
    stage.send(two, "request_review", "compare", fence=2, digest="d2", summary="with costs")
    stage.send(ANN, "approve", "compare", digest="d2")
    stage.send(two, "claim", stage.head("step"))
    stage.send(two, "submit", "conclude", fence=1, result={}, result_summary="done")
    return stage
