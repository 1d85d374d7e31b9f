"""The demo's mission: three hops; a design is sent back, a tool step fails and is repaired."""

from collections.abc import Mapping

from interlock.cli.demo.stage import ANN, Run, Stage, agent
from interlock.service.create import NewPart, NewUnit
from interlock.service.engine import Engine

ASSETS = ("brief", "sources", "costs", "report")


def play(engine: Engine, run: Run[object], name: str, *, is_brief: bool = False) -> Stage:
    """Play a mission from its acceptance to the end of its final hop."""
    parts = tuple(NewPart("asset", {"name": asset}) for asset in ASSETS)
    fields = {"name": "A store for a team of 40", "shown": "m1"}
    stage = Stage(engine, run, name, NewUnit("mission", fields, parts), ASSETS, is_brief=is_brief)
    stage.refused(agent("planner"), "accept_mission", digest="m1")
    stage.send(ANN, "accept_mission", digest="m1")
    brief = stage.part("brief")
    stage.send(ANN, "set_asset", brief, content="which store fits a team of 40?")
    _find_sources(stage)
    _compare_costs(stage)
    _write_report(stage)
    return stage


def _find_sources(stage: Stage) -> None:
    """Run a hop whose first tool call times out once and is tried again in place."""
    hop = _accepted(stage, "h1", inputs=(stage.part("brief"),), output=stage.part("sources"))
    search = {"tool": "search", "uses": (stage.part("brief"),)}
    _resolved(
        stage, hop, "d1", search, {"tool": "rank", "takes": (0,), "makes": (stage.part("sources"),)}
    )
    stage.send(ANN, "execute_hop", hop, digest="d1")
    _run(stage, failure="transient")
    _finish(stage)


def _compare_costs(stage: Stage) -> None:
    """Run a hop that is redesigned, fails halfway, and goes on where it stopped."""
    hop = _accepted(stage, "h2", inputs=(stage.part("sources"),), output=stage.part("costs"))
    fetch = {"tool": "fetch", "uses": (stage.part("sources"),)}
    table = {"tool": "table", "takes": (0,), "makes": (stage.part("costs"),)}
    _resolved(stage, hop, "d2", fetch)
    stage.send(ANN, "request_changes", hop, digest="d2", reason="nothing makes the costs")
    _resolved(stage, hop, "d3", fetch, table)
    stage.send(ANN, "execute_hop", hop, digest="d3")
    _run(stage)
    _run(stage, failure="validation")
    stage.refused(agent("planner"), "propose_hop", digest="h3")
    stage.send(ANN, "fix_hop", hop, reason="the prices are per seat")
    _resolved(stage, hop, "d4", keeps=True)
    stage.send(ANN, "execute_hop", hop, digest="d4")
    _finish(stage)


def _write_report(stage: Stage) -> None:
    hop = _accepted(
        stage, "h3", inputs=(stage.part("costs"),), output=stage.part("report"), is_final=True
    )
    write = {"tool": "template", "uses": (stage.part("costs"),), "makes": (stage.part("report"),)}
    _resolved(stage, hop, "d5", write)
    stage.send(ANN, "execute_hop", hop, digest="d5")
    _finish(stage)


def _accepted(stage: Stage, digest: str, **proposal: object) -> str:
    stage.send(agent("planner"), "propose_hop", digest=digest, **proposal)
    hop = stage.newest()
    stage.send(ANN, "accept_hop", hop, digest=digest)
    return hop


def _resolved(
    stage: Stage, hop: str, digest: str, *steps: Mapping[str, object], **more: object
) -> None:
    designer = agent("designer")
    stage.claim(designer, "hop")
    stage.send(designer, "complete_resolution", hop, digest=digest, steps=steps, **more)


def _run(stage: Stage, **failure: object) -> None:
    """Take the next tool step and report how it went; what failed in passing is reported again."""
    runner = agent("runner")
    step = stage.claim(runner, "tool_step")
    result = failure or {"result": "what the tool returned"}
    stage.send(runner, "submit_tool_result", step, **result)
    if failure.get("failure") == "transient":
        stage.send(runner, "submit_tool_result", step, result="at last")


def _finish(stage: Stage) -> None:
    while stage.status == "EXECUTING_HOP":
        _run(stage)
