"""Commands about logs: a worker tells what it does, and everybody can follow it."""

from typing import Final

from interlock.commands.row import AnyCommand, Call, Command, done
from interlock.commands.ticket import blind
from interlock.service.errors import NotFound
from interlock.service.logs import append_log as append
from interlock.service.logs import read_logs as read
from interlock.service.order import Reply
from interlock.store.logs import Line, WhichLines
from interlock.store.rows import part_id
from interlock.wire.logs import AppendLog, ReadLogs

TOOLSET: Final = "work"


async def append_log(call: Call, asked: AppendLog) -> Reply:
    """Keep lines about work that the caller holds."""
    lines = [Line(one.at, one.stream, one.text) for one in asked.lines]
    last = await append(call.engine, call.caller, asked.part_id, asked.lease, lines)
    return done({"part_id": asked.part_id, "last": last})


async def read_logs(call: Call, asked: ReadLogs) -> Reply:
    """List lines in their order."""
    if "." in asked.id:
        raise NotFound(asked.id)
    if await blind.is_blind(call.engine, call.caller, asked.id):
        missing = {"warnings": blind.warned(is_withheld=True)}
        return done({"lines": [], "last": asked.after, "is_whole": True}) | missing
    which = WhichLines(member=asked.member, after=asked.after)
    rows = await read(call.engine, call.tenant, asked.id, asked.part_id or "", which, asked.limit)
    lines: list[Reply] = [
        {
            "number": row.number, "part_id": part_id(asked.id, row.part), "member": row.member,
            "at": row.at, "stream": row.stream, "text": row.text,
        }
        for row in rows
    ]  # fmt: skip
    last = rows[-1].number if rows else asked.after
    return done({"lines": lines, "last": last, "is_whole": len(rows) < asked.limit})


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("append_log", AppendLog, append_log, "work", TOOLSET, adds_only=True,
            http="POST /parts/{part_id}/log",
            doc="Tell what you do with a piece of work you hold, line by line."),
    Command("read_logs", ReadLogs, read_logs, "read", TOOLSET, words="logs",
            http="GET /units/{id}/logs",
            doc="What workers have told about a unit, in its order, of one part or member."),
)
# fmt: on
