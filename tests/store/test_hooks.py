"""Hooks and deliveries as both databases keep them: one position, one delivery, one attempt."""

from interlock.store.hooks import DueDelivery, Ended, HookRow, NewDelivery, WhichDeliveries
from interlock.store.people import Act
from tests.stage import AWAY, HOME, Stage, staged

ACT = Act("act-1", "user", "pat", "", "", "webhook_made", "hook-1", "{}")
ROW = HookRow("hook-1", "https://a.example/", "finished", "", "pat", 1)
NEW = NewDelivery("delivery-1", "finished", "u:1", "{}")
DUE = DueDelivery(HOME, "delivery-1")


def ended(status: str, at: int, error: str = "") -> Ended:
    return Ended(status, None, error, 1_000, at, 0, "why")


async def made(stage: Stage) -> HookRow:
    hooks = stage.engine.store.hooks
    await hooks.add(HOME, ROW, "s", ACT)
    found = await hooks.find(HOME, "hook-1")
    assert found is not None
    assert await hooks.add_deliveries(HOME, found, "p2", stage.engine.store.now(), (NEW,))
    return found


@staged
async def test_a_piece_of_the_feed_is_told_once(stage: Stage) -> None:
    hooks, now = stage.engine.store.hooks, stage.engine.store.now()
    before = await made(stage)
    other = NEW._replace(id="delivery-2")

    assert not await hooks.add_deliveries(HOME, before, "p3", now, (other,))
    moved = before._replace(position="p2")
    assert await hooks.find(HOME, "hook-1") == moved
    assert await hooks.add_deliveries(HOME, moved, "p3", now, (other,))
    rows = await hooks.deliveries(HOME, WhichDeliveries(), None, 9)
    assert [row.id for row in rows] == ["delivery-1"]


@staged
async def test_an_attempt_is_one_s_own_until_its_time_is_over(stage: Stage) -> None:
    hooks, now = stage.engine.store.hooks, stage.engine.store.now()
    await made(stage)
    assert await hooks.due(9) == (DUE,)
    assert await hooks.take(DUE, 60_000) == 1
    assert await hooks.take(DUE, 60_000) is None
    assert await hooks.due(9) == ()
    assert not await hooks.end(DUE, 2, ended("delivered", now))
    assert await hooks.end(DUE, 1, ended("delivered", now))
    assert not await hooks.end(DUE, 1, ended("failed", now))
    (row,) = await hooks.deliveries(HOME, WhichDeliveries(status="delivered"), None, 9)
    assert row.delivered_at == now


@staged
async def test_a_hook_remembers_since_when_it_fails_and_a_success_mends_it(stage: Stage) -> None:
    hooks, now = stage.engine.store.hooks, stage.engine.store.now()
    await made(stage)
    assert await hooks.take(DUE, 0) == 1
    await hooks.end(DUE, 1, ended("pending", now, "no"))
    found = await hooks.find(HOME, "hook-1")
    assert found is not None
    assert (found.failing_since, found.disabled_at) == (now, None)
    await hooks.replay(HOME, "delivery-1")
    assert await hooks.take(DUE, 0) == 1
    await hooks.end(DUE, 1, ended("delivered", now))
    mended = await hooks.find(HOME, "hook-1")
    assert mended is not None
    assert mended.failing_since is None


@staged
async def test_another_tenant_sees_and_changes_nothing(stage: Stage) -> None:
    hooks, now = stage.engine.store.hooks, stage.engine.store.now()
    await made(stage)

    assert await hooks.find(AWAY, "hook-1") is None
    assert await hooks.all(AWAY) == ()
    assert await hooks.secret(AWAY, "hook-1") is None
    assert await hooks.deliveries(AWAY, WhichDeliveries(), None, 9) == ()
    assert not await hooks.switch(AWAY, "hook-1", now, "why", now, ACT)
    assert not await hooks.remove(AWAY, "hook-1", now, ACT)
    assert not await hooks.replay(AWAY, "delivery-1")
    assert await hooks.take(DueDelivery(AWAY, "delivery-1"), 1) is None
    assert (await hooks.secret(HOME, "hook-1"), await hooks.on()) == (
        "s",
        (DueDelivery(HOME, "hook-1"),),
    )


@staged
async def test_the_key_of_links_is_made_once_and_replaced_on_purpose(stage: Stage) -> None:
    hooks = stage.engine.store.hooks

    assert await hooks.link_key(HOME, "", 1) == ""
    assert await hooks.link_key(HOME, "one", 1) == "one"
    assert await hooks.link_key(HOME, "two", 1) == "one"
    assert await hooks.link_key(HOME, "", 1) == "one"
    assert await hooks.link_key(HOME, "two", 1, is_other=True, act=ACT) == "two"
    assert await hooks.link_key(AWAY, "", 1) == ""
    assert await hooks.link_key("nobody", "", 1) == ""
