"""The board over all workflows: what is to do, in progress, waits for you, and is done."""

from typing import Final

from interlock.commands.listing import place_of
from interlock.commands.row import AnyCommand, Call, Command, done
from interlock.service.board import Column, Look, Shown, read_board
from interlock.service.errors import InvalidInput
from interlock.service.order import Reply
from interlock.wire.board import GetBoard

TOOLSET: Final = "work"


async def get_board(call: Call, asked: GetBoard) -> Reply:
    """Tell how many units stand in each column, and the last changed of them."""
    lane = asked.column or None
    if asked.cursor is not None and lane is None:
        message = "A cursor is good for one column."
        raise InvalidInput(message, fix="Say which column it was given for.")
    before = place_of(asked.cursor)
    look = Look(asked.workflow, asked.q, asked.tag, lane, before, asked.limit)
    board = await read_board(call.engine, call.tenant, look)
    data: Reply = {"columns": [_column(one) for one in board.columns]}
    data["workflows"] = [
        {"name": one.workflow, "open": one.open, "all": one.all} for one in board.workflows
    ]
    return done(data)


def _column(column: Column) -> Reply:
    told: Reply = {"column": column.lane, "count": column.total}
    told["units"] = [_tile(one) for one in column.units]
    if column.has_more:
        last = column.units[-1].tile
        told["cursor"] = f"{last.changed_at}.{last.id}"
    return told


def _tile(shown: Shown) -> Reply:
    tile = shown.tile
    told: Reply = {
        "id": tile.id, "workflow": tile.workflow, "status": tile.status, "name": shown.name,
        "changed_at": tile.changed_at, "tally": tile.tally, "tags": tile.tags,
        "gates": tile.gates, "gate_since": tile.gate_since, "kind": shown.tone,
    }  # fmt: skip
    return told if tile.due is None else told | {"until": tile.due}


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("get_board", GetBoard, get_board, "read", TOOLSET,
            http="GET /board",
            doc="All work by where it stands: to do, in progress, waiting for a person, done."),
)
# fmt: on
