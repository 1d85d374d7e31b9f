"""The manifests and the tests agree: no promise without a test, no test without its promise.

``promises.toml`` of each spec says in a few words what it promises, row by row and rule by rule,
and which tests show each. What is compared is what pytest really collects.
"""

import tomllib
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
SECTIONS: Final = {
    "research": frozenset({
        "audit", "branch", "command", "decision", "deviation", "invariant", "lease", "machine",
        "modify", "order", "policy", "progress", "refusal", "request", "review", "rule", "session",
        "skill", "stall", "vector", "walk",
    }),
    "mission": frozenset({
        "mission", "hop", "pair", "cascade", "failure", "step", "asset", "mapping", "chain",
        "command", "policy", "reason", "audit",
    }),
    "ticket": frozenset({"inventory", "transition", "building", "trouble", "editing"}),
}  # fmt: skip
"""Each spec, and the sections of it that promise something."""

Shown = dict[str, set[str]]
"""Which tests show a promise, by its id."""


class Collected:
    """A plugin that keeps what pytest has collected."""

    def __init__(self) -> None:
        self.items: list[pytest.Item] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the items."""
        self.items = list(items)


@pytest.fixture(scope="module", params=SECTIONS)
def spec(request: pytest.FixtureRequest) -> str:
    """Name each spec in turn."""
    return str(request.param)


@pytest.fixture(scope="module")
def tests(spec: str) -> Shown:
    """Return the promises of each test of a spec, as they were collected."""
    kept = Collected()
    words = ["--collect-only", "-q", "-n0", "-p", "no:randomly", "-p", "no:cacheprovider", "-o",
             "addopts=--import-mode=importlib", str(HERE / spec)]  # fmt: skip
    assert pytest.main(words, plugins=[kept]) == pytest.ExitCode.OK
    found: Shown = {}
    for item in kept.items:
        name = f"{item.path.stem}::{item.name.partition('[')[0]}"
        marked = [str(one) for mark in item.iter_markers("promise") for one in mark.args]
        found.setdefault(name, set()).update(marked)
    return found


def promises(spec: str) -> Shown:
    """Return the tests of each promise, as the manifest of a spec has them."""
    read = tomllib.loads((HERE / spec / "promises.toml").read_text(encoding="utf-8"))
    found: Shown = {}
    for section, rows in read.items():
        for name, row in rows.items():
            assert row["says"], name
            assert set(row) == {"says", "tests"}, name
            found[f"{section}.{name}"] = set(row["tests"])
    return found


def test_every_promise_names_tests_that_were_collected(spec: str, tests: Shown) -> None:
    for promise, named in promises(spec).items():
        assert named, promise
        assert named <= set(tests), promise
        for test in named:
            assert promise in tests[test], f"{test} does not say that it shows {promise}"


def test_every_test_names_promises_that_name_it(spec: str, tests: Shown) -> None:
    known = promises(spec)
    for test, named in tests.items():
        assert named, f"{test} shows no promise"
        for promise in named:
            assert promise in known, f"{test} shows {promise}, which the manifest does not have"
            assert test in known[promise], f"{promise} does not name {test}"


def test_the_manifest_has_every_section_of_the_spec(spec: str) -> None:
    assert {promise.partition(".")[0] for promise in promises(spec)} == SECTIONS[spec]
