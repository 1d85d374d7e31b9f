"""The built-in workflows: three of them, each under its own name, each with bounds that work."""

import pytest

from interlock.kernel.check.scope import Scope
from interlock.workflows.built_in import BUILT_IN, WORKFLOWS


def test_there_are_three_in_the_order_in_which_they_are_shown() -> None:
    assert list(BUILT_IN) == ["plan", "mission", "ticket"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_workflow_is_listed_under_its_own_name(name: str) -> None:
    assert WORKFLOWS[name] is BUILT_IN[name].flow
    assert WORKFLOWS[name].name == name == WORKFLOWS[name].unit.name


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_bound_is_the_plural_of_a_kind_of_part(name: str) -> None:
    built = BUILT_IN[name]

    assert built.bound.removesuffix("s") in [part.name for part in built.flow.parts]
    assert 1 <= built.usual <= built.most


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_bound_makes_a_scope_of_the_workflow_that_says_it(name: str) -> None:
    built = BUILT_IN[name]
    scopes: list[Scope] = [built.scope(size) for size in range(1, built.most + 1)]

    assert [one.bounds[built.bound] for one in scopes] == list(range(1, built.most + 1))
    assert {one.flow.name for one in scopes} == {name}
    assert all(one.starts for one in scopes)


@pytest.mark.parametrize("name", BUILT_IN)
def test_exactly_one_end_is_a_success(name: str) -> None:
    ends = [status for status in WORKFLOWS[name].unit.statuses if status.is_success]

    assert [end.kind for end in ends] == ["terminal"]
