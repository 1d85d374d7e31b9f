"""The language as the plan workflow will use it, and trees of it at random. No tests here."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from interlock.kernel.expression import Expression, Grammar, parse
from interlock.kernel.expression.tree import (
    AllOf,
    AnyOf,
    Comparison,
    Exists,
    Kind,
    Literal,
    Membership,
    Negation,
    Node,
    Operator,
    Path,
)

ROOTS = frozenset({"result", "confidence", "result_summary", "step", "plan", "decision"})
GRAMMAR = Grammar(roots=ROOTS, default_root="result")

# On a busy machine one example may take long; how much work expressions cost is for tests/fuzz.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read(text: str) -> Expression:
    return parse(text, GRAMMAR)


def number(value: float) -> Literal:
    return Literal(value, Kind.NUMBER)


def text(value: str) -> Literal:
    return Literal(value, Kind.TEXT)


_NAMES = st.sampled_from(
    ["score", "state", "result", "plan", "in", "exists", "null", "true", "_x1", "größe"]
)
_PATHS = st.builds(
    Path,
    root=st.sampled_from(sorted(ROOTS)),
    parts=st.lists(_NAMES | st.integers(0, 10**20), max_size=4).map(tuple),
)
_NUMBERS = st.integers(-(10**308), 10**308) | st.floats(allow_nan=False, allow_infinity=False)
_LITERALS = st.one_of(
    _NUMBERS.map(number),
    st.text(max_size=12).map(text),  # without surrogates, which no literal can hold
    st.booleans().map(lambda value: Literal(value, Kind.TRUTH)),
    st.just(Literal(None, Kind.NULL)),
)
_LEAVES: st.SearchStrategy[Node] = st.one_of(
    st.builds(Comparison, _PATHS, st.sampled_from(Operator), _LITERALS),
    st.builds(Membership, _PATHS, st.lists(_LITERALS, max_size=4).map(tuple)),
    st.builds(Exists, _PATHS),
)


def _branches(terms: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    chains = st.lists(terms, min_size=2, max_size=4).map(tuple)
    return st.one_of(st.builds(Negation, terms), st.builds(AllOf, chains), st.builds(AnyOf, chains))


TREES = st.recursive(_LEAVES, _branches, max_leaves=12)
