"""A board: how many units stand in each lane, and the last changed of them.

Which lane a unit stands in is said in ``kernel/lanes``; here units are counted and fetched by it.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from interlock.kernel.lanes import LANES, UNKNOWN, Lane, Standing, Tone
from interlock.service.cards import card_of, folded, titled
from interlock.service.engine import Engine
from interlock.store.board import Bare, Group, Tile, Wanted

FILL_MAX: Final = 500
"""How many units are given their cards at once."""


class Look(NamedTuple):
    """What of a board is asked for; empty means all. ``before`` is a place in one lane."""

    workflow: str = ""
    text: str = ""
    tag: str = ""
    lane: Lane | None = None
    before: tuple[int, str] | None = None
    limit: int = 30


class Shown(NamedTuple):
    """A unit on the board: what it is called, and how its status is shown."""

    tile: Tile
    name: str
    tone: Tone


class Column(NamedTuple):
    """A lane with how many units stand in it, and some of them."""

    lane: Lane
    total: int
    units: tuple[Shown, ...]
    has_more: bool


class Amount(NamedTuple):
    """How many units of a workflow a board has."""

    workflow: str
    open: int
    all: int


class Board(NamedTuple):
    """What was asked for of a board; workflows are told as if none had been chosen."""

    columns: tuple[Column, ...]
    workflows: tuple[Amount, ...]


async def read_board(engine: Engine, tenant: str, look: Look) -> Board:
    """Read the board of a tenant."""
    if look.text:
        await _fill(engine, tenant)
    wanted = Wanted(folded(look.text), look.tag)
    counts = await engine.store.board.counts(tenant, wanted)
    lanes: dict[Lane, list[Group]] = {lane: [] for lane in LANES}
    for group in counts:
        if look.workflow in ("", group.workflow):
            lanes[_lane(engine, group)].append(group)
    columns = []
    for lane in LANES if look.lane is None else (look.lane,):
        groups = lanes[lane]
        tiles: tuple[Tile, ...] = ()
        if groups:
            found = engine.store.board.tiles
            tiles = await found(tenant, wanted, groups, look.before, look.limit + 1)
        shown = tuple(_shown(engine, tile) for tile in tiles[: look.limit])
        total = sum(counts[group] for group in groups)
        columns.append(Column(lane, total, shown, len(tiles) > look.limit))
    return Board(tuple(columns), _amounts(engine, counts))


def standing_of(engine: Engine, workflow: str, status: str) -> Standing:
    """Return where the units of a status stand; also of a workflow that is known no more."""
    running = engine.flows.get(workflow)
    return UNKNOWN if running is None else running.standings.get(status, UNKNOWN)


def _lane(engine: Engine, group: Group) -> Lane:
    standing = standing_of(engine, group.workflow, group.status)
    return standing.asked if group.is_asked else standing.calm


def _shown(engine: Engine, tile: Tile) -> Shown:
    name = titled(tile.fields or {}) if tile.name is None else tile.name
    tone = standing_of(engine, tile.workflow, tile.status).tone
    return Shown(tile, name, "trouble" if tile.held_at is not None else tone)


def _amounts(engine: Engine, counts: Mapping[Group, int]) -> tuple[Amount, ...]:
    names = dict.fromkeys([*engine.flows, *sorted(group.workflow for group in counts)])
    return tuple(
        Amount(
            name,
            sum(
                amount
                for group, amount in counts.items()
                if group.workflow == name and _lane(engine, group) != "done"
            ),
            sum(amount for group, amount in counts.items() if group.workflow == name),
        )
        for name in names
    )


def _held(engine: Engine, bare: Bare) -> str:
    running = engine.flows.get(bare.workflow)
    return "" if running is None else running.flow.held


async def _fill(engine: Engine, tenant: str) -> None:
    """Give units their cards that were made before there were any, so that they are found."""
    while bare := await engine.store.board.bare(tenant, FILL_MAX):
        now = engine.store.now()
        cards = {one.unit: card_of(_held(engine, one), one.unit, one.fields, now) for one in bare}
        await engine.store.board.fill(tenant, cards)
