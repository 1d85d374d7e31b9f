"""Cancel against completion, and what else excludes each other: one outcome, and it is explained."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.kernel.machine import Edge
from interlock.kernel.workflow import Workflow, lease
from interlock.service import run
from interlock.service.engine import running
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.mission.machines import TOOL_STEP
from interlock.workflows.mission.workflow import WORKFLOW
from tests.missions import equip
from tests.races.mission_duels import CHIEF, DUELS, seconded
from tests.races.moves import another
from tests.stage import _place, opened

ORDERS = ("first", "second", "at once", "at once, the other begins")

ROUNDS = {CHIEF: {"sqlite": 50, "postgres": 5}}
OTHERS = {"sqlite": 1}
"""How often each order is fought every day: the chief duel 200 times; others not on PostgreSQL."""

ROUNDS_LONG = 50
"""How often in a long run: each duel 200 times, a hundred of them in a fixed order."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Fight each duel as often as a day allows, or with --long each 200 times on every store."""
    if "fights" not in metafunc.fixturenames:
        return
    every_day = {name: ROUNDS.get(name, OTHERS) for name in DUELS}
    if metafunc.config.getoption("--long", default=False):
        every_day = {name: dict.fromkeys(("sqlite", "postgres"), ROUNDS_LONG) for name in DUELS}
    fights = [
        (name, dialect, rounds)
        for name, often in every_day.items()
        for dialect, rounds in often.items()
    ]
    metafunc.parametrize("fights", fights, ids=[f"{dialect}-{name}" for name, dialect, _ in fights])


def test_in_every_order_there_is_one_outcome_and_the_audit_explains_it(
    request: pytest.FixtureRequest, fights: tuple[str, str, int]
) -> None:
    name, dialect, rounds = fights
    duel = DUELS[name]

    async def fight(where: Path | str) -> Counter[tuple[str, str]]:
        async with opened(where) as stage, another(stage) as second:
            other = seconded(stage, second)
            done: Counter[tuple[str, str]] = Counter()
            for order in ORDERS * rounds:
                told = await duel.fight(stage, other, order)
                if order in ("first", "second"):
                    assert told == list(duel.ends)[order == "second"]
                done[told] += 1
            return done

    with _place(request, dialect) as where:
        done = asyncio.run(fight(where))
    assert done.total() == 4 * rounds
    assert min(done[told] for told in duel.ends) >= rounds


# -- can it fail? ------------------------------------------------------------------------------


async def _nothing(_: object, __: object) -> None:
    pass


def _forget_late(patch: pytest.MonkeyPatch) -> Mapping[str, Workflow]:
    patch.setattr(run, "keep_late", _nothing)
    return WORKFLOWS


def _let_outputs_run(_: pytest.MonkeyPatch) -> Mapping[str, Workflow]:
    name = "step cancelled: its outputs"
    cascades = tuple(one for one in WORKFLOW.cascades if one.name != name)
    pairs = tuple(one for one in WORKFLOW.pairs if "assets are made" not in one.name)
    return {**WORKFLOWS, "mission": replace(WORKFLOW, cascades=cascades, pairs=pairs)}


def _take_late(_: pytest.MonkeyPatch) -> Mapping[str, Workflow]:
    """Let the step of a cancelled hop be completed all the same."""
    edge = Edge("CANCELLED", "complete", "COMPLETED")
    machine = replace(TOOL_STEP, edges=(*TOOL_STEP.edges, edge))
    kinds = tuple(
        replace(kind, machine=machine, fields=(*lease(), *kind.fields[3:]))
        if kind.name == "tool_step"
        else kind
        for kind in WORKFLOW.parts
    )
    rules = tuple(
        replace(rule, guards=()) if rule.event == "submit_tool_result" else rule
        for rule in WORKFLOW.rules
    )
    return {**WORKFLOWS, "mission": replace(WORKFLOW, parts=kinds, rules=rules)}


@pytest.mark.parametrize("plant", [_forget_late, _let_outputs_run, _take_late])
def test_a_bug_is_noticed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[pytest.MonkeyPatch], Mapping[str, Workflow]],
) -> None:
    flows = running(plant(monkeypatch))

    async def fight() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            equip(stage)
            stage.engine = replace(stage.engine, flows=flows)
            await DUELS[CHIEF].fight(stage, stage.engine, "second")

    with pytest.raises(AssertionError):
        asyncio.run(fight())
