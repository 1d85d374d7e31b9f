"""Projects by command: members with names of their own, a quorum that can be met, prompts that fit."""

from typing import Any

import pytest

from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import new_project, project


@staged
async def test_a_project_is_told_with_its_council_and_its_limits(stage: Stage) -> None:
    made = await stage.call("create_project", PAT, **new_project(limits={"quorum": 2}))
    name = made.data["project_id"]

    found = await stage.call("get_project", ADA, project_id=name)
    listed = await stage.call("list_projects", ADA)

    limits: Any = found.data["limits"]
    assert found.data == made.data
    assert (limits["quorum"], limits["questions_max"], found.data["version"]) == (2, 50, 1)
    assert listed.data["projects"] == [found.data]


@pytest.mark.parametrize(
    "wrong",
    [
        {"members": [{"name": "ann", "agent": "a"}, {"name": "ann", "agent": "b"}]},
        {"limits": {"quorum": 4}},
        {"prompts": {"no such prompt": "x"}},
    ],
    ids=["twice", "quorum", "prompt"],
)
@staged
async def test_what_could_not_work_is_refused_when_made_and_when_changed(
    stage: Stage, wrong: dict[str, object]
) -> None:
    name = await project(stage)

    assert (await stage.refused("create_project", PAT, **{**new_project(), **wrong})).http == 422
    assert (await stage.refused("edit_project", PAT, project_id=name, **wrong)).http == 422
    assert (await stage.call("get_project", PAT, project_id=name)).data["version"] == 1


@staged
async def test_fewer_members_must_still_meet_the_quorum(stage: Stage) -> None:
    name = await project(stage, limits={"quorum": 2})
    told = {"project_id": name, "members": [{"name": "ann", "agent": "a"}]}

    assert "quorum is 2" in (await stage.refused("edit_project", PAT, **told)).message
    done = await stage.call("edit_project", PAT, **told, limits={"quorum": 1})
    assert done.data["version"] == 2


@staged
async def test_nothing_changed_and_agents_are_refused(stage: Stage) -> None:
    name = await project(stage)

    assert (await stage.refused("edit_project", PAT, project_id=name)).code == "INVALID_INPUT"
    no = await stage.refused("archive_project", ADA, project_id=name)
    assert (no.code, no.http) == ("NOT_ALLOWED", 403)


@staged
async def test_no_ticket_begins_in_an_archived_project(stage: Stage) -> None:
    name = await project(stage)
    await stage.call("archive_project", PAT, project_id=name)

    no = await stage.refused("create_ticket", PAT, project_id=name, title="t")

    assert "archived" in no.message
    assert (await stage.call("list_projects", PAT)).data["projects"] == []
    assert (await stage.call("get_project", PAT, project_id=name)).data["archived_at"]


@staged
async def test_what_members_are_told_can_be_read_ours_and_the_projects_own(stage: Stage) -> None:
    name = await project(stage)

    async def texts() -> dict[str, Any]:
        found: Any = (await stage.call("list_prompts", ADA, project_id=name)).data["prompts"]
        return {one["name"]: one for one in found}

    ours = await texts()
    assert {"scan", "interview_draft", "prd_vote", "beads_audit", "code"} <= set(ours)
    assert "{{context}}" in ours["scan"]["text"]
    await stage.call("edit_project", PAT, project_id=name, prompts={"scan": "Look. {{context}}"})
    own = await texts()

    assert (own["scan"]["text"], own["scan"]["version"]) == (
        "Look. {{context}}", ours["scan"]["version"] + "-project",
    )  # fmt: skip
    assert {key for key in ours if own[key] != ours[key]} == {"scan"}
