"""The adapter of burr plays both modes on SQLite, where its environment is there."""

from pathlib import Path

import pytest

from tests.tools.bench.peers.playing import plays


@pytest.mark.parametrize("mode", ["linear", "pull"])
def test_it_plays_as_many_steps_as_asked(mode: str, tmp_path: Path) -> None:
    plays("burr", mode, tmp_path)
