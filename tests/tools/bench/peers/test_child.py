"""The side of a peer: it says that it is ready, plays as much as asked, and stops in time."""

import io
import json
import sqlite3
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import pytest

from tools.bench.peers.child import OutOfTime, Play, Watch, answer, converse, play, where


class Counting:
    """Plays nothing, but counts."""

    package = "pytest"
    finished = 0

    def prepare(self, plans: int, steps: int) -> Sequence[Play]:
        def one(watch: Watch) -> None:
            for _ in range(steps):
                watch.step()

        return [one] * plans

    def finish(self) -> None:
        self.finished += 1


def test_it_is_ready_and_answers_line_by_line() -> None:
    out = io.StringIO()
    asked = (
        'go {"plans": 1, "steps": 7, "limit_s": 60}\ngo {"plans": 3, "steps": 2, "limit_s": 60}\n'
    )
    peer = Counting()
    converse(peer, io.StringIO(asked), out)

    words = [line.split(" ", 1) for line in out.getvalue().splitlines()]

    assert [word for word, _ in words] == ["ready", "done", "done"]
    assert peer.finished == 2
    assert json.loads(words[0][1]) == {"version": version("pytest")}
    assert [json.loads(told)["steps"] for _, told in words[1:]] == [7, 6]
    assert min(json.loads(told)["seconds"] for _, told in words[1:]) > 0


def test_what_takes_too_long_is_stopped_and_says_how_far_it_came() -> None:
    steps, _ = play(Counting().prepare(1, 1_000), -1)

    assert steps == 1
    with pytest.raises(OutOfTime):
        Watch(-1).step()


def test_other_words_are_not_understood() -> None:
    with pytest.raises(ValueError, match="stop"):
        answer(Counting(), "stop")


def test_a_file_is_made_in_the_quick_and_durable_journal(tmp_path: Path) -> None:
    path = where(f"sqlite:{tmp_path / 'a.db'}")

    assert path == tmp_path / "a.db"
    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert where("postgresql://postgres@/x") is None
