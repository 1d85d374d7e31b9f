"""The page: every figure of a run is on it, and the one in the tree has every section."""

import json
from pathlib import Path
from typing import Any

import pytest

from tools.bench import page as subject
from tools.bench.measure import Aim, Figure
from tools.bench.page import PAGE, page
from tools.bench.peers.roster import PEERS, ROOT

FIGURES = [
    Figure("PostgreSQL, 1 plan beside pgbench", 900.0, "steps/s", 1_500.0, 0.6, Aim(0.55, 0.7), (0.5, 0.65), 9, 0.58),
    Figure("SQLite, bytes a step", 4_000.0, "bytes", 3_900.0, 1.03, Aim(1.15, is_ceiling=True)),
    Figure("SQLite, 1 plan beside DBOS, steps", 1_500.0, "steps/s", 200.0, 7.5, None, (7.1, 7.9), 3, 7.4),
]  # fmt: skip
SECTIONS = (
    "The machine", "Goals", "Beside other programs", "Growth", "What is not like for like",
    "Figures without a goal", "Once more",
)  # fmt: skip


def _standing(name: str, rates: list[float]) -> dict[str, Any]:
    low, middle, high = sorted(rates)
    return {"name": name, "median": middle, "low": low, "high": high, "rates": rates}


def _grown(name: str, steps: int, rate: float, size: float, done: int = 0) -> dict[str, Any]:
    told = {"database": "SQLite", "name": name, "steps": steps, "done": done or steps}
    return {**told, "rate": rate, "bytes_per_step": size, "runs": 3}


SAMPLE: dict[str, Any] = {
    "machine": {"cores": 2, "memory_gib": 7.6, "system": "Linux", "architecture": "aarch64",
                "python": "3.11.7", "load_before": 0.1},
    "sqlite": {"version": "3.54", "version_of_sqlite3": "3.40", "fsyncs_per_s": 3_210.4},
    "postgres": {"version": "18.1"},
    "peers": {"LangGraph": "1.2.20", "DBOS": "3.3.0"},
    "seconds": 840.0,
    "is_quick": False,
    "figures": [one.data() for one in FIGURES],
    "contests": [
        {"database": "SQLite", "plans": 1, "standings": [
            _standing("floor: a loop on apsw", [3_000.0, 3_100.0, 2_900.0]),
            _standing("Interlock", [1_500.0, 1_600.0, 1_400.0]),
            _standing("LangGraph, linear", [500.0, 520.0, 90.5]),
        ]},
        {"database": "PostgreSQL", "plans": 32, "standings": [_standing("Interlock", [1.0, 2.0, 3.0])]},
    ],
    "growth": [
        _grown("Interlock", 100, 1_500.0, 4_000.0), _grown("Interlock", 5_000, 1_470.0, 4_040.0),
        _grown("LangGraph, linear", 100, 500.0, 9_000.0),
        _grown("LangGraph, linear", 5_000, 50.0, 90_000.0, done=3_000),
    ],
}  # fmt: skip


def test_every_section_and_every_figure_is_on_the_page() -> None:
    told = page(SAMPLE)

    assert [line[3:] for line in told.splitlines() if line.startswith("## ")] == [*SECTIONS]
    assert all(one.name in told for one in FIGURES)
    assert "| LangGraph | 1.2.20 |" in told
    assert (
        "| SQLite, bytes a step | 4,000 bytes | 3,900 bytes | 1.03 |  |  | <= 1.15 | reached |"
        in told
    )
    assert ">= 0.55 (0.70) | reached |" in told
    assert all(f"### {peer.title}\n\n{peer.title}: " in told for peer in PEERS)


def test_a_quick_run_is_called_one() -> None:
    assert "quick run" not in page(SAMPLE)
    assert "quick run" in page({**SAMPLE, "is_quick": True})


def test_entrants_are_told_with_their_rounds_and_beside_us() -> None:
    told = page(SAMPLE)

    assert "### SQLite, 1 plan\n" in told
    assert "### PostgreSQL, 32 plans at once\n" in told
    assert "| LangGraph, linear | 500 | 90.5 .. 520 | 3.00 |" in told
    assert "| floor: a loop on apsw | 3,000 | 2,900 .. 3,100 | 0.50 |" in told


def test_growth_says_who_was_stopped() -> None:
    told = page(SAMPLE)

    assert "| Interlock | 1,500/s | 1,470/s | 0.98 x | 4,000 | 4,040 | 1.0 x |" in told
    assert (
        "| LangGraph, linear | 500/s | more than 60 s (50.0/s up to step 3,000) |"
        " 0.10 x up to there | 9,000 | 90,000 | 10.0 x up to there |"
    ) in told


def test_the_page_is_written_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bench.json").write_text(json.dumps(SAMPLE), encoding="utf-8")
    words = [
        "page",
        "--source",
        str(tmp_path / "bench.json"),
        "--output",
        str(tmp_path / "page.md"),
    ]
    monkeypatch.setattr("sys.argv", words)

    assert subject.main() == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page(SAMPLE)


def test_the_page_in_the_tree_has_every_section_and_every_peer() -> None:
    told = (ROOT / PAGE).read_text(encoding="utf-8")

    assert [line[3:] for line in told.splitlines() if line.startswith("## ")] == [*SECTIONS]
    for peer in PEERS:
        assert all(f"| {name} | " in told for _, name in peer.modes())
        # What an adapter says of itself was not changed since.
        assert peer.told() in told
    for where in ("SQLite, 1 plan\n", "PostgreSQL, 1 plan\n", "PostgreSQL, "):
        assert f"### {where}" in told
