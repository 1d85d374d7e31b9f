"""The shapes of lists of plans."""

import pytest
from pydantic import ValidationError

from interlock.wire.plans import ListPlans, PlanFilter
from interlock.workflows.plan.machines import PLAN


def test_everything_has_a_default() -> None:
    asked = ListPlans.model_validate({})

    assert (asked.filter, asked.cursor, asked.limit) == (None, None, 50)


def test_a_filter_knows_every_status_there_is_and_no_other() -> None:
    for status in PLAN.names():
        PlanFilter.model_validate({"status": status})
    with pytest.raises(ValidationError):
        PlanFilter.model_validate({"status": "done"})


@pytest.mark.parametrize("limit", [0, 201, -1])
def test_a_page_has_1_to_200_plans(limit: int) -> None:
    with pytest.raises(ValidationError):
        ListPlans.model_validate({"limit": limit})
