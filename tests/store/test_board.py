"""Boards as both databases keep them: a card for each unit, and no other tenant's."""

from interlock.store.board import Card, Group, Queue, Vitals, Wanted, WhichWork
from interlock.store.rows import part_id
from tests.stage import AWAY, HOME, PAT, Stage, staged

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


@staged
async def test_work_is_listed_with_who_holds_it_and_found_by_every_filter(stage: Stage) -> None:
    board = stage.engine.store.board
    plan = await stage.plan(3, tags=["red"], max_parallel_steps=2)
    ticket = await stage.ticket(tags=("blue",))
    step, _ = await stage.claim(plan)

    rows = await board.work(HOME, WhichWork(), None, 9)
    found = {part_id(row.unit, row.number): row for row in rows}

    assert set(found) == {step, f"{plan}.2", f"{plan}.3", f"{ticket}.1"}
    assert (found[step].holder, found[f"{plan}.2"].holder) == ("ada", None)
    assert found[step].due is not None
    assert (found[f"{ticket}.1"].role, found[f"{ticket}.1"].workflow) == ("workspace", "ticket")
    for which, amount in (
        (WhichWork(unit=plan), 3), (WhichWork(workflow="ticket"), 1), (WhichWork(kind="step"), 3),
        (WhichWork(role="workspace"), 1), (WhichWork(member="ann"), 0), (WhichWork(tag="red"), 3),
        (WhichWork(tag="blue", kind="step"), 0),
    ):  # fmt: skip
        assert len(await board.work(HOME, which, None, 9)) == amount, which
    assert await board.work(AWAY, WhichWork(), None, 9) == ()


@staged
async def test_work_goes_on_from_a_place_and_ends_with_its_unit(stage: Stage) -> None:
    board = stage.engine.store.board
    plan = await stage.plan(3, max_parallel_steps=3)
    rows = await board.work(HOME, WhichWork(), None, 9)

    first, *rest = rows
    place = (first.since, first.unit, first.number)
    assert await board.work(HOME, WhichWork(), place, 9) == tuple(rest)
    assert await board.work(HOME, WhichWork(), None, 1) == (first,)
    step, _ = await stage.claim(plan)
    await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
    assert step == f"{plan}.1"
    assert await board.work(HOME, WhichWork(), None, 9) == ()
