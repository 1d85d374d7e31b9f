"""Projects: people make and change them, agents do not; each change is told as an act."""

import asyncio

import pytest

from interlock.service import projects
from interlock.service.acts import list_acts
from interlock.service.errors import Conflict, InvalidInput, NotAllowed, NotFound
from interlock.service.projects import Place
from tests.stage import ADA, HOME, PAT, Stage, staged

SHOP = Place("Shop", "/srv/shop.git", "main")


@staged
async def test_a_person_makes_changes_and_archives_a_project(stage: Stage) -> None:
    engine = stage.engine
    made = await projects.create_project(engine, PAT, SHOP, {"a": 1})
    name = made.row.id
    changed = await projects.change_project(engine, PAT, name, {"name": "Market"}, {"b": 2})
    gone = await projects.archive_project(engine, PAT, name)
    again = await projects.archive_project(engine, PAT, name)

    assert (changed.row.name, changed.row.repository) == ("Market", "/srv/shop.git")
    assert changed.settings == {"a": 1, "b": 2}
    assert [made.row.version, changed.row.version, gone.row.version] == [1, 2, 3]
    assert again == gone
    assert await projects.list_projects(engine, HOME) == ()
    assert await projects.list_projects(engine, HOME, with_archived=True) == (gone,)
    acts = [one.act.act for one in await list_acts(engine, HOME, None, 9)]
    assert sorted(acts) == ["project_archived", "project_changed", "project_made"]


@staged
async def test_an_agent_changes_nothing(stage: Stage) -> None:
    made = await projects.create_project(stage.engine, PAT, SHOP, {})
    for change in (
        projects.create_project(stage.engine, ADA, SHOP, {}),
        projects.change_project(stage.engine, ADA, made.row.id, {"name": "x"}, {}),
        projects.archive_project(stage.engine, ADA, made.row.id),
    ):
        with pytest.raises(NotAllowed):
            await change
    assert await projects.list_projects(stage.engine, HOME) == (made,)


@staged
async def test_what_shows_a_secret_or_looks_like_an_option_is_no_repository(stage: Stage) -> None:
    for address in ("https://ada:hidden@host/shop.git", "--upload-pack=x", "/srv/a\nb"):
        with pytest.raises(InvalidInput) as no:
            await projects.create_project(stage.engine, PAT, Place("n", address, "main"), {})
        assert "hidden" not in no.value.message
    for address in ("https://ada@host/shop.git", "git@host:shop.git", "C:\\shop", "https://[x"):
        await projects.create_project(stage.engine, PAT, Place("n", address, "main"), {})


@staged
async def test_of_changes_that_come_at_once_none_is_lost(stage: Stage) -> None:
    made = await projects.create_project(stage.engine, PAT, SHOP, {})
    changes = [
        projects.change_project(stage.engine, PAT, made.row.id, {}, {f"n{n}": n}) for n in range(5)
    ]
    done = await asyncio.gather(*changes, return_exceptions=True)

    after = await projects.read_project(stage.engine, HOME, made.row.id)
    fine = [one for one in done if not isinstance(one, BaseException)]
    assert after.row.version == 1 + len(fine)
    assert len(after.settings) == len(fine) >= 1
    assert all(isinstance(one, Conflict) for one in done if isinstance(one, BaseException))


@staged
async def test_one_that_is_not_there_is_not_found(stage: Stage) -> None:
    with pytest.raises(NotFound):
        await projects.read_project(stage.engine, HOME, "project-000000000000")
