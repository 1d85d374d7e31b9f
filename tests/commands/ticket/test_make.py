"""Begin a ticket, change it, start it: what the start locks, and who may do it."""

from typing import Any

from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import NAMES, new_project, phase_of, project, status_of, ticket


@staged
async def test_a_start_locks_what_the_project_was_set_to(stage: Stage) -> None:
    name = await project(stage, limits={"quorum": 3, "structured_retries": 4})
    told = {"project_id": name, "title": "Sell apples"}
    first = str((await stage.call("create_ticket", ADA, **told)).data["ticket_id"])
    await stage.call("start", PAT, ticket_id=first)
    await stage.call("edit_project", PAT, project_id=name, base_branch="next", limits={"quorum": 1})

    fields = (await stage.whole(first)).row.unit.fields

    config: Any = fields["config"]
    assert (fields["members"], fields["quorum"], fields["structured_retries"]) == (3, 3, 4)
    assert fields["roster"] == NAMES
    assert (config["base_branch"], config["project_version"]) == ("main", 1)


@staged
async def test_what_a_ticket_says_is_changed_until_it_is_started(stage: Stage) -> None:
    name = await ticket(stage)
    other = await project(stage, ("eve",))
    await stage.call("edit_ticket", ADA, ticket_id=name, title="Sell pears", project_id=other)
    assert (await stage.refused("edit_ticket", ADA, ticket_id=name)).code == "INVALID_INPUT"
    await stage.call("start", PAT, ticket_id=name)

    told = await status_of(stage, name)
    no = await stage.refused("edit_ticket", ADA, ticket_id=name, title="Sell plums")

    assert (told["title"], told["council"]["members"]) == ("Sell pears", ["eve"])
    assert no.code == "LOCKED"
    assert (await stage.refused("start", PAT, ticket_id=name)).code == "ALREADY_OFFERED"


@staged
async def test_an_agent_starts_only_where_the_policy_lets_it_relay(stage: Stage) -> None:
    name = await project(stage)
    tickets = [
        (await stage.call("create_ticket", ADA, project_id=name, title="t", policy=policy)).data[
            "ticket_id"
        ]
        for policy in ("human", "relay")
    ]

    assert (await stage.refused("start", ADA, ticket_id=tickets[0])).code == "HUMAN_REQUIRED"
    assert (await stage.refused("cancel", ADA, id=tickets[1], reason="r")).code == "NOT_ALLOWED"
    await stage.call("start", ADA, ticket_id=tickets[1])


@staged
async def test_a_ticket_is_not_moved_to_a_project_that_is_archived(stage: Stage) -> None:
    name = await ticket(stage)
    gone = str((await stage.call("create_project", PAT, **new_project())).data["project_id"])
    await stage.call("archive_project", PAT, project_id=gone)

    no = await stage.refused("edit_ticket", ADA, ticket_id=name, project_id=gone)

    assert "archived" in no.message
    assert await phase_of(stage, name) == "DRAFT"
