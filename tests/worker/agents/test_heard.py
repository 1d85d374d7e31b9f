"""Last words are kept back, everything before is passed on, and failures have a class."""

import pytest

from interlock.worker.agents.claude import Claude
from interlock.worker.agents.codex import Codex
from interlock.worker.agents.gemini import Gemini
from interlock.worker.agents.heard import DEED_MAX, Heard, count, failure_of, micros, part, word
from interlock.worker.agents.opencode import OpenCode
from interlock.worker.agents.program import Dialect
from tests.worker.agents.speaking import NONSENSE, heard


def test_everything_but_the_last_words_is_passed_on_as_it_comes() -> None:
    told: list[str] = []
    one = Heard(told.append)
    one.says("First I look.\nThen I write.")
    assert told == []
    one.does("Bash", {"command": "ls\n-la"})
    one.does("Think")
    one.says("Half done.")
    one.says(" ")
    one.adds(" More")
    one.says("{}")

    assert told == [
        "First I look.", "Then I write.", '> Bash {"command": "ls\\n-la"}', "> Think",
        "Half done. More",
    ]  # fmt: skip
    assert one.text == "{}"


def test_a_message_in_pieces_begins_anew_after_a_deed() -> None:
    one = Heard(lambda _: None)
    one.adds("a")
    one.does("x", "y" * 10_000)
    one.adds("b")
    one.adds("c")

    assert one.text == "bc"


def test_a_deed_is_told_in_one_short_line() -> None:
    told: list[str] = []
    Heard(told.append).does("Write", "x" * 10_000)

    assert len(told[0]) < DEED_MAX + 10


@pytest.mark.parametrize(
    ("message", "failure"),
    [
        ("API Error: 529 overloaded_error", "transient"),
        ("stream disconnected before completion", "transient"),
        ("connect ECONNREFUSED 127.0.0.1:1", "transient"),
        ("429 Too Many Requests", "transient"),
        ("invalid x-api-key", "failed"),
        ("There is no model gpt-5290", "failed"),
    ],
)  # fmt: skip
def test_failures_that_may_be_gone_in_a_moment_are_told_apart(message: str, failure: str) -> None:
    assert failure_of(message) == failure


def test_what_is_not_there_counts_for_nothing() -> None:
    event = {"a": {"b": {"n": 3, "t": "x"}}, "s": "text", "f": 1.5}

    assert part(event, "a", "b") == {"n": 3, "t": "x"}
    assert part(event, "s", "b") == {}
    assert (word(event, "s"), word(event, "f"), word(event, "none")) == ("text", "", "")
    assert count({"n": 3, "t": "x", "b": True, "m": 4}, "n", "t", "b", "m", "none") == 7
    assert [micros(one) for one in (0.0123, 2, "3", None, True, -1, float("nan"), 1e12)] == [
        12_300, 2_000_000, 0, 0, 0, 0, 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize("dialect", [Claude(), Codex(), Gemini(), OpenCode()])
def test_no_dialect_stumbles_over_what_it_does_not_know(dialect: Dialect) -> None:
    made, _ = heard(dialect, *NONSENSE)

    assert (made.tokens_in, made.tokens_out, made.cost_micros) == (0, 0, 0)
