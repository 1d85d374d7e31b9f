"""Projects as both databases keep them: each change is of one version, and told as an act."""

from interlock.store.people import Act
from interlock.store.projects import ProjectRow
from tests.stage import AWAY, HOME, Stage, staged

SHOP = ProjectRow("project-1", "Shop", "/srv/shop", "main", '{"a":1}', 1, "pat", 5, 5)
MADE = Act("act-1", "user", "pat", "", "", "project_made", "project-1", "{}")
CHANGED = MADE._replace(id="act-2", act="project_changed")


@staged
async def test_a_project_is_kept_and_seen_by_its_tenant_alone(stage: Stage) -> None:
    projects = stage.engine.store.projects
    bank = SHOP._replace(id="project-0", name="Bank", created_at=9)
    await projects.add(HOME, SHOP, MADE)
    await projects.add(HOME, bank, MADE._replace(id="act-9"))

    assert await projects.find(HOME, "project-1") == SHOP
    assert await projects.all(HOME) == (SHOP, bank)
    assert await projects.find(AWAY, "project-1") is None
    assert await projects.all(AWAY) == ()


@staged
async def test_of_two_changes_of_one_version_the_second_finds_nothing(stage: Stage) -> None:
    store = stage.engine.store
    await store.projects.add(HOME, SHOP, MADE)
    after = SHOP._replace(name="Market", version=2, changed_at=7, archived_at=7)

    assert await store.projects.change(HOME, after, 1, CHANGED) is True
    late = after._replace(name="Late")
    assert await store.projects.change(HOME, late, 1, CHANGED._replace(id="act-3")) is False
    assert await store.projects.change(AWAY, late, 2, CHANGED._replace(id="act-4")) is False

    assert await store.projects.find(HOME, "project-1") == after
    acts = [one.act.act for one in await store.people.acts(HOME, None, 9)]
    assert sorted(acts) == ["project_changed", "project_made"]
