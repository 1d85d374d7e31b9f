"""Boards as both databases keep them: a card for each unit, and no other tenant's."""

from interlock.store.board import Card, Group, Queue, Vitals, Wanted
from tests.stage import AWAY, HOME, Stage, staged

ANY = Wanted()


@staged
async def test_a_card_is_written_with_its_unit_and_counted_once(stage: Stage) -> None:
    board = stage.engine.store.board
    plan = await stage.plan(1)
    group = Group("plan", "planning", is_asked=False)

    assert await board.bare(HOME, 9) == ()
    assert await board.counts(HOME, ANY) == {group: 1}
    assert await board.counts(AWAY, ANY) == {}
    (tile,) = await board.tiles(HOME, ANY, [group], None, 9)
    assert (tile.id, tile.name, tile.held_at, tile.fields) == (plan, "A plan", None, None)
    assert await board.tiles(AWAY, ANY, [group], None, 9) == ()
    assert await board.tiles(HOME, ANY, [Group("plan", "planning", is_asked=True)], None, 9) == ()


@staged
async def test_a_card_that_is_missing_is_filled_in_once(stage: Stage) -> None:
    board = stage.engine.store.board
    plan = await stage.plan(1)
    await stage.sql("DELETE FROM cards")
    (bare,) = await board.bare(HOME, 9)
    assert (bare.unit, bare.workflow, bare.fields["name"]) == (plan, "plan", "A plan")
    assert await board.bare(AWAY, 9) == ()
    for name in ("first", "second"):
        await board.fill(HOME, {plan: Card(name, name, 5)})
    asked = Group("plan", "planning", is_asked=True)
    (tile,) = await board.tiles(HOME, Wanted("irs"), [asked], None, 9)

    assert (tile.name, tile.held_at) == ("first", 5)


@staged
async def test_what_waits_and_what_is_held_is_counted_for_one_tenant(stage: Stage) -> None:
    board = stage.engine.store.board
    assert await board.vitals(HOME) == Vitals((), (), 0, 0)
    plan = await stage.plan(3, max_parallel_steps=3)
    await stage.claim(plan)

    assert await board.vitals(HOME) == Vitals((Queue("plan", "step", 2),), (), 1, 0)
    assert await board.vitals(AWAY) == Vitals((), (), 0, 0)
