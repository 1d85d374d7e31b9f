"""The report: a line for each figure with its verdict, and everything in a file."""

import json
from pathlib import Path

from tools.bench.measure import Aim, Figure
from tools.bench.report import table, verdicts, write

FIGURES = [
    Figure("steps", 50.0, "steps/s", 100.0, 0.5, Aim(0.45, 0.55), (0.4, 0.6), 9, 0.5),
    Figure("busy", 60.0, "steps/s", 100.0, 0.6, Aim(0.45, 0.55), (0.2, 0.7), 9, 0.3),
    Figure("bytes", 120.0, "bytes", 100.0, 1.2, Aim(1.15, 1.05, is_ceiling=True)),
    Figure("late", 90.0, "us", 100.0, 0.9, Aim(1.3, is_ceiling=True)),
    Figure("fsyncs", 7.0, "1/s", 7.0, 1.0),
]


def test_every_goal_is_told_with_how_far_it_got() -> None:
    _, steps, busy, size, late, fsyncs = table(FIGURES)

    assert steps.split() == [
        "steps", "50.0", "steps/s", "100.0", "0.50", "0.40..0.60", "0.50", ">=", "0.45", "(0.55)", "reached",
    ]  # fmt: skip
    assert busy.endswith(">= 0.45 (0.55) unclear")
    assert size.endswith("<= 1.15 (1.05) missed")
    assert late.split()[-3:] == ["<=", "1.30", "reached"]
    assert fsyncs.endswith("1.00")
    assert verdicts(FIGURES) == "2 of 4 goals reached, 1 missed, 1 unclear"


def test_the_file_has_figures_and_facts(tmp_path: Path) -> None:
    path = tmp_path / "build" / "bench.json"
    write(path, FIGURES, {"sqlite": {"version": "3"}})

    told = json.loads(path.read_text(encoding="utf-8"))

    assert told["sqlite"] == {"version": "3"}
    assert told["figures"][0] == {
        "name": "steps", "value": 50.0, "unit": "steps/s", "floor": 100.0, "ratio": 0.5,
        "goal": 0.45, "moonshot": 0.55, "is_ceiling": False, "spread": [0.4, 0.6], "rounds": 9,
        "calm": 0.5, "verdict": "reached",
    }  # fmt: skip
    assert told["figures"][4]["goal"] is None
