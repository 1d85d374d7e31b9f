"""The manifest, the campaigns and the tests agree: nothing is promised that nothing tries.

Tests are found in their files, not by running them: a name that the manifest has must be the name
of a test there.
"""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tests.torture.campaigns import CAMPAIGNS
from tools.promise_page import MANIFEST

TESTS: Final = Path(__file__).parents[1]
ALL: Final = [f"P{number}" for number in range(1, 31)]


@cache
def manifest() -> dict[str, Any]:
    """Return the manifest as it is written."""
    return tomllib.loads((TESTS.parent / MANIFEST).read_text(encoding="utf-8"))


@cache
def names_in(path: Path) -> frozenset[str]:
    """Return the names of the tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = (
        one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return frozenset(name for name in found if name.startswith("test_"))


def is_test(name: str) -> bool:
    """Say whether there is such a test."""
    place, _, function = name.partition("::")
    path = TESTS / place
    return path.name.startswith("test_") and path.is_file() and function in names_in(path)


def test_every_promise_is_there_in_its_order_and_says_something() -> None:
    promises = manifest()["promise"]

    assert list(promises) == ALL
    for promise in promises.values():
        assert set(promise) == {"title", "says", "campaigns", "tests"}
        assert promise["title"]
        assert promise["says"].endswith(".")


@pytest.mark.parametrize("name", ALL)
def test_every_promise_has_tests_and_all_of_them_exist(name: str) -> None:
    tests = manifest()["promise"][name]["tests"]

    assert tests
    assert tests == sorted(set(tests))
    assert [one for one in tests if not is_test(one)] == []


def test_a_test_that_is_not_there_is_noticed() -> None:
    here = "promises/test_manifest.py"

    assert is_test(f"{here}::test_a_test_that_is_not_there_is_noticed")
    assert not is_test(f"{here}::test_nobody_has_written")
    assert not is_test("promises/test_nothing.py::test_a_test_that_is_not_there_is_noticed")
    assert not is_test(f"{here}::manifest")


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_campaign_stands_at_the_promises_that_it_names_and_at_no_others(name: str) -> None:
    campaign = CAMPAIGNS[name]
    listed = [key for key, promise in manifest()["promise"].items() if name in promise["campaigns"]]

    assert campaign.promises
    assert sorted(campaign.promises) == sorted(listed)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_campaign_is_told_with_its_figures(name: str) -> None:
    campaign = CAMPAIGNS[name]
    told = manifest()["campaign"].get(name, {})

    assert (told.get("small"), told.get("long")) == (campaign.small, campaign.long), (
        f"tests/promises/manifest.toml needs [campaign.{name}] with says,"
        f" small = {campaign.small} and long = {campaign.long}"
    )
    assert told["says"]


def test_no_campaign_is_told_that_there_is_none_of() -> None:
    named = {one for promise in manifest()["promise"].values() for one in promise["campaigns"]}

    assert set(manifest()["campaign"]) == set(CAMPAIGNS)
    assert named == set(CAMPAIGNS)


def test_every_test_beside_this_one_is_at_a_promise() -> None:
    named = {one for promise in manifest()["promise"].values() for one in promise["tests"]}
    here = {
        f"promises/{path.name}::{test}"
        for path in Path(__file__).parent.glob("test_*.py")
        if path.name != Path(__file__).name
        for test in names_in(path)
        if not re.search("would_be_noticed|can_fail", test)
    }

    assert here <= named
