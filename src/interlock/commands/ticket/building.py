"""What is told with work of execution beside its prompt: the tree, the attempt, what it needs."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, cast

from interlock.commands.ticket.desk import Desk
from interlock.service.order import Reply
from interlock.ticketing.checked import Json, rows, text, texts
from interlock.ticketing.execution import setup_plan


async def told_of(desk: Desk) -> Reply:
    """Tell what every task of execution is told, and what its own needs."""
    fields = desk.fields
    tree = {"candidate": "", **desk.tree}
    told: Reply = {
        "title": fields["name"], "site": desk.part.part.fields["site"], "tree": tree,
        "number": desk.attempt, "tries_max": fields["tries_max"],
    }  # fmt: skip
    more = MORE.get(desk.task.task)
    return told if more is None else told | await more(desk)


async def _check(desk: Desk) -> Reply:
    members = (text(one, "agent") for one in rows(desk.config, "members"))
    return {"members": list(dict.fromkeys(members))}


async def _prepare(desk: Desk) -> Reply:
    return {"plan": await desk.document(setup_plan.NAME)}


async def _code(desk: Desk) -> Reply:
    row = await desk.bead()
    bead: Reply = {name: text(row, name) for name in ("id", "title")}
    bead |= {name: texts(row, name) for name in ("test_commands", "target_files")}
    green = await desk.green()
    return {"bead": bead, "finalise": None if green is None else {"tree": green["tree"]}}


async def _publish(desk: Desk) -> Reply:
    return {"candidate": desk.tree.get("candidate", "")}


async def _merge(desk: Desk) -> Reply:
    return {"pull_request": dict(cast("Json", desk.fields["pull_request"] or {}))}


async def _restore(desk: Desk) -> Reply:
    green = await desk.green()
    return {"finalise": None if green is None else dict(green)}


MORE: Final[Mapping[str, Callable[[Desk], Awaitable[Reply]]]] = {
    "check": _check,
    "prepare": _prepare,
    "code": _code,
    "publish": _publish,
    "merge": _merge,
    "restore": _restore,
}
"""What tasks are told that others are not."""
