"""The page of a unit, as it stands or as it was: what now, its parts, its machine, its history.

A page of one part is here, too: everything about it that its line has no room for. Forms that
change something are in ``unit_forms``; what only one workflow has is in a template of its own.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.board import progress
from interlock.doors.web.chips import Chip, chip
from interlock.doors.web.csrf import Form
from interlock.doors.web.drawing import drawing
from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.mission import WORKFLOW, Mission, mission
from interlock.doors.web.moves import Move, moves
from interlock.doors.web.now import Facts, Now, what_now
from interlock.doors.web.outline import pieces, read_content
from interlock.doors.web.page import Told
from interlock.doors.web.parts import NOTHING, Around, Line, lines
from interlock.doors.web.ticket.sight import WORKFLOW as TICKET
from interlock.doors.web.ticket.sight import Sight, sight_of
from interlock.doors.web.timeline import Branch, branches, entries
from interlock.kernel.explain import explain
from interlock.kernel.machine import Machine
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.tally import tally
from interlock.kernel.why import Why
from interlock.kernel.workflow import Workflow
from interlock.service.cards import titled
from interlock.service.engine import Engine
from interlock.service.errors import NotFound
from interlock.service.past import read_past
from interlock.service.read import Read, read_unit
from interlock.store.gates import GateRow
from interlock.store.port import ArtifactRow, AuditRow
from interlock.store.rows import part_id

PATH: Final = "/units/{unit}"
RECENT: Final = 40
"""How many entries are listed below the slider."""

ARTIFACTS_SHOWN: Final = 20


class Scene(NamedTuple):
    """A unit at a moment, as its page shows it."""

    read: Read
    snapshot: Snapshot
    at: int | None
    lines: list[Line]
    gates: Sequence[GateRow]
    why: Why

    @property
    def flow(self) -> Workflow:
        """The workflow that it runs on."""
        return self.read.running.flow

    @property
    def id(self) -> str:
        """Its name."""
        return self.read.whole.row.id


@dataclass(frozen=True, slots=True)
class UnitPage:
    """The pages of units and parts."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, PATH, self.show),
            behind_login(self.engine, f"{PATH}/parts/{{number}}", self.show_part),
        ]

    async def show(self, guest: Guest) -> Response:
        """Show a unit, now or at a moment of the past."""
        return await self.page(guest)

    async def page(
        self, guest: Guest, told: Told | None = None, status: int = 200, form: Form | None = None
    ) -> Response:
        """Render the page of a unit, with what is wrong where something is."""
        events = await guest.events(guest.request.path_params["unit"])
        scene = await scene_of(guest, guest.request.path_params["unit"], guest.number("at"))
        row = scene.read.whole.row
        sight = None
        if scene.flow.name == TICKET:
            sight, at = await sight_of(guest, scene.read, scene.why, form, scene.at)
            scene = scene if at == scene.at else await scene_of(guest, scene.id, at)
        store, tenant = self.engine.store, guest.person.tenant
        until = scene.at or row.version
        recent = await store.audit(tenant, scene.id, max(until - RECENT, 0), min(until, RECENT))
        then = recent[-1].link.at
        kept = [
            row
            for row in await store.artifacts(tenant, scene.id)
            # What members of a ticket's council hand in has its place in the view.
            if row.at <= then and (sight is None or not row.part)
        ]
        unit = scene.snapshot.unit
        machine = scene.flow.unit
        return await guest.page(
            "unit.html", place=f"board:{scene.flow.name}", status=status, told=told,
            events=events, scene=scene, unit=unit, row=row,
            # What comes as the answer to a form is read again at its own address.
            here="" if guest.request.method == "GET" else PATH.format(unit=scene.id),
            name=titled(unit.fields) or scene.id, chip=_chip(scene, sight),
            now_line=None if scene.at else _now(guest, scene, sight), ticket=sight,
            moves=_moves(guest, scene, scene.why), progress=_progress(scene),
            entries=entries(recent), until=until,
            drawing=_drawn(machine, unit.status, scene.why),
            kept=_latest(kept)[:ARTIFACTS_SHOWN], count_kept=len(kept),
            about=pieces(_about(unit.fields, sight)), asked=await self._asked(guest, scene, recent),
            happened_at=then, mission=_mission(scene),
            titles={line.id: f"{line.order} {line.title}" for line in scene.lines},
        )  # fmt: skip

    async def _asked(
        self, guest: Guest, scene: Scene, recent: Sequence[AuditRow]
    ) -> Mapping[str, list[Branch]]:
        """Return by part the conditions that were asked, as the entries at hand tell it."""
        if not scene.read.whole.conditions:
            return {}
        found: dict[str, list[Branch]] = {}
        rows = recent
        if recent and recent[0].link.sequence > 1:
            whole = scene.at or scene.read.whole.row.version
            rows = await self.engine.store.audit(guest.person.tenant, scene.id, 0, whole)
        for row in rows:
            if '"branches"' in row.link.body:
                body = json.loads(row.link.body)
                for part in body.get("ids", ()):
                    found[part] = list(branches(body))
        return found

    async def show_part(self, guest: Guest) -> Response:
        """Show a part whole."""
        return await self.part(guest)

    async def part(self, guest: Guest, told: Told | None = None, status: int = 200) -> Response:
        """Render the page of a part, with what is wrong where something is."""
        unit, number = guest.request.path_params["unit"], guest.request.path_params["number"]
        name = f"{unit}.{number}"
        events = await guest.events(unit)
        scene = await scene_of(guest, unit, guest.number("at"))
        line = next((one for one in scene.lines if one.id == name), None)
        if line is None:
            raise NotFound(name)
        part = scene.snapshot.part(name)
        kept = [
            row
            for row in await self.engine.store.artifacts(guest.person.tenant, unit)
            if part_id(row.unit, row.part) == name
        ]
        result = str(part.fields.get("result") or "")
        content = await self.engine.store.content(guest.person.tenant, result) if result else None
        why = explain(scene.flow, scene.snapshot, name, scene.read.whole.row.changed_at)
        return await guest.page(
            "part.html", place=f"board:{scene.flow.name}", status=status, told=told,
            events=events, scene=scene, line=line, part=part, why=why,
            name=titled(scene.snapshot.unit.fields) or scene.id, kept=kept,
            result=None if content is None else pieces(read_content(content)),
            conditions=[row for hung, row in scene.read.whole.conditions if hung == name],
            gates=[gate for gate in scene.gates if part_id(gate.unit, gate.part) == name],
            is_mine=line.holder == guest.person.id,
            can=frozenset() if scene.at else _can(guest, why),
            drawing=_drawn(scene.flow.machine(part.kind), part.status, why),
            moves=_moves(guest, scene, why),
            lease=f"{scene.read.whole.incarnation}.{part.fields.get('fence')}",
        )  # fmt: skip


async def scene_of(guest: Guest, unit: str, at: int | None = None) -> Scene:
    """Read a unit as it stands, or as it stood after an entry of its audit."""
    if "." in unit:
        raise NotFound(unit)
    read = await read_unit(guest.engine, guest.person.tenant, unit)
    gates = await guest.engine.store.gates.of_unit(guest.person.tenant, unit)
    flow, whole = read.running.flow, read.whole
    if at is None or at == whole.row.version:
        why = explain(flow, read.snapshot, None, whole.row.changed_at)
        told = lines(flow, read.snapshot, Around(whole.due, gates))
        return Scene(read, read.snapshot, None, told, gates, why)
    then = (await read_past(guest.engine, guest.person.tenant, unit, at)).snapshot
    why = explain(flow, then, None)
    return Scene(read, then, at, lines(flow, then, NOTHING), gates, why)


def now_of(guest: Guest, scene: Scene) -> Now:
    """Return the first line of the page."""
    status = scene.flow.unit.status(scene.snapshot.unit.status)
    return what_now(
        Facts(
            scene.id, scene.why, status.is_success, scene.lines, scene.gates,
            scene.read.whole.row.changed_at, guest.may("work"),
        )
    )  # fmt: skip


def _now(guest: Guest, scene: Scene, sight: Sight | None) -> Now:
    """Return the first line of the page, in a ticket's own words where it has some."""
    now = now_of(guest, scene)
    return now if sight is None else sight.now(now)


def _chip(scene: Scene, sight: Sight | None) -> Chip:
    """Return the status as it is shown; a ticket's phase knows more than its name."""
    found = chip(scene.flow.unit, scene.snapshot.unit.status)
    return found if sight is None else found._replace(label=sight.label)


def _mission(scene: Scene) -> Mission | None:
    """Return what only the page of a mission shows."""
    if scene.flow.name != WORKFLOW:
        return None
    until = None if scene.at else scene.read.whole.due.get(scene.id)
    return mission(scene.flow, scene.snapshot, scene.lines, until)


def _drawn(machine: Machine, status: str, why: Why) -> Markup:
    """Draw a machine with where it stands and the ways that are open."""
    moves = {move for call in why.calls for move in call.moves}
    legal = {
        edge.on
        for edge in machine.edges
        if edge.source == status and f"{machine.name} {status} -> {edge.target}" in moves
    }
    return drawing(machine, status, legal, label=f"Machine of the {machine.name}")


def _moves(guest: Guest, scene: Scene, why: Why) -> tuple[Move, ...]:
    """Return what may happen next, with the forms that this person may send."""
    gate = next((one.id for one in scene.gates if one.is_open), "")
    return moves(scene.flow, scene.id, why.calls, gate, may=guest.may("work"))


def _can(guest: Guest, why: Why) -> frozenset[str]:
    """Return what this person may do about a part, by the event."""
    if not guest.may("work"):
        return frozenset()
    return frozenset(call.event for call in why.calls if "user" in call.actors)


def _progress(scene: Scene) -> tuple[int, int, int] | None:
    """Return how many parts are done, how many failed, and how many there are."""
    return progress(scene.flow, tally(scene.snapshot.parts))


def _latest(rows: Sequence[ArtifactRow]) -> list[ArtifactRow]:
    """Return the last version of each artifact, the newest first."""
    last = {(row.part, row.name): row for row in sorted(rows, key=lambda one: one.version)}
    return sorted(last.values(), key=lambda one: -one.at)


UNSAID: Final = frozenset({
    "name", "title", "sessions", "is_shuffled", "max_steps", "shown", "current", "hops_made",
    "held", "inputs", "outputs", "ready", "recovery", "tries_max",
})  # fmt: skip


def _about(fields: Mapping[str, object], sight: Sight | None) -> dict[str, object]:
    """Return what a unit says of itself beyond its name; what the engine keeps is left out."""
    if sight is not None:
        return sight.about()
    return {name: value for name, value in fields.items() if name not in UNSAID and value}
