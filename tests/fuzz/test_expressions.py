"""Fifty thousand texts: each is answered or refused, with little work, and touches nothing."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from interlock.kernel.expression import Expression, evaluate
from tests.fuzz.expressions import BUGS, EXPRESSIONS, SMALL, judge, nodes, run
from tests.fuzz.texts import FIXED, WORST
from tests.kernel.expression.language import read
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.frame import Leg
from tests.torture.small import run_small

OURS = [bug for bug in bugs() if bug.campaign == EXPRESSIONS.name]


def test_any_text_is_answered_or_refused_with_little_work_and_touches_nothing(
    tmp_path: Path,
) -> None:
    tried = run_small(EXPRESSIONS, tmp_path)

    assert tried.findings == []
    assert tried.counts["expressions"] == SMALL
    # A campaign that only ever sees refusals, or only answers, would prove nothing.
    assert min(tried.counts[kind] for kind in ("True", "False", "refused")) > SMALL // 50
    assert min(tried.faults.values()) > SMALL // 50


@pytest.mark.parametrize("text", WORST, ids=lambda text: text[:12].strip())
def test_the_worst_texts_we_know_cost_no_more_than_their_length(text: str) -> None:
    for scope in FIXED[:5]:
        assert judge(text, scope, is_close=True)[1] == ""


@pytest.mark.parametrize("bug", OURS, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(tmp_path: Path, bug: Bug) -> None:
    assert caught(bug, [*run(Leg(bug.seed, bug.amount, tmp_path, bug.name)).findings])


def test_every_bug_that_can_be_planted_is_on_the_list() -> None:
    assert {bug.name for bug in OURS} == set(BUGS)


def test_nodes_are_counted_as_the_limit_counts_them() -> None:
    assert nodes(read("a.b > 1").root) == nodes(read("result.a.b > 1").root)
    assert nodes(read("a > 1 && b > 1").root) > 2 * nodes(read("a > 1").root)


# -- the watch can see -------------------------------------------------------------------------


def open_a_file() -> None:
    Path(__file__).open(encoding="utf-8").close()


def import_a_module() -> None:
    with suppress(ImportError):
        __import__("no_such_module_anywhere")


def compile_a_text() -> None:
    compile("1", "<text>", "eval")


@pytest.mark.parametrize(
    ("act", "event"),
    [(open_a_file, "open"), (import_a_module, "import"), (compile_a_text, "compile")],
)
def test_a_file_an_import_or_code_made_of_text_is_noticed(
    monkeypatch: pytest.MonkeyPatch, act: Callable[[], None], event: str
) -> None:
    def answer(expression: Expression, scope: dict[str, object]) -> bool:
        act()
        return evaluate(expression, scope)

    monkeypatch.setattr(sys.modules[judge.__module__], "evaluate", answer)

    assert judge("a > 1", {}, is_close=False) == ("False", f"it touched the world: {event}")
