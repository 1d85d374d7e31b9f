"""A name that could be no plan's or no step's is refused before a store is asked."""

import pytest

from interlock.commands.names import is_plan, is_step
from interlock.service.errors import NotFound


def test_names_of_plans_and_steps_pass() -> None:
    is_plan("plan-0123456789ab")
    is_step("plan-0123456789ab.1")


@pytest.mark.parametrize("name", ["plan-1.1", "ticket-1", "", "plan"])
def test_what_is_no_plan_is_not_there(name: str) -> None:
    with pytest.raises(NotFound):
        is_plan(name)


@pytest.mark.parametrize("name", ["plan-1", "ticket-1.1", "", ".1"])
def test_what_is_no_step_is_not_there(name: str) -> None:
    with pytest.raises(NotFound):
        is_step(name)
