"""What rows are said to weigh is what they take, and what is large weighs much."""

import gc
import json
import tracemalloc
from dataclasses import replace

import pytest

from interlock.kernel.seen import Part, Unit
from interlock.store.memory import Memory
from interlock.store.rows import PartRow, UnitRow, read_part, read_unit
from interlock.store.script import Loaded
from interlock.store.weight import PART_BYTES, UNIT_BYTES, part_weight, unit_weight

STEPS, UNITS = 64, 20


def _body(text: str) -> str:
    """Return fields as a step has them, some empty and one long."""
    return json.dumps({
        "title": f"look up {text}", "instructions": text * 12, "role": "agent", "holder": None,
        "fence": 0, "lapsed": False, "attempt": 1, "failure": "", "notes": [], "summary": "",
        "result": {"step": text, "findings": [f"{text} {place}" for place in range(4)]},
        "confidence": 0.5, "formatting_notes": "", "digest_of_result": "0" * 64,
    })  # fmt: skip


def _read(unit: str, number: int) -> PartRow:
    body = _body(f"{unit} {number}")
    columns = (number, "step", "pending", number << 20, None, 0, 0, 0, 1 << 30, "slot", None, 0, 0)
    return read_part(unit, (*columns, body))


def _loaded(name: str) -> Loaded:
    columns = (name, "plan", "d" * 64, "executing", 1 << 10, "h" * 64, 1 << 10, "step")
    fields = json.dumps({"title": name, "sessions": [f"{name} {at}" for at in range(8)]})
    times = (1 << 40, 1 << 40, None)
    tally = json.dumps({"step": {"pending": 300, "completed": 400}})
    return Loaded(read_unit((*columns, tally, fields, *times)), None, {}, None, "inc")


def test_what_is_remembered_weighs_what_it_takes() -> None:
    gc.collect()
    tracemalloc.start()
    try:
        memory = Memory("inc")
        for number in range(UNITS):
            unit = f"plan-{number:08}"
            for place in range(STEPS):
                loaded = replace(_loaded(unit), part=_read(unit, place))
                memory.loaded("tenant", loaded)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert memory.bytes == pytest.approx(taken, rel=0.15)


def test_units_without_parts_weigh_what_they_take() -> None:
    gc.collect()
    tracemalloc.start()
    try:
        memory = Memory("inc")
        for number in range(STEPS * UNITS):
            memory.loaded("tenant", _loaded(f"plan-{number:08}"), (("step", ("pending",)),))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert memory.bytes == pytest.approx(taken, rel=0.25)


@pytest.mark.parametrize(
    "value",
    ["x" * 5_000, "\N{SNOWMAN}" * 2_500, ("x" * 5_000,), {"a": {"b": ("x" * 5_000,)}}, {"x" * 5_000: 1},
     tuple(range(1_000))],
)  # fmt: skip
def test_what_is_large_weighs_much_however_deep_it_lies(value: object) -> None:
    part = PartRow("u.1", 1, Part("step", "pending", {"value": value}), 1)
    unit = UnitRow("u", "plan", "d", Unit("executing", {"value": value}), {}, 1, "h", 1, "step")

    assert 5_000 < part_weight(part) - PART_BYTES < 50_000
    assert 5_000 < unit_weight(unit) - UNIT_BYTES < 50_000


@pytest.mark.parametrize("value", ["", None, 0, False, ()])
def test_what_is_empty_weighs_next_to_nothing(value: object) -> None:
    part = PartRow("u.1", 1, Part("step", "pending", {"value": value}), 1)

    assert part_weight(part) - PART_BYTES < 300
