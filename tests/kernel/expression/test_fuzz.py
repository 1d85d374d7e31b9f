"""Whatever is thrown at the language, it answers or refuses: quickly, and without a side effect.

50,000 texts by default; INTERLOCK_FUZZ_EXPRESSIONS and INTERLOCK_FUZZ_SEED ask for more or others.
Every failure names the seed and the text.
"""

import gc
import math
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from interlock.kernel.expression import Expression, InvalidExpression, evaluate, parse
from tests.kernel.expression.language import GRAMMAR
from tests.kernel.expression.traps import ODD

COUNT = int(os.environ.get("INTERLOCK_FUZZ_EXPRESSIONS", "50000"))
SEED = int(os.environ.get("INTERLOCK_FUZZ_SEED", "20260"))
MEASUREMENTS = 5

VALID = (
    'confidence >= 0.8 && result.quality === "high"',
    'step.type in ["search", "extract"] || !(plan.depth > 2)',
    "exists(hits[0].score) && hits[0].score > -1.5e3",
    "!(a === null || b !== true) && !exists(c) && !!exists(d.e.f[12])",
    "((a > 1) && (b < 2 || c >= 3)) || d <= 4",
    "text === 'it\\'s \\u00e9 \\n' && decision !== \"reject\"",
    "odd === 1 || odd > 1 || odd in [1, 'yes', null] || exists(odd.a[0])",
)
WORDS = (
    "===", "!==", ">=", "<=", ">", "<", "&&", "||", "!", "(", ")", "[", "]", ",", ".", "in", "exists",
    "true", "false", "null", "==", "=", "&", "|", "and", "not", "NaN", "a", "b", "hits", "odd", "result",
    "confidence", "step", "plan", "decision", "__class__", "0", "1", "-1", "2.5", "1e5", "1e999", "00",
    "9" * 400, "'x'", '"y"', "'", '"', "\\", "\\u", "\x00", "\ud800", "\u00e9", "\n", " ",
)  # fmt: skip
ALPHABET = "ab01.,-+eE\"'\\()[]!=<>&|_ \t\n\x00\xa0\u00e9\ud800\U0001f600nutrx"
WORST = (
    "||".join(["a>1"] * 400),
    "a in [" + "1," * 996 + "1]",
    "a" + ".a" * 990 + ">1",
    "a" + "[0]" * 660 + ">1",
    "||".join(["(" * 32 + "a>1" + ")" * 32] * 28),
    "||".join(["!" * 32 + "exists(a)"] * 46),
    'a==="' + "\\u0041" * 330 + '"',
    "a>" + "1" * 1_990,
    "a>0." + "1" * 1_990,
    "a==='" + "x" * 1_990,
    "!" * 2_000,
    "(" * 2_000,
    " " * 2_000,
    "x" * 3_000_000,
)
SCOPES: tuple[dict[str, object], ...] = (
    {},
    {"result": {"a": 2, "b": 1, "c": 3, "d": {"e": {"f": [0] * 13}}, "text": "it's \u00e9 \n"}},
    {"result": {"a": None, "b": True, "hits": [{"score": 0.5}], "odd": math.nan}, "confidence": 1},
    {"result": [[[]]], "confidence": 10**5_000, "step": {"type": "search"}, "plan": {"depth": 3}},
    {"result": {"a": "x" * 1_000_000, "b": list(range(1_000))}, "decision": "modify"},
    *(
        {"result": {"odd": odd, "a": [odd], "b": {"a": odd}}, "confidence": odd}
        for odd in ODD.values()
    ),
)


class Watch:
    """Notes what Python's audit hook reports while it is on. A hook can never be taken away."""

    def __init__(self) -> None:
        self.is_on = False
        self.events: list[str] = []
        sys.addaudithook(self._note)

    def _note(self, event: str, _details: tuple[object, ...]) -> None:
        if self.is_on:
            self.events.append(event)

    @contextmanager
    def guard(self) -> Iterator[None]:
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False


@pytest.fixture(scope="module")
def hook() -> Watch:
    return Watch()


@pytest.fixture
def watch(hook: Watch) -> Watch:
    hook.events.clear()
    return hook


@pytest.fixture(autouse=True)
def no_collection() -> Iterator[None]:
    """Keep other tests' finalizers out of the guarded and measured region."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def texts(chance: random.Random) -> Iterator[str]:
    makers = (random_characters, token_soup, mutated, mutated, chained)
    while True:
        yield chance.choice(makers)(chance)


def random_characters(chance: random.Random) -> str:
    if chance.random() < 0.2:
        return "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randrange(20)))
    return "".join(chance.choices(ALPHABET, k=chance.randrange(40)))


def token_soup(chance: random.Random) -> str:
    return chance.choice(["", " "]).join(chance.choices(WORDS, k=chance.randrange(1, 16)))


def mutated(chance: random.Random) -> str:
    text = chance.choice(VALID)
    for _ in range(chance.randrange(4)):
        start = chance.randrange(len(text) + 1)
        end = start + chance.randrange(4)
        text = text[:start] + chance.choice(["", *WORDS, text[start:end] * 2]) + text[end:]
    return text


def chained(chance: random.Random) -> str:
    """Join valid expressions and mutants, now and then to the limit of length and beyond."""
    length = chance.choice([2, 2, 2, 3, 3, 5, 60]) if chance.random() < 0.5 else 2
    terms = [chance.choice([*VALID, f"({chance.choice(VALID)})"]) for _ in range(length)]
    return chance.choice(["||", " && "]).join(terms)


Ask = Callable[[Expression, dict[str, object]], bool]


def run(
    text: str, scope: dict[str, object], watch: Watch, ask: Ask = evaluate
) -> tuple[str, Expression | None, float]:
    """Return what came of it, the expression if there is one, and the CPU seconds it took."""
    expression = None
    with watch.guard():
        start = time.thread_time()
        try:
            expression = parse(text, GRAMMAR)
            outcome = str(ask(expression, scope))
        except InvalidExpression:
            outcome = "refused"
        spent_s = time.thread_time() - start
    return outcome, expression, spent_s


def limit_s() -> float:
    """Return what is promised, or ten times that where a tracer (coverage) slows every line."""
    return 0.010 if sys.gettrace() is None else 0.100


def is_fast(text: str, scope: dict[str, object], watch: Watch, ask: Ask) -> bool:
    """Measure again: a busy machine may be slow once, but not every time."""
    return any(run(text, scope, watch, ask)[2] < limit_s() for _ in range(MEASUREMENTS))


def check(text: str, scope: dict[str, object], watch: Watch, ask: Ask = evaluate) -> str:
    outcome, expression, spent_s = run(text, scope, watch, ask)
    assert spent_s < limit_s() or is_fast(text, scope, watch, ask), "too slow"
    assert not watch.events, "touched the world"
    if expression is not None:
        assert parse(str(expression), GRAMMAR) == expression
    return outcome


def test_any_text_is_answered_or_refused_in_time_and_touches_nothing(watch: Watch) -> None:
    chance = random.Random(SEED)  # noqa: S311 - repeatable, not secret
    outcomes: Counter[str] = Counter()
    for number, text in zip(range(COUNT), texts(chance), strict=False):
        try:
            outcomes[check(text, SCOPES[number % len(SCOPES)], watch)] += 1
        except BaseException as error:
            error.add_note(f"seed {SEED}, text {number}: {text!r}, scope {number % len(SCOPES)}")
            raise

    # A campaign that only ever sees refusals, or only answers, would prove nothing.
    assert outcomes.total() == COUNT
    assert min(outcomes[kind] for kind in ("True", "False", "refused")) > COUNT // 20


@pytest.mark.parametrize("text", WORST, ids=lambda text: text[:12].strip())
def test_the_worst_texts_we_know_stay_under_ten_milliseconds(text: str, watch: Watch) -> None:
    for scope in SCOPES[:5]:
        check(text, scope, watch)


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
def test_the_watch_would_notice_a_file_an_import_or_code_made_of_text(
    watch: Watch, act: Callable[[], None], event: str
) -> None:
    def planted(expression: Expression, scope: dict[str, object]) -> bool:
        act()
        return evaluate(expression, scope)

    with pytest.raises(AssertionError, match="touched the world"):
        check("a > 1", {}, watch, planted)

    assert event in watch.events


def test_the_clock_would_notice_a_slow_answer(watch: Watch) -> None:
    def planted(expression: Expression, scope: dict[str, object]) -> bool:
        until = time.thread_time() + limit_s()
        while time.thread_time() < until:
            pass
        return evaluate(expression, scope)

    with pytest.raises(AssertionError, match="too slow"):
        check("a > 1", {}, watch, planted)
