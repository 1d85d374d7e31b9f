"""Chains are validated whole: every kind of mistake is found, and what is right is laid."""

from collections.abc import Mapping
from typing import Any

import pytest

from interlock.commands.mission.chain import Asset, Ground, Row, check, lay
from tests.missions import NUMBERS, TOOLS

Told = dict[str, Any]
UNIT = "mission-1"
A, B, C = (f"{UNIT}.{number}" for number in (1, 2, 3))
FIRST = Row("double", "", {"rows": {"asset": A}}, {"rows": {"scratch": True}})
SECOND = Row("total", "", {"rows": {"step": 1}}, {"total": {"asset": B}})


def ground(**more: Any) -> Ground:  # noqa: ANN401  any field of a ground
    """Return a hop that is to make B of A."""
    assets = {
        A: Asset(A, "numbers", "READY", NUMBERS, [1, 2], is_known=True),
        B: Asset(B, "sum", "PENDING", {"type": "number"}),
        C: Asset(C, "text", "PENDING", {"type": "string"}),
    }
    made = Ground(UNIT, 10, assets, (A,), B, (), (), TOOLS, frozenset({"model"}))
    return made._replace(**more)


def changed(row: Row, **more: Mapping[str, Told]) -> Row:
    """Return a row with other mappings."""
    return row._replace(**more)  # type: ignore[arg-type]


def test_a_chain_is_laid_with_the_ids_that_its_parts_will_have() -> None:
    laid = lay(ground(), [FIRST, SECOND])

    assert (laid.wrong, laid.keeps, laid.scratch) == ([], False, {f"{UNIT}.11": "rows"})
    first, second = laid.rows
    assert (first["uses"], first["takes"], first["makes"], first["discard"]) == (
        (A,),
        (),
        (),
        False,
    )
    assert first["result_mapping"] == {"rows": {"asset": f"{UNIT}.11"}}
    assert (second["uses"], second["takes"], second["makes"]) == ((), (0,), (B,))
    assert second["parameter_mapping"] == {"rows": {"asset": f"{UNIT}.11"}}


def test_what_a_step_makes_is_there_for_the_next_one() -> None:
    make = changed(SECOND, parameters={"rows": {"asset": A}})
    ask = Row("ask", "", {"text": {"literal": "x"}}, {"text": {"discard": True}})
    use = Row("fetch", "", {"any": {"asset": B}}, {"body": {"discard": True}})
    laid = lay(ground(resources=frozenset({"http", "model"})), [make, ask, use])

    assert laid.wrong == []
    assert (laid.rows[2]["uses"], laid.rows[2]["discard"], laid.rows[1]["uses"]) == ((B,), True, ())
    assert laid.rows[1]["resources"] == ("model",)


WRONG: list[tuple[Row, str, str]] = [
    (FIRST._replace(tool="dbl"), "tool", "no tool"),
    (Row("fetch", "", {}, {"body": {"discard": True}}), "resources", "needs http"),
    (FIRST._replace(deadline_s=3601), "deadline_s", "3600 s at most"),
    (changed(FIRST, parameters={}), "parameter_mapping.rows", "needs rows"),
    (changed(FIRST, parameters={"rows": {"asset": A}, "x": {"literal": 1}}), "parameter_mapping.x", "no parameter"),
    (changed(FIRST, parameters={"rows": {}}), "parameter_mapping.rows", "where the value comes from"),
    (changed(FIRST, parameters={"rows": {"asset": A, "literal": 1}}), "parameter_mapping.rows", "where the value"),
    (changed(FIRST, parameters={"rows": {"literal": "x"}}), "parameter_mapping.rows", 'not of type "array"'),
    (changed(FIRST, parameters={"rows": {"literal": ["x"]}}), "parameter_mapping.rows", 'not of type "number"'),
    (changed(FIRST, parameters={"rows": {"asset": f"{UNIT}.9"}}), "parameter_mapping.rows", "no asset"),
    (changed(FIRST, parameters={"rows": {"asset": "numbers"}}), "parameter_mapping.rows", "is the name of an asset, not its id"),
    (changed(FIRST, results={"rows": {"asset": "sum"}}), "result_mapping.rows", "is the name of an asset, not its id"),
    (changed(FIRST, parameters={"rows": {"asset": B}}), "parameter_mapping.rows", "is PENDING"),
    (changed(FIRST, parameters={"rows": {"asset": A, "path": "x.y"}}), "parameter_mapping.rows", "holds nothing at"),
    (changed(FIRST, parameters={"rows": {"asset": A, "path": "0"}}), "parameter_mapping.rows", 'not of type "array"'),
    (changed(FIRST, parameters={"rows": {"step": 1}}), "parameter_mapping.rows", "no earlier step"),
    (changed(FIRST, parameters={"rows": {"step": "one"}}), "parameter_mapping.rows", "no earlier step"),
    (changed(FIRST, results={}), "result_mapping", "what becomes of the result"),
    (changed(FIRST, results={"more": {"discard": True}}), "result_mapping.more", "returns no more"),
    (changed(FIRST, results={"rows": {"asset": f"{UNIT}.9"}}), "result_mapping.rows", "no asset"),
    (changed(FIRST, results={"rows": {"discard": False}}), "result_mapping.rows", "goes nowhere"),
    (changed(FIRST, results={"rows": {"asset": C}}), "result_mapping.rows", "It is array"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "field", "words"), WRONG)
def test_every_mistake_is_named_with_its_step_and_field(row: Row, field: str, words: str) -> None:
    last = changed(SECOND, parameters={"rows": {"asset": A}})
    found = lay(ground(), [row, last]).wrong

    assert [(one.step, one.field) for one in found] == [(1, field)]
    assert words in found[0].message
    assert found[0].fix


def test_an_earlier_step_is_named_with_the_output_that_is_meant() -> None:
    both = Row("total", "", {"rows": {"asset": A}}, {"total": {"asset": B}, "count": {"asset": C}})
    both = both._replace(results={"total": {"asset": B}, "count": {"discard": True}})
    two = ground(assets={**ground().assets, C: Asset(C, "count", "PENDING")})
    keeps = both._replace(results={"total": {"asset": B}, "count": {"asset": C}})
    use = {"text": {"step": 1}}
    ask = Row("ask", "", use, {"text": {"discard": True}})

    (wrong,) = lay(two, [keeps, ask]).wrong
    assert (wrong.step, "one of total, count" in wrong.fix) == (2, True)
    (wrong,) = lay(
        two, [keeps, changed(ask, parameters={"text": {"step": 1, "output": "count"}})]
    ).wrong
    assert "number" in wrong.message
    (wrong,) = lay(
        two, [both, changed(ask, parameters={"text": {"step": 1, "output": "count"}})]
    ).wrong
    assert "keeps no such output" in wrong.message


def test_a_step_has_one_scratch_at_most_and_each_asset_once() -> None:
    rows = {"rows": {"asset": A}}
    twice = Row("total", "", rows, {"total": {"asset": B}, "count": {"asset": B}})
    (wrong,) = lay(ground(), [twice]).wrong
    assert "Two results" in wrong.message
    beside = Row("total", "", rows, {"total": {"asset": B}, "count": {"scratch": True}})
    (wrong,) = lay(ground(), [beside]).wrong
    assert "one scratch at most" in wrong.message


def test_a_chain_makes_the_output_and_has_a_step() -> None:
    found = lay(ground(), []).wrong

    assert [(one.step, one.field) for one in found] == [(0, "steps"), (0, "output")]
    assert B in found[1].fix


DONE = Row("double", "", {"rows": {"asset": A}}, {"rows": {"asset": f"{UNIT}.6"}}, f"{UNIT}.5")
OPEN = Row("total", "", {"rows": {"asset": f"{UNIT}.6"}}, {"total": {"asset": B}}, f"{UNIT}.7")
SCRATCH = Asset(f"{UNIT}.6", "rows", "READY", NUMBERS, [2, 4], is_known=True)


def resumed(**more: Any) -> Ground:  # noqa: ANN401  as above
    """Return a hop that has completed one step and not another."""
    assets = {**ground().assets, SCRATCH.id: SCRATCH}
    return ground(assets=assets, done=(DONE,), open=(OPEN,))._replace(**more)


@pytest.mark.parametrize(
    ("ids", "keeps"),
    [((5, 7), True), ((7,), True), ((5,), False), ((), False)],
)
def test_steps_that_are_there_stand_first_whole(ids: tuple[int, ...], *, keeps: bool) -> None:
    rows = [Row(step_id=f"{UNIT}.{number}") for number in ids]
    new = changed(SECOND, parameters={"rows": {"asset": SCRATCH.id}})
    laid = lay(resumed(), [*rows, new])

    assert (laid.wrong, laid.keeps) == ([], keeps)
    assert len(laid.rows) == 1


@pytest.mark.parametrize("ids", [(7, 5), (5, 5), (9,), (5, 9)])
def test_old_steps_in_another_order_are_refused(ids: tuple[int, ...]) -> None:
    rows = [Row(step_id=f"{UNIT}.{number}") for number in ids]
    new = changed(SECOND, parameters={"rows": {"asset": SCRATCH.id}})
    found = lay(resumed(), [*rows, new]).wrong

    assert [(one.step, one.field) for one in found] == [(0, "step_id")]
    assert lay(resumed(), [new, Row(step_id=f"{UNIT}.5")]).wrong[0].field == "step_id"


def test_what_stands_is_checked_again_with_its_inputs() -> None:
    assert check(resumed()) == []
    gone = SCRATCH._replace(status="EXPIRED", is_known=False)
    late = Asset(A, "numbers", "ERROR")
    found = check(resumed(assets={**ground().assets, SCRATCH.id: gone, A: late}))

    assert [(one.step, one.field) for one in found] == [
        (2, "parameter_mapping.rows"),
        (0, "inputs"),
    ]
    assert [one.field for one in check(resumed(tools={}))] == ["tool"]
