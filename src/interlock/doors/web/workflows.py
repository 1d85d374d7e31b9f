"""Workflows: what each is, drawn and in tables, and whether it is sound."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, cast

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.checking import Check, Checks, bounds_of, picture
from interlock.doors.web.chips import Chip, chip
from interlock.doors.web.drawing import drawing
from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.page import Told
from interlock.kernel.machine import Edge, Machine
from interlock.kernel.rules import Rule
from interlock.kernel.words import cascade_words, fired_by, lift_words, pair_words, stage_words
from interlock.kernel.workflow import Workflow
from interlock.service.access import require
from interlock.service.engine import Engine, Running
from interlock.service.errors import InvalidInput, NotFound

KINDS = {"active": "in work", "gate": "a person decides", "terminal": "end"}
PEOPLE = {"user": "people", "agent": "agents", "worker": "workers", "system": "the clock"}


class Way(NamedTuple):
    """What leads out of a status."""

    signal: str
    target: str
    by: str


class Place(NamedTuple):
    """A row of a machine's table."""

    chip: Chip
    name: str
    kind: str
    ways: tuple[Way, ...]


class Said(NamedTuple):
    """An event as it is told."""

    event: str
    command: str
    who: str
    doc: str
    does: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Workflows:
    """The pages about workflows."""

    engine: Engine
    checks: Checks

    def routes(self) -> list[Route]:
        """Return the routes."""
        one = "/workflows/{name}"
        return [
            behind_login(self.engine, "/workflows", self.list),
            behind_login(self.engine, one, self.show),
            behind_login(self.engine, f"{one}/check", self.check, "POST"),
        ]

    async def list(self, guest: Guest) -> Response:
        """Show which workflows there are."""
        flows = [(one.flow, self.checks.of(one)) for one in self.engine.flows.values()]
        return await guest.page("workflows.html", place="workflows", flows=flows)

    async def show(self, guest: Guest) -> Response:
        """Show one workflow whole."""
        return await self._page(guest, self._named(guest))

    async def check(self, guest: Guest) -> Response:
        """Begin a check; the page says how far it is."""
        running, form = self._named(guest), await guest.form()
        require(guest.person, "work", "Checking a workflow")
        bounds, most = bounds_of(running.flow.name), form.get("most", "")
        if bounds is None or most not in map(str, bounds.numbers):
            error = InvalidInput("This cannot be checked so far.", fix="Choose one of the numbers.")
            return await self._page(guest, running, Told.of(error, "most"), error.http)
        self.checks.begin(running, int(most), self.engine.store.now())
        return guest.go(f"/workflows/{running.flow.name}#check")

    def _named(self, guest: Guest) -> Running:
        name = guest.request.path_params["name"]
        found = self.engine.flows.get(name)
        if found is None:
            raise NotFound(name)
        return found

    async def _page(
        self, guest: Guest, running: Running, told: Told | None = None, status: int = 200
    ) -> Response:
        flow, check = running.flow, self.checks.of(running)
        # The first time takes up to half a second, which nobody else should wait for.
        drawn = await asyncio.to_thread(drawing, flow, label=f"The machines of {flow.name}")
        return await guest.page(
            "workflow.html", place="workflows", status=status, told=told, flow=flow, drawn=drawn,
            digest=running.digest, check=check, findings=await _findings(flow, check),
            bounds=bounds_of(flow.name), may_check=guest.may("work"),
            machines=[(one.name, places(flow, one)) for one in flow.machines()],
            sayings=[(one.name, said(flow, one.name)) for one in flow.machines()], ties=ties(flow),
        )  # fmt: skip


async def _findings(flow: Workflow, check: Check | None) -> list[dict[str, object]]:
    """Return what a check has found, each with its drawing."""
    if check is None or check.report is None:
        return []
    found = cast("list[Mapping[str, object]]", check.report["findings"])
    return [{**one, "drawn": await asyncio.to_thread(picture, flow, one)} for one in found]


def places(flow: Workflow, machine: Machine) -> list[Place]:
    """Return the table of a machine."""
    rows = []
    for status in machine.statuses:
        leaving = [edge for edge in machine.edges if edge.source == status.name]
        kind = KINDS[status.kind] + (", start" if status.name == machine.initial else "")
        ways = tuple(Way(e.on, _target(e), _causes(flow, machine, e)) for e in leaving)
        rows.append(Place(chip(machine, status.name), status.name, kind, ways))
    return rows


def _target(edge: Edge) -> str:
    if edge.target_field:
        return f"wherever its field {edge.target_field} says"
    return "stays" if edge.target == edge.source else edge.target


def _causes(flow: Workflow, machine: Machine, edge: Edge) -> str:
    """Say by what, and by whom, an edge is taken."""
    return "; ".join(
        f"{cause.words} ({_who(cause.actors)})" if cause.actors else cause.words
        for cause in fired_by(flow, machine, edge)
    )


def _who(actors: tuple[str, ...]) -> str:
    return ", ".join(PEOPLE[actor] for actor in sorted(actors))


def said(flow: Workflow, kind: str) -> list[Said]:
    """Return the events about a kind, with who may send them and what they do."""
    return [_said(rule) for rule in flow.rules if rule.kind == kind]


def _said(rule: Rule) -> Said:
    command = rule.command if rule.command != rule.event else ""
    does = tuple(stage_words(stage) for stage in rule.walk)
    return Said(rule.event, command, _who(tuple(rule.actors)), rule.doc, does)


def ties(flow: Workflow) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what ties the machines together, in words; what there is none of is left out."""
    found = [
        ("Parts move what is above them", [(one.name, lift_words(one)) for one in flow.lifts]),
        ("What is below follows", [(one.name, cascade_words(one)) for one in flow.cascades]),
        ("What must hold together", [(one.name, pair_words(one)) for one in flow.pairs]),
    ]
    return [(title, rows) for title, rows in found if rows]
