"""What workers tell while they work on a ticket: the last lines, of all members or of one."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.guest import Guest, behind_login, rows
from interlock.doors.web.unit import PATH, scene_of
from interlock.service.cards import titled
from interlock.service.engine import Engine

LOGS: Final = f"{PATH}/logs"
SHOWN: Final = 500
"""So many lines are shown, the last ones."""

PAGE: Final = 1_000
AGAIN_S: Final = 2
"""How often the page looks again while somebody works: lines are no entries of the audit."""

MEMBER_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class Logs:
    """The page of the logs of a unit."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [behind_login(self.engine, LOGS, self.show)]

    async def show(self, guest: Guest) -> Response:
        """Show the last lines, and go on showing them while somebody works."""
        events = await guest.events(guest.request.path_params["unit"])
        scene = await scene_of(guest, guest.request.path_params["unit"])
        member = guest.asked("member", MEMBER_MAX)
        fields = scene.snapshot.unit.fields
        roster = cast("Sequence[str]", fields.get("roster") or ())
        lines, count = await _last(guest, scene.id, member)
        is_live = any(line.holder and not line.is_ended for line in scene.lines)
        return await guest.page(
            "ticket_logs.html", place=f"board:{scene.flow.name}", scene=scene,
            events=events, name=titled(fields) or scene.id,
            members=list(dict.fromkeys(roster)), member=member, lines=lines, count=count,
            again=AGAIN_S if is_live else 0,
        )  # fmt: skip


async def _last(guest: Guest, unit: str, member: str) -> tuple[list[dict[str, object]], int]:
    """Return the last lines, and how many there are."""
    last: deque[dict[str, object]] = deque(maxlen=SHOWN)
    count, after = 0, 0
    while True:
        found = await guest.call("read_logs", id=unit, member=member, after=after, limit=PAGE)
        more = rows(found, "lines")
        last.extend(more)
        count += len(more)
        after = cast("int", found["last"])
        if found["is_whole"]:
            return list(last), count
