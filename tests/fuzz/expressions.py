"""The fuzz of expressions: whatever the text and the scope, a plain answer or the one error.

Time is counted in lines of Python that are run, which no busy machine changes: they may be no
more than a multiple of the length of the text. The answer is compared with that of a second
reader, and nothing may be opened, imported or compiled meanwhile.
"""

import dataclasses
import gc
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Any, Final

import pytest

from interlock.kernel.expression import Expression, InvalidExpression, evaluate, parse
from interlock.kernel.expression.grammar import CHARACTERS_MAX, NODES_MAX
from tests.fuzz import second
from tests.fuzz.texts import scope, text
from tests.kernel.expression.language import GRAMMAR
from tests.torture.frame import Campaign, Leg, Tried

SMALL: Final = 50_000
LONG: Final = 5_000_000
CLOSELY_EVERY: Final = 16
"""How often a text is looked at closely: lines counted, nodes counted, written out and read again."""

LINES_EACH: Final = 60
LINES_FIRST: Final = 1_000
"""How many lines of ours a character of the text may cost, and how many any text."""

FINDINGS_MAX: Final = 5
"""After so many nothing more is to be learned from a leg."""


class Watch:
    """Notes what Python's audit hook reports while it is on. A hook can never be taken away."""

    def __init__(self) -> None:
        """Set no hook yet: whoever loads this and never watches would pay for it to the end."""
        self.is_on = False
        self._is_set = False
        self.events: list[str] = []

    def _note(self, event: str, _details: tuple[object, ...]) -> None:
        if self.is_on and event not in ("sys.settrace", "object.__getattr__"):
            self.events.append(event)

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Watch for as long as this lasts."""
        if not self._is_set:
            sys.addaudithook(self._note)
            self._is_set = True
        self.events.clear()
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False


class TooMuch(Exception):
    """More lines were run than a text of its length may cost."""


class Lines:
    """Counts the lines that are run, and stops whoever runs too many."""

    def __init__(self, most: int) -> None:
        """Begin with none."""
        self.most = most
        self.run = 0

    def __call__(self, _frame: FrameType, _event: str, _details: object) -> "Lines":
        """Count one."""
        self.run += 1
        if self.run > self.most:
            raise TooMuch
        return self


WATCH: Final = Watch()


def judge(source: str, around: dict[str, object], *, is_close: bool) -> tuple[str, str]:
    """Return what came of a text, and what is wrong with that: nothing, if all is well."""
    expression: Expression | None = None
    lines = Lines(LINES_FIRST + LINES_EACH * min(len(source), CHARACTERS_MAX))
    try:
        with WATCH.guard():
            sys.settrace(lines if is_close else None)
            try:
                expression = parse(source, GRAMMAR)
                outcome = evaluate(expression, around)
            finally:
                sys.settrace(None)
    except InvalidExpression as no:
        return "refused", "" if no.code and no.fix else "an error without code or fix"
    except TooMuch:
        return "endless", f"more than {lines.most:,} lines of work"
    except Exception as exc:  # noqa: BLE001  whatever it is, it is not what was promised
        return "broken", f"{type(exc).__name__} instead of an answer"
    return str(outcome), _wrong(expression, outcome, source, around, is_close=is_close)


def _wrong(
    found: Expression, outcome: object, source: str, around: object, *, is_close: bool
) -> str:
    """Say what is wrong with an answer."""
    if type(outcome) is not bool:
        return f"the answer is {type(outcome).__name__}, no truth"
    if WATCH.events:
        return f"it touched the world: {WATCH.events[0]}"
    if outcome is not second.answer(source, around, GRAMMAR.roots, GRAMMAR.default_root):
        return f"the answer is {outcome}, a second reader says otherwise"
    if is_close and nodes(found.root) > NODES_MAX:
        return f"it has more than {NODES_MAX:,} nodes"
    is_other = is_close and parse(str(found), GRAMMAR) != found
    return "written out and read again it is another one" if is_other else ""


def nodes(tree: object) -> int:
    """Count what a tree is made of, by its own rules and not by those of the parser."""
    if isinstance(tree, tuple):
        return sum(nodes(one) for one in tree)
    if not dataclasses.is_dataclass(tree):
        return int(isinstance(tree, str | int | float) and not isinstance(tree, bool))
    return 1 + sum(nodes(getattr(tree, field.name)) for field in dataclasses.fields(tree))


def run(leg: Leg) -> Tried:
    """Ask so many texts of as many scopes."""
    chance = Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    outcomes: Counter[str] = Counter()
    made: Counter[str] = Counter()
    findings: list[str] = []
    with planted(leg.bug), _no_collection():
        for number in range(leg.amount):
            (source, how), around = text(chance), scope(chance)
            outcome, wrong = judge(source, around, is_close=number % CLOSELY_EVERY == 0)
            outcomes[outcome] += 1
            made[how] += 1
            if wrong:
                findings.append(f"text {number}, {source[:200]!r}: {wrong}")
            if len(findings) >= FINDINGS_MAX:
                break
    return Tried({"expressions": outcomes.total(), **outcomes}, dict(made), findings)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep finalizers of others out of what is watched."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


# -- bugs --------------------------------------------------------------------------------------


def _is_same_slowly(value: object, literal: Any) -> bool:  # noqa: ANN401 (a node)
    found = False
    for _ in range(20_000):
        found = evaluating_is_same(value, literal)
    return found


def _look_anywhere(container: object, part: str | int) -> object:
    """Look a name up as an attribute where it is no key."""
    found = evaluating_look_in(container, part)
    if found is evaluating_missing and isinstance(part, str):
        return getattr(container, part, found)
    return found


def _number_of_truth(value: object) -> float | None:
    return value if type(value) is bool else evaluating_number(value)


def _descend_for_ever(self: Any, _depth: int) -> None:  # noqa: ANN401 (the parser)
    self._pass()


_module = sys.modules[evaluate.__module__]
_parser = sys.modules[parse.__module__]
evaluating_is_same = _module.__dict__["_is_same"]
evaluating_look_in = _module.__dict__["_look_in"]
evaluating_number = _module.__dict__["_number"]
evaluating_missing = _module.__dict__["_MISSING"]

BUGS: Final[dict[str, tuple[object, str, object]]] = {
    "an expression that loops": (_module, "_is_same", _is_same_slowly),
    "attributes of values reached": (_module, "_look_in", _look_anywhere),
    "a truth taken for a number": (_module, "_number", _number_of_truth),
    "expressions nested without limit": (
        _parser.__dict__["_Parser"],
        "_descend",
        _descend_for_ever,
    ),
}


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """Plant a bug for as long as this lasts; no name plants nothing."""
    with pytest.MonkeyPatch.context() as patch:
        if bug:
            patch.setattr(*BUGS[bug])
        yield


EXPRESSIONS: Final = Campaign(
    "fuzz-expressions", ("P26",), "expressions", SMALL, LONG, 250_000, run
)
