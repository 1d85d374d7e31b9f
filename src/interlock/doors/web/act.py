"""Any command about a unit or a part that a person may send: its form, what it would do, the doing.

What will happen is told before anything is sent: the kernel has tried the call as things stand.
"""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from interlock.commands.all import COMMANDS
from interlock.commands.row import PEOPLE, AnyCommand
from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.moves import Move, moves
from interlock.doors.web.page import Told
from interlock.doors.web.shape_form import About, fields, read
from interlock.doors.web.unit import PATH, Scene, scene_of
from interlock.errors import InterlockError
from interlock.kernel.explain import explain
from interlock.kernel.gates import SHOWN
from interlock.service.engine import Engine
from interlock.service.errors import NotFound

ACT: Final = f"{PATH}/act/{{command}}"


@dataclass(frozen=True, slots=True)
class Act:
    """The page of one command."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, ACT, self.show),
            behind_login(self.engine, ACT, self.send, "POST"),
        ]

    async def show(self, guest: Guest) -> Response:
        """Show what a command would do, and the form for it."""
        return await self._page(guest, {}, guest.asked("part"))

    async def send(self, guest: Guest) -> Response:
        """Send the command; what is wrong is told beside its field."""
        form = await guest.form()
        row, part = _row(guest), form.get("part", "")
        unit = guest.request.path_params["unit"]
        try:
            digest = form.get("content_digest", "")
            await guest.send(row.name, read(row.takes, form, About(unit, part, digest)))
        except InterlockError as error:
            wrong = getattr(error, "fields", ())
            field = str(wrong[0][0]).rpartition(".")[2] if wrong else ""
            return await self._page(guest, form, part, Told.of(error, field), error.http)
        return guest.go(f"/units/{unit}")

    async def _page(
        self,
        guest: Guest,
        form: dict[str, str],
        part: str,
        told: Told | None = None,
        status: int = 200,
    ) -> Response:
        row = _row(guest)
        scene = await scene_of(guest, guest.request.path_params["unit"])
        if part and part not in scene.snapshot.ids:
            raise NotFound(part)
        owner = scene.snapshot.part(part) if part else scene.snapshot.unit
        return await guest.page(
            "act.html", place=f"board:{scene.flow.name}", status=status, told=told, scene=scene,
            row=row, part=part, form=form, fields=tuple(fields(row.takes)),
            digest=str(owner.fields.get(SHOWN) or ""), effects=_effects(guest, scene, row, part),
            name=row.name.replace("_", " "),
        )  # fmt: skip


def _row(guest: Guest) -> AnyCommand:
    """Return the command that the address names; one that changes no unit is none."""
    name = guest.request.path_params["command"]
    row = COMMANDS.get(name)
    if row is None or not row.takes_version or row.toolset == PEOPLE:
        raise NotFound(name)
    return row


def _effects(guest: Guest, scene: Scene, row: AnyCommand, part: str) -> tuple[Move, ...]:
    """Return what the command would move as things stand; nothing where it is refused now."""
    why = explain(scene.flow, scene.snapshot, part or None)
    calls = [call for call in why.calls if call.command.partition(" ")[0] == row.name]
    return moves(scene.flow, scene.id, calls, "", may=guest.may("work"))
