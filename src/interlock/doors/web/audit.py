"""The audit: what happened last, the proof that nothing of it was changed, and the whole of it.

Proving reads every entry again, so a page does it for some seconds and then says how far it got;
a button goes on from there.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, NamedTuple, cast

from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from interlock.doors.cookies import is_https
from interlock.doors.web.guest import Guest, Rows, behind_login, rows
from interlock.doors.web.headers import secured
from interlock.doors.web.page import Told
from interlock.doors.web.timeline import Entry, entries
from interlock.service.engine import Engine
from interlock.service.errors import NotFound
from interlock.service.export import audit_lines
from interlock.service.rate import RateLimited

PATH: Final = "/audit"
LOOK_S: Final = 5.0
"""For how long one request proves."""

PAGE: Final = 100
"""How many units are proved by one call."""

UNITS: Final = 10
EACH: Final = 5
"""Of how many units the last entries are shown, and how many of each."""

OF_ONE: Final = 50
"""How many entries are shown of a unit that is asked for."""

FINDINGS_MAX: Final = 200
"""More than this says nothing more: whoever sees them asks for help."""

MEDIA_TYPE: Final = "application/x-ndjson; charset=utf-8"


class Happened(NamedTuple):
    """An entry, with the unit that it is about."""

    unit: str
    name: str
    entry: Entry


@dataclass(slots=True)
class Proof:
    """What proving has come to so far; with a cursor it has not ended."""

    units: int
    entries: int
    cursor: str
    findings: Rows = field(default_factory=list)
    # What was found before this request, and is not shown any more.
    earlier: int = 0


@dataclass(frozen=True, slots=True)
class AuditPage:
    """The page of the audit."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, PATH, self.show),
            behind_login(self.engine, PATH + "/export", self.export),
        ]

    async def show(self, guest: Guest) -> Response:
        """Show what happened last; prove it where that is asked for."""
        unit, proof = guest.asked("unit").strip(), None
        try:
            happened = await self._of_one(guest, unit) if unit else await self._of_all(guest)
            if guest.asked("verify"):
                proof = await prove(guest, unit)
        except NotFound as error:
            told = Told.of(error, "unit")
            return await self._page(guest, unit, await self._of_all(guest), told=told)
        return await self._page(guest, unit, happened, proof)

    async def _page(
        self,
        guest: Guest,
        unit: str,
        happened: list[Happened],
        proof: Proof | None = None,
        told: Told | None = None,
    ) -> Response:
        return await guest.page(
            "audit.html", place="audit", status=404 if told else 200, told=told, unit=unit,
            happened=happened, proof=proof, is_one=bool(unit) and told is None, units=UNITS,
        )  # fmt: skip

    async def _of_all(self, guest: Guest) -> list[Happened]:
        """Return the last entries of the units that changed last, the newest first."""
        store, tenant = self.engine.store, guest.person.tenant
        found: list[Happened] = []
        for listed in await store.units(tenant, "", None, UNITS):
            row = listed.row
            last = await store.audit(tenant, row.id, max(row.version - EACH, 0), EACH)
            name = str(row.unit.fields.get("name") or row.id)
            found += (Happened(row.id, name, entry) for entry in entries(last))
        return sorted(found, key=lambda one: (-one.entry.at, one.unit, -one.entry.sequence))

    async def _of_one(self, guest: Guest, unit: str) -> list[Happened]:
        """Return the last entries of one unit, the newest first."""
        data = await guest.call("get_unit", id=unit, limit=1)
        version = cast("int", data["version"])
        last = await self.engine.store.audit(
            guest.person.tenant, unit, max(version - OF_ONE, 0), OF_ONE
        )
        return [Happened(unit, unit, entry) for entry in entries(last)]

    async def export(self, guest: Guest) -> Response:
        """Send the audit as a file: one JSON document a line, as it is stored and hashed."""
        unit = guest.asked("unit").strip()
        if unit:
            await guest.call("get_unit", id=unit, limit=1)
        else:
            await guest.call("ping")

        async def sent() -> AsyncIterator[str]:
            async for line in audit_lines(self.engine, guest.person.tenant, unit):
                yield f"{line}\n"

        name = f"audit-{unit}.jsonl" if unit else "audit.jsonl"
        response = StreamingResponse(sent(), media_type=MEDIA_TYPE)
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return secured(response, is_https=is_https(self.engine, guest.request))


async def prove(guest: Guest, unit: str) -> Proof:
    """Prove units page by page, until all are, or it has taken long enough."""
    ends = perf_counter() + LOOK_S
    proof = Proof(
        guest.number("units") or 0, guest.number("entries") or 0, guest.asked("cursor"),
        earlier=guest.number("found") or 0,
    )  # fmt: skip
    while True:
        try:
            page = await guest.call(
                "verify_audit", unit=unit, cursor=proof.cursor or None, limit=PAGE
            )
        except RateLimited:
            if not proof.cursor:
                raise
            return proof  # the button goes on, once we may
        proof.units += cast("int", page["units"])
        proof.entries += cast("int", page["entries"])
        proof.findings += rows(page, "findings")
        proof.cursor = str(page.get("cursor") or "")
        if not proof.cursor or len(proof.findings) >= FINDINGS_MAX or perf_counter() >= ends:
            return proof
