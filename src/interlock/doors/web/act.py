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
from interlock.doors.web.page import Told, blamed
from interlock.doors.web.shape_form import SHOWN, About, fields, read
from interlock.doors.web.ticket.consequences import consequences, filled
from interlock.doors.web.ticket.sight import WORKFLOW as TICKET
from interlock.doors.web.unit import PATH, Scene, scene_of
from interlock.errors import InterlockError
from interlock.kernel.explain import explain
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
        """Show what a command would do, and the form for it.

        What is decided at a gate is decided on its page, where it is shown.
        """
        part = guest.asked("part")
        gate = await self._gate(guest, part)
        return guest.go(f"/gates/{gate}") if gate else await self._page(guest, {}, part)

    async def _gate(self, guest: Guest, part: str) -> str:
        """Return the open gate that a command would decide; nothing where it decides none."""
        unit = guest.request.path_params["unit"]
        if SHOWN.isdisjoint(_row(guest).takes.model_fields):
            return ""
        number = int(part.rpartition(".")[2]) if part.rpartition(".")[2].isdecimal() else 0
        found = await self.engine.store.gates.of_unit(guest.person.tenant, unit)
        return next((one.id for one in found if one.is_open and one.part == number), "")

    async def send(self, guest: Guest) -> Response:
        """Send the command; what is wrong is told beside its field."""
        form = await guest.form()
        row, part = _row(guest), form.get("part", "")
        unit = guest.request.path_params["unit"]
        try:
            await guest.send(row.name, read(row.takes, form, About(unit, part)))
        except InterlockError as error:
            return await self._page(guest, form, part, Told.of(error, blamed(error)), error.http)
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
        return await guest.page(
            "act.html", place=f"board:{scene.flow.name}", status=status, told=told, scene=scene,
            row=row, part=part, form=form or _filled(scene, row), fields=tuple(fields(row.takes)),
            effects=_effects(guest, scene, row, part), words=_words(scene, row),
            name=row.name.replace("_", " "),
        )  # fmt: skip


def _row(guest: Guest) -> AnyCommand:
    """Return the command that the address names; one that changes no unit is none."""
    name = guest.request.path_params["command"]
    row = COMMANDS.get(name)
    if row is None or not row.takes_version or row.toolset == PEOPLE:
        raise NotFound(name)
    return row


def _words(scene: Scene, row: AnyCommand) -> tuple[str, ...]:
    """Return what the command comes to, where moves do not say it all."""
    is_ticket = scene.flow.name == TICKET
    return consequences(row.name, scene.snapshot.unit.fields) if is_ticket else ()


def _filled(scene: Scene, row: AnyCommand) -> dict[str, str]:
    """Return what the form has filled in before anybody has."""
    is_ticket = scene.flow.name == TICKET
    return filled(row.name, scene.snapshot.unit.fields) if is_ticket else {}


def _effects(guest: Guest, scene: Scene, row: AnyCommand, part: str) -> tuple[Move, ...]:
    """Return what the command would move as things stand; nothing where it is refused now."""
    why = explain(scene.flow, scene.snapshot, part or None)
    calls = [call for call in why.calls if call.command.partition(" ")[0] == row.name]
    return moves(scene.flow, scene.id, calls, "", may=guest.may("work"))
