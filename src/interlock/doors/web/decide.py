"""The page of a gate: what is to be decided, what changed since the last time, and the decisions.

It is reached by a signed link, as the person whom that is for, or by the gate's own address, as
who is logged in. Opening it decides nothing, so a program that looks at links in a mail does no
harm; sending the form decides, once, on what was shown. Whoever comes too late is told who was
first; where the same has been asked again since, they see what is different now.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.commands.verbs import LocalVerbs
from interlock.doors.web.chips import chip
from interlock.doors.web.compare import LINES_MAX, Row, compare
from interlock.doors.web.csrf import Form, read_form
from interlock.doors.web.guest import Guest, Rows
from interlock.doors.web.naming import names_of
from interlock.doors.web.outline import as_json, lines, pieces, read_content
from interlock.doors.web.page import Told, go, page
from interlock.doors.web.session import CHANNEL, to_login, visit_of
from interlock.doors.web.ticket.council import read_document
from interlock.doors.web.ticket.sight import WORKFLOW as TICKET
from interlock.doors.web.ticket.sight import is_decided_here
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.gates import GateDecided, StaleDigest
from interlock.service.links import Link, read_link
from interlock.service.sessions import Visit

PATHS: Final = ("/decide/{signed}", "/gates/{gate_id}")
BUSY: Final = 409
ORDER: Final = (
    "execute", "accept", "approve", "continue", "modify", "request", "skip", "reject", "cancel",
)  # fmt: skip
"""How decisions are sorted, by their first word: what lets things go on comes first."""

ENDING: Final = ("reject", "cancel", "fail", "abort")
QUESTIONS: Final = "questions"
FIRST: Final = ("summary", "title")
"""What is read first of what is shown; the rest follows by name."""

Gate = Mapping[str, object]


class Seat(NamedTuple):
    """Who decides, where: a person with a link, or one who is logged in."""

    link: Link
    visit: Visit | None


@dataclass(frozen=True, slots=True)
class Decide:
    """The page behind a link to a decision."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        shown = [Route(path, self.show, methods=["GET"]) for path in PATHS]
        return [*shown, *(Route(path, self.send, methods=["POST"]) for path in PATHS)]

    async def show(self, request: Request) -> Response:
        """Show what is to be decided, or who has decided it."""
        seat = await self._seat(request)
        if seat is None:
            return to_login(self.engine, request)
        unit = await self._elsewhere(seat)
        if unit:
            return go(self.engine, request, f"/units/{unit}")
        return await self._page(request, seat)

    async def _elsewhere(self, seat: Seat) -> str:
        """Return the unit whose own page has the form for this; a link leads to this one only."""
        if seat.visit is None:
            return ""
        gate = await self._gate(seat.link, seat.link.gate)
        is_there = gate["workflow"] == TICKET and is_decided_here(str(gate["status"]))
        return str(gate["unit_id"]) if is_there and gate["is_open"] else ""

    async def send(self, request: Request) -> Response:
        """Decide; what is wrong is told on the same page."""
        seat = await self._seat(request)
        if seat is None:
            return to_login(self.engine, request, request.scope["path"])
        link, form = seat.link, await read_form(self.engine, request)
        said: dict[str, object] = {"gate_id": link.gate, "decision": form.get("decision", "")}
        if form.get("feedback"):
            said["feedback"] = form["feedback"]
        answers = _answers(form)
        if any(answers):
            said["answers"] = answers
        # A link is bound to what was shown when it was made, a page to what it shows.
        seen = link.digest or form.get("content_digest", "")
        if seen:
            said["content_digest"] = seen
        try:
            await LocalVerbs(self.engine, link.person).call("decide_gate", said)
        except GateDecided:
            return await self._page(request, seat, form=form, status=BUSY)
        except StaleDigest as error:
            told = Told("This has changed since you looked. Nothing was decided.", error.fix)
            return await self._page(request, seat, told, form, error.http)
        except InterlockError as error:
            return await self._page(request, seat, Told.of(error), form, error.http)
        return await self._page(request, seat)

    async def _seat(self, request: Request) -> Seat | None:
        """Return who decides where; None where nobody is logged in."""
        if "signed" in request.path_params:
            return Seat(await read_link(self.engine, request.path_params["signed"]), None)
        visit = await visit_of(self.engine, request)
        if visit is None:
            return None
        person = replace(visit.principal, channel=CHANNEL)
        return Seat(Link(person, request.path_params["gate_id"], digest="", expires_at=0), visit)

    async def _page(
        self,
        request: Request,
        seat: Seat,
        told: Told | None = None,
        form: Form | None = None,
        status: int = 200,
    ) -> Response:
        guest = None if seat.visit is None else Guest(self.engine, request, seat.visit)
        events = "" if guest is None else await guest.events()
        gate = await self._gate(seat.link, seat.link.gate)
        before, since = await self._before(seat.link, gate, (form or {}).get("content_digest", ""))
        kind = self.engine.flows[str(gate["workflow"])].flow.machine(str(gate["kind"]))
        decisions = [str(one["decision"]) for one in cast("Rows", gate["decisions"])]
        shown = gate["shown"]
        questions = shown.get(QUESTIONS) if isinstance(shown, Mapping) else None
        values: dict[str, object] = {
            "gate": gate, "told": told, "form": form or {}, "person": seat.link.person.id,
            "chip": chip(kind, str(gate["status"])), "pieces": pieces(_content(_read(shown))),
            "questions": questions or [], "exact": as_json(shown), "since": since, "diff": before,
            "decisions": sorted(decisions, key=_rank), "ending": ENDING,
            "newer": await self._newer(seat.link, gate),
        }  # fmt: skip
        if guest is None:
            names = await names_of(self.engine, seat.link.person.tenant)
            alone = {**values, "guest": None, "names": names}
            return page(self.engine, request, "gate.html", visit=None, status=status, **alone)
        # Which unit it is about is only known by now.
        events = f"{events}&unit={gate['unit_id']}"
        return await guest.page("gate.html", place="inbox", status=status, events=events, **values)

    async def _gate(self, link: Link, name: str) -> Gate:
        verbs = LocalVerbs(self.engine, link.person)
        return (await verbs.call("get_gate", {"gate_id": name})).data

    async def _before(self, link: Link, gate: Gate, seen: str) -> tuple[list[Row], str]:
        """Return what has changed since they looked, or since the last decision; and which."""
        if seen and seen != gate["content_digest"]:
            return await self._changes(link, gate, seen), "you looked"
        earlier = [
            str(one["content_digest"])
            for one in cast("Rows", gate["history"])
            if one["status"] == gate["status"]
            and cast("int", one["opened_at"]) <= cast("int", gate["opened_at"])
        ]
        return await self._changes(link, gate, earlier[-1] if earlier else ""), "the last review"

    async def _changes(self, link: Link, gate: Gate, digest: str) -> list[Row]:
        if not digest or digest == gate["content_digest"]:
            return []
        content = await self.engine.store.content(link.person.tenant, digest)
        return [] if content is None else _compared(read_content(content), gate["shown"])

    async def _newer(self, link: Link, gate: Gate) -> dict[str, object]:
        """Return the gate at which the same is asked again, with what is different there."""
        if gate["is_open"]:
            return {}
        asked = [one for one in cast("Rows", gate["history"]) if one["is_open"]]
        if not asked:
            return {}
        again = await self._gate(link, str(asked[-1]["gate_id"]))
        is_same = again["content_digest"] == gate["content_digest"]
        rows = [] if is_same else _compared(gate["shown"], again["shown"])
        return {"gate_id": again["gate_id"], "diff": rows}


def _answers(form: Form) -> list[str]:
    """Return the answers to the questions, in their order."""
    named = [name for name in form if name.startswith("answer-") and name[7:].isdecimal()]
    return [form[name] for name in sorted(named, key=lambda name: int(name[7:]))]


def _rank(decision: str) -> tuple[int, str]:
    word = decision.partition("_")[0]
    return (ORDER.index(word) if word in ORDER else len(ORDER) - 1, decision)


def _read(shown: object) -> object:
    """Return what is shown as data, where it is a document that is kept as YAML."""
    found = read_document(shown) if isinstance(shown, str) else None
    return shown if found is None else dict(found)


def _content(shown: object) -> object:
    """Return what is laid out, in order; questions have a place of their own."""
    if not isinstance(shown, Mapping):
        return shown
    order = sorted(shown, key=lambda name: (name not in FIRST, name))
    return {name: shown[name] for name in order if name != QUESTIONS}


def _compared(before: object, after: object) -> list[Row]:
    return compare(lines(before, LINES_MAX + 1), lines(after, LINES_MAX + 1))
