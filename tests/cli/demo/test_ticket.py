"""The demo's ticket is really built, and a bug that is planted stops it."""

import asyncio
from pathlib import Path

import pytest

from interlock.cli.demo import feature, ticket
from interlock.cli.demo.serving import WentWrong


def test_a_bead_that_never_becomes_green_stops_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, _ = feature.BEADS["basket-total"]
    broken = {**feature.BASKET, "basket.py": "def total(names): return 0\n"}
    beads = {**feature.BEADS, "basket-total": (title, (broken,))}
    monkeypatch.setattr(feature, "BEADS", beads)
    few = feature.project
    monkeypatch.setattr(feature, "project", lambda at: few(at) | {"limits": {"tries_max": 1}})

    with pytest.raises(WentWrong, match="BLOCKED_ERROR"):
        asyncio.run(ticket.play(tmp_path))


def test_what_was_not_merged_once_is_told(tmp_path: Path) -> None:
    bare = feature.make_repository(tmp_path)
    shift = ticket.Shift(None, None, bare, is_killed=True)  # type: ignore[arg-type] # not asked

    with pytest.raises(WentWrong, match="has 0 merges"):
        ticket._prove(shift, {"phase": {"name": "COMPLETED"}}, tmp_path / "out")


def test_tests_that_fail_are_told(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text(feature.TEST_DISCOUNT)

    with pytest.raises(WentWrong, match="the tests of main fail"):
        ticket._tests(tmp_path)
