"""A board: exact counts, the last changed first, and everything that asks for somebody."""

from dataclasses import replace

from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot, new_part
from interlock.service.board import Board, Look, read_board
from interlock.service.delete import delete
from interlock.service.order import Asked, Order
from interlock.service.roles import OWNER
from interlock.service.run import advance
from tests.commands.test_gates import ask
from tests.conformance.planting import Planting
from tests.stage import AWAY, EVE, HOME, PAT, Stage, staged

ALL = Look()


async def lanes(stage: Stage, look: Look = ALL, tenant: str = HOME) -> dict[str, list[str]]:
    """Return the ids in each lane, after checking that there are as many as it says."""
    board = await read_board(stage.engine, tenant, look)
    for column in board.columns:
        assert column.total == len(column.units) or column.has_more
    return ids(board)


def ids(board: Board) -> dict[str, list[str]]:
    return {one.lane: [shown.tile.id for shown in one.units] for one in board.columns}


async def planted(stage: Stage, unit: str, status: str, *parts: str, **fields: object) -> str:
    """Let a mission stand as it is told, with its hops."""
    running = stage.engine.flows["mission"]
    flow = running.flow
    told = Unit(status, {**flow.defaults(), **fields})
    made = (new_part(flow, "hop") for _ in parts)
    hops = tuple(
        Part(one.kind, where, one.fields, one.parent, one.needs)
        for one, where in zip(made, parts, strict=True)
    )
    names = tuple(f"{unit}.{number}" for number in range(1, len(parts) + 1))
    snapshot = Snapshot(told, hops, names)
    planting = Planting(running, unit, snapshot, stage.engine.store.now())
    await stage.engine.store.run(HOME, lambda: planting.script(HOME))
    return unit


@staged
async def test_a_unit_stands_in_the_lane_of_its_status(stage: Stage) -> None:
    new = await stage.plan(1)
    busy = await stage.plan(1)
    await stage.claim(busy)
    over = await stage.plan(1)
    await stage.call("fail_plan", PAT, plan_id=over, reason="enough")

    assert await lanes(stage) == {"todo": [new], "doing": [busy], "needs_you": [], "done": [over]}
    assert await lanes(stage, tenant=AWAY) == {"todo": [], "doing": [], "needs_you": [], "done": []}


@staged
async def test_an_open_gate_of_a_part_asks_for_somebody_until_it_is_decided(stage: Stage) -> None:
    plan = await stage.plan(2)
    gate = await ask(stage, plan)
    board = await read_board(stage.engine, HOME, Look())
    assert ids(board)["needs_you"] == [plan]
    (shown,) = board.columns[2].units
    assert (shown.tile.gates, shown.tile.gate_since) == (
        1,
        (await stage.whole(plan)).row.changed_at,
    )
    await stage.call("decide_gate", PAT, gate_id=gate["gate_id"], decision="approve")

    assert (await lanes(stage))["doing"] == [plan]


@staged
async def test_a_pending_proposal_needs_somebody_although_its_unit_goes_on(stage: Stage) -> None:
    unit = await planted(stage, "mission-1", "READY_FOR_NEXT_HOP", "PROPOSED")
    calm = await planted(stage, "mission-2", "READY_FOR_NEXT_HOP")

    assert await lanes(stage) == {"todo": [], "doing": [calm], "needs_you": [unit], "done": []}


@staged
async def test_what_is_held_needs_somebody_until_it_is_repaired(stage: Stage) -> None:
    hop = "mission-1.1"
    unit = await planted(
        stage, "mission-1", "BUILDING_HOP", "FAILED", held=True, current=hop, name="Find it"
    )
    board = await read_board(stage.engine, HOME, Look())
    assert ids(board)["needs_you"] == [unit]
    assert board.columns[2].units[0].tone == "trouble"
    sent = Asked("fix_hop", hop, args={"reason": "again"})
    await advance(stage.engine, Order(HOME, PAT.actor(), unit, (sent,), lambda _: {}))

    assert (await lanes(stage))["doing"] == [unit]


@staged
async def test_it_is_found_by_a_piece_of_its_name_or_id_and_nothing_in_it_is_a_pattern(
    stage: Stage,
) -> None:
    odd = await stage.plan(1, name="Über 100% of_it")
    other = await stage.plan(1, name="Another 100 of it")

    async def found(text: str) -> set[str]:
        return set((await lanes(stage, Look(text=text)))["todo"])

    assert await found("über 100%") == await found("ÜBER") == {odd}
    assert await found("0% of_") == {odd}
    assert await found("%") == await found("_") == {odd}
    assert await found("100") == {odd, other}
    assert await found(other[-6:].upper()) == {other}
    assert await found("nothing of the kind") == set()
    await stage.call("modify_plan", PAT, plan_id=odd, action="update_plan", name="Plain",
                     modification_rationale="m")  # fmt: skip
    assert await found("über") == set()
    assert await found("plain") == {odd}


@staged
async def test_units_from_before_there_were_cards_are_shown_and_found(stage: Stage) -> None:
    plan = await stage.plan(1, name="An Old One")
    await stage.plan(1, name="A new one")
    await stage.sql(f"DELETE FROM cards WHERE unit = '{plan}'")  # noqa: S608  our own words
    board = await read_board(stage.engine, HOME, Look())
    assert {shown.name for shown in board.columns[0].units} == {"An Old One", "A new one"}

    assert (await lanes(stage, Look(text="old one")))["todo"] == [plan]
    assert await stage.engine.store.board.bare(HOME, 9) == ()


@staged
async def test_lanes_go_on_where_they_were_left_and_counts_stay_whole(stage: Stage) -> None:
    plans: list[str] = []
    for _ in range(5):
        stage.clock.pass_ms(1_000)
        plans.append(await stage.plan(1, tags=["red"] if len(plans) % 2 else ["blue"]))
    newest = list(reversed(plans))
    first = await read_board(stage.engine, HOME, Look(lane="todo", limit=2))
    (column,) = first.columns
    last = column.units[-1].tile
    place = (last.changed_at, last.id)
    rest = await read_board(stage.engine, HOME, Look(lane="todo", before=place, limit=3))

    told = [shown.tile for shown in (*column.units, *rest.columns[0].units)]
    assert sorted(one.id for one in told) == sorted(newest)
    assert [(one.changed_at, one.id) for one in told] == sorted(
        ((one.changed_at, one.id) for one in told), reverse=True
    )
    assert (column.total, column.has_more) == (5, True)
    assert (rest.columns[0].total, rest.columns[0].has_more) == (5, False)
    red = await read_board(stage.engine, HOME, Look(tag="red"))
    assert (red.columns[0].total, set(ids(red)["todo"])) == (2, {plans[1], plans[3]})
    assert red.columns[0].units[0].tile.tags == ("red",)


@staged
async def test_workflows_are_told_whichever_is_chosen(stage: Stage) -> None:
    plan = await stage.plan(1)
    over = await stage.plan(1)
    await stage.call("fail_plan", PAT, plan_id=over, reason="enough")
    ticket = await stage.ticket()
    await stage.plan(1, EVE)
    board = await read_board(stage.engine, HOME, Look(workflow="ticket"))

    assert [name for names in ids(board).values() for name in names] == [ticket]
    assert board.workflows == (("plan", 1, 2), ("mission", 0, 0), ("ticket", 1, 1))
    assert (await lanes(stage, Look(workflow="plan")))["todo"] == [plan]


@staged
async def test_what_was_deleted_is_on_no_board(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
    await delete(stage.engine, replace(PAT, role=OWNER), plan, {})

    assert await lanes(stage) == {"todo": [], "doing": [], "needs_you": [], "done": []}
    assert await lanes(stage, Look(text="plan")) == await lanes(stage)
    assert await stage.engine.store.board.bare(HOME, 9) == ()
