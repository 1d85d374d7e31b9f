"""The shapes of the commands about projects: members, limits, and names that git can take."""

from typing import Any

import pytest
from pydantic import ValidationError

from interlock.wire.envelope import Asking
from interlock.wire.project import ArchiveProject, CreateProject, EditProject, Limits

ANN = {"name": "ann", "agent": "scripted"}
SHOP: dict[str, Any] = {"name": "Shop", "repository": "/srv/shop.git", "members": [ANN]}


def test_what_is_left_out_is_as_usual() -> None:
    made = CreateProject.model_validate(SHOP)

    assert (made.base_branch, made.members[0].model, made.prompts) == ("main", "", {})
    assert made.limits == Limits()
    assert (made.limits.quorum, made.limits.round_s, made.limits.structured_retries) == (
        None,
        1200,
        1,
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"members": []},
        {"members": [{**ANN, "name": f"m{n}"} for n in range(11)]},
        {"members": [{"name": "-rm", "agent": "scripted"}]},
        {"base_branch": "--force"},
        {"base_branch": "a b"},
        {"limits": {"quorum": 0}},
        {"limits": {"round_s": 3_601}},
        {"limits": {"speed": 1}},
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CreateProject.model_validate({**SHOP, **wrong})


def test_an_edit_names_only_what_changes_and_takes_no_request_id() -> None:
    edit = EditProject.model_validate({"project_id": "project-1", "name": "Market"})

    assert edit.model_dump(exclude_none=True) == {"project_id": "project-1", "name": "Market"}
    assert not any(issubclass(one, Asking) for one in (CreateProject, EditProject, ArchiveProject))
