"""The page of what a ticket changes: all of it together, bead by bead, or file by file.

All of it together is what the final commit says; until there is one, the beads that are done say
what each has changed. A long one is folded and cut, with a word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.ticket.attempts import Tried, accepted, read_tried, rows_of
from interlock.doors.web.ticket.beads import Bead
from interlock.doors.web.ticket.coloured import coloured
from interlock.doors.web.ticket.hunks import Patch, fitted, patches
from interlock.doors.web.ticket.reports import report_of
from interlock.doors.web.ticket.scenery import Ground, ground_of
from interlock.doors.web.unit import PATH
from interlock.service.engine import Engine
from interlock.service.errors import NotFound

DIFF: Final = f"{PATH}/diff"
BEADS_READ: Final = 100
"""Of so many beads the changes are read for one page."""

PATH_MAX: Final = 4_096
NET: Final = "net"
WAYS: Final = (NET, "beads", "files")
INTEGRATION: Final = "integration_report"


class Told(NamedTuple):
    """Changes with whose they are, and where the whole report is."""

    diff: str
    is_cut: bool
    digest: str
    whose: str
    number: int


class Touched(NamedTuple):
    """A file, and how many lines came and went in each bead."""

    path: str
    added: int
    removed: int
    beads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Diffs:
    """The page of changes."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [behind_login(self.engine, DIFF, self.show)]

    async def show(self, guest: Guest) -> Response:
        """Show the changes in the way that is asked for."""
        ground = await ground_of(guest)
        number = guest.number("bead")
        net = await _net(ground)
        way = guest.asked("of") or (NET if net else WAYS[1])
        if number is not None:
            told, way = [await _one(ground, ground.bead(number), guest.number("attempt"))], ""
        elif way == NET:
            told = [net] if net else []
        elif way in WAYS:
            told = await _by_bead(ground)
        else:
            raise NotFound(way)
        file = guest.asked("file", PATH_MAX)
        found = [one for part in told for one in _patches(part)]
        touched = _touched(found, told) if way == "files" else []
        if way == "files" or file:
            found = [one for one in found if one.path == file]
        shown = fitted(found)
        return await guest.page(
            "ticket_diff.html", place="board:ticket", scene=ground.scene, name=ground.name,
            events=ground.listens, way=way, has_net=net is not None,
            bead=None if number is None else ground.bead(number), told=told, file=file,
            touched=touched, patches=list(zip(shown, _lines(shown), strict=True)),
            is_cut=any(one.is_cut for one in told), beads=ground.beads, read=BEADS_READ,
        )  # fmt: skip


def _lines(shown: Sequence[Patch]) -> list[list[Markup]]:
    return list(coloured(shown))


def _patches(told: Told) -> list[Patch]:
    found = patches(told.diff)
    for one in found:
        one.whose = told.whose
    return found


async def _net(ground: Ground) -> Told | None:
    """Return the changes of the final commit; None where there is none."""
    document = await ground.shelf.document(ground.fields, INTEGRATION)
    if document is None:
        return None
    report = report_of(document)
    held = ground.fields.get("documents")
    digest = str(held.get(INTEGRATION, "")) if isinstance(held, dict) else ""
    return Told(report.diff, report.is_cut, digest, "", 0)


async def _by_bead(ground: Ground) -> list[Told]:
    """Return what each bead that is done has changed."""
    found = []
    for bead in ground.beads[:BEADS_READ]:
        tried = await accepted(ground.shelf, ground.kept, bead)
        if tried is not None:
            found.append(_told(bead, tried))
    return found


async def _one(ground: Ground, bead: Bead, attempt: int | None) -> Told:
    """Return what an attempt has changed; the last one where none is named."""
    kept = rows_of(ground.kept, bead)
    chosen = [row for row in kept if attempt in (None, row.version)]
    if not chosen:
        raise NotFound(f"{bead.part}: attempt {attempt}")
    return _told(bead, await read_tried(ground.shelf, bead, chosen[-1]))


def _told(bead: Bead, tried: Tried) -> Told:
    report = tried.report
    return Told(report.diff, report.is_cut, tried.digest, f"Bead {bead.number}", bead.number)


def _touched(found: Sequence[Patch], told: Sequence[Told]) -> list[Touched]:
    """Return the files that were changed, with the beads that did."""
    numbers = {one.whose: one.number for one in told}
    files: dict[str, Touched] = {}
    for one in found:
        known = files.get(one.path, Touched(one.path, 0, 0, ()))
        files[one.path] = Touched(
            one.path, known.added + one.added, known.removed + one.removed,
            (*known.beads, numbers[one.whose]),
        )  # fmt: skip
    return [files[path] for path in sorted(files)]
