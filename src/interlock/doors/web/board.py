"""The board: all work by where it stands, of one workflow or of all, filtered and searched."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.chips import Chip, chip
from interlock.doors.web.guest import Guest, Rows, behind_login, rows
from interlock.kernel.workflow import Workflow
from interlock.service.engine import Engine
from interlock.service.errors import NotFound

TITLES: Final = {
    "todo": "To do",
    "doing": "In progress",
    "needs_you": "Needs you",
    "done": "Done",
}
EMPTY: Final = {
    "todo": "Nothing waits to be begun.",
    "doing": "Nobody is at work.",
    "needs_you": "Nothing waits for you.",
    "done": "Nothing has ended yet.",
}
SHOWN: Final = 25
ALONE: Final = 100
"""How many tiles a column shows, and how many when it is shown alone."""


@dataclass(frozen=True, slots=True)
class Board:
    """The pages of the board."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, "/board", self.show),
            behind_login(self.engine, "/board/{workflow}", self.show),
        ]

    async def show(self, guest: Guest) -> Response:
        """Show the board, or one column of it from a place on."""
        workflow = guest.request.path_params.get("workflow", "")
        if workflow and workflow not in self.engine.flows:
            raise NotFound(workflow)
        events = await guest.events()
        column = guest.asked("column")
        text, tag = guest.asked("q"), guest.asked("tag")
        found = await guest.call(
            "get_board", workflow=workflow, column=column, cursor=guest.asked("after") or None,
            limit=ALONE if column else SHOWN, q=text, tag=tag,
        )  # fmt: skip
        columns = rows(found, "columns")
        for one in columns:
            one["tiles"] = [self._tile(tile) for tile in cast("Rows", one["units"])]
            one["more"] = _more(text, tag, one)
        open_now = sum(
            cast("int", one["open"])
            for one in rows(found, "workflows")
            if workflow in ("", one["name"])
        )
        return await guest.page(
            "board.html", place=f"board:{workflow}" if workflow else "board", events=events,
            workflow=workflow, columns=columns, titles=TITLES, empty=EMPTY, open_now=open_now,
            workflows=rows(found, "workflows"), column=column, q=text, tag=tag,
        )  # fmt: skip

    def _tile(self, unit: dict[str, object]) -> dict[str, object]:
        running = self.engine.flows.get(str(unit["workflow"]))
        if running is None:
            return {**unit, "chip": Chip("idle", str(unit["status"])), "progress": None}
        tally = cast("Mapping[str, Mapping[str, int]]", unit["tally"])
        made = progress(running.flow, tally)
        look = chip(running.flow.unit, str(unit["status"]), made and (made[0], made[2]))
        if unit["kind"] == "trouble":
            look = Chip("bad", look.label)
        return {**unit, "chip": look, "progress": made}


def _more(text: str, tag: str, column: Mapping[str, object]) -> str:
    """Return the query that shows more of a column; empty where there is no more."""
    if not column.get("cursor"):
        return ""
    place = {"column": str(column["column"]), "after": str(column["cursor"])}
    kept = {name: value for name, value in (("q", text), ("tag", tag)) if value}
    return urlencode({**kept, **place})


def progress(flow: Workflow, tally: Mapping[str, Mapping[str, int]]) -> tuple[int, int, int] | None:
    """Return how many parts are done, failed and there, of the kind that work is handed out by."""
    kind = next((one for one in flow.parts if one.claim and not one.parent), None)
    counts = tally.get(kind.name) if kind is not None else None
    if kind is None or not counts:
        return None
    looks = {name: chip(kind.machine, name).look for name in kind.machine.names("terminal")}
    bad = sum(count for name, count in counts.items() if looks.get(name) == "bad")
    ended = sum(count for name, count in counts.items() if name in looks)
    return ended - bad, bad, sum(counts.values())
