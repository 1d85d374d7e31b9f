"""Workflows by name, and the bounds a check can have; what is wrong is told with what is right."""

import pytest

from interlock.cli.bounds import ImpossibleBounds, UnknownWorkflow, bounded, find, from_bounds
from interlock.workflows.built_in import BUILT_IN
from tests.cli.terminal import ask, names

NONE_GIVEN = {"steps": None, "hops": None, "beads": None}


@pytest.mark.parametrize("name", names())
def test_a_workflow_is_found_by_its_name(name: str) -> None:
    assert find(name) is BUILT_IN[name]


@pytest.mark.parametrize(("wrong", "right"), [("misson", "mission"), ("tickets", "ticket")])
def test_an_unknown_workflow_is_answered_with_the_nearest_name(wrong: str, right: str) -> None:
    with pytest.raises(UnknownWorkflow) as caught:
        find(wrong)

    assert caught.value.message == f"There is no workflow {wrong!r}; did you mean {right!r}?"


def test_a_name_like_no_other_is_answered_with_all_names() -> None:
    with pytest.raises(UnknownWorkflow, match="known: mission, plan, ticket"):
        find("zzz")


@pytest.mark.parametrize("name", names())
def test_without_a_bound_the_usual_one_is_taken(name: str) -> None:
    assert from_bounds(BUILT_IN[name], NONE_GIVEN) == BUILT_IN[name].usual


def test_a_bound_that_was_given_is_taken() -> None:
    assert from_bounds(BUILT_IN["mission"], {**NONE_GIVEN, "hops": 1}) == 1


def test_a_bound_of_another_workflow_is_refused() -> None:
    with pytest.raises(ImpossibleBounds) as caught:
        from_bounds(BUILT_IN["plan"], {**NONE_GIVEN, "steps": 2, "hops": 1})

    assert (caught.value.message, caught.value.fix) == ("A plan has no hops.", "Use --steps.")


@pytest.mark.parametrize("name", names())
def test_a_bound_has_a_least_and_a_most(name: str) -> None:
    built = BUILT_IN[name]

    assert [bounded(built, size) for size in (1, built.most)] == [1, built.most]


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("size", ["0", "-1", "99"])
def test_an_impossible_bound_is_refused_with_the_possible_ones(name: str, size: str) -> None:
    built = BUILT_IN[name]
    said = ask("workflow", "check", name, f"--{built.bound}", size)

    assert (said.code, said.out) == (2, "")
    assert said.err == (
        f"IMPOSSIBLE_BOUNDS --{built.bound} {size} cannot be checked.\n"
        f"Use a number from 1 to {built.most}; {built.usual} is usual.\n"
    )


def test_a_letter_is_no_bound() -> None:
    said = ask("workflow", "check", "plan", "--steps", "x")

    assert (said.code, said.out) == (2, "")
    assert "'--steps'" in said.err
    assert "integer" in said.err


def test_hops_are_not_for_plans() -> None:
    said = ask("workflow", "check", "plan", "--hops", "1")

    assert said.code == 2
    assert said.err == "IMPOSSIBLE_BOUNDS A plan has no hops.\nUse --steps.\n"
