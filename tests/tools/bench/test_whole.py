"""Everything in one run, tiny: it runs, rows a step are equal, and every figure is there."""

from typing import cast

import pytest

from tools.bench.machine import machine
from tools.bench.measure import Figure
from tools.bench.page import page
from tools.bench.scale import QUICK
from tools.bench.whole import measure


def _facts(of: object) -> dict[str, object]:
    return cast("dict[str, object]", of)


@pytest.mark.long("each part of it has its own test")
def test_everything_is_measured_in_one_run() -> None:
    said: list[str] = []
    figures, facts = measure(QUICK, said.append)

    assert len(said) == 16
    for name in ("sqlite", "postgres"):
        told = _facts(facts[name])
        rows = _facts(told["rows_per_step"])
        assert rows["ours"] == rows["floor"]
        assert len(str(told["floor_sql_sha256"])) == 64
        assert told["version"]
    assert _facts(facts["sqlite"])["fsyncs_per_s"]
    whole: dict[str, object] = {
        **facts,
        "figures": [one.data() for one in figures],
        "machine": machine(),
    }
    assert "### PostgreSQL, 3 plans at once" in page({**whole, "seconds": 1.0, "is_quick": True})
    assert _judged(figures, "SQLite") == 14
    assert _judged(figures, "PostgreSQL") == 14
    assert _judged(figures, "MCP") == 1
    assert _judged(figures, "Ticket") == 1


def _judged(figures: list[Figure], store: str) -> int:
    return sum(1 for one in figures if one.name.startswith(store) and one.aim is not None)
