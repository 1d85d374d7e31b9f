"""The demo's plan: a branch that adds a step, an agent that dies, a review, a step given up."""

from interlock.cli.demo.stage import ANN, CLOCK, Run, Stage, agent
from interlock.service.create import NewBranch, NewPart, NewUnit
from interlock.service.engine import Engine

NAMES = ("search", "extract", "compare", "conclude")
FEW = NewBranch(0, "found < 3", "add_steps", {"steps": ({"title": "wider"},)})


def play(engine: Engine, run: Run[object], name: str) -> Stage:
    """Play a plan from its first claim to its end."""
    parts = tuple(NewPart("step", {"title": title}) for title in NAMES[:3])
    last = NewPart("step", {"title": NAMES[3]}, needs=(2,))
    stage = Stage(
        engine, run, name, NewUnit("plan", {"name": "Which store?"}, (*parts, last), (FEW,)), NAMES
    )
    one, two = agent("laptop"), agent("desktop")
    search = stage.claim(one, "step")
    stage.send(one, "submit", search, result={"found": 2}, result_summary="two found")
    wider = stage.claim(one, "step")
    old = stage.lease(wider)
    stage.send(CLOCK, "lapse", wider)
    stage.claim(two, "step")
    stage.refused(one, "submit", wider, lease=old, result={}, result_summary="too late")
    stage.send(two, "submit", wider, result={}, result_summary="three more")
    extract = stage.claim(two, "step")
    stage.send(two, "fail_step", extract, reason="the source is gone")
    compare = stage.claim(two, "step")
    stage.send(two, "request_review", compare, digest="d1", summary="a table")
    stage.refused(two, "claim", stage.part("conclude"))
    stage.send(ANN, "modify", compare, digest="d1", feedback="add the running costs")
    stage.claim(two, "step")
    stage.send(two, "request_review", compare, digest="d2", summary="with costs")
    stage.send(ANN, "approve", compare, digest="d2")
    conclude = stage.claim(two, "step")
    stage.send(two, "submit", conclude, result={}, result_summary="done")
    return stage
