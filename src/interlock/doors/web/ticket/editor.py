"""The editor of what people approve: the text as YAML, told what is wrong with it while they type.

Saving names the version that was edited. Where another one is the newest by then nothing is
written: both are shown, and whoever still wants theirs saves it as the next one. A document that
was approved is reopened here, after what will happen was said.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from interlock.commands.row import Call
from interlock.commands.ticket.approve import StaleEdit, edited
from interlock.commands.ticket.papers import papers_of
from interlock.doors.cookies import is_https
from interlock.doors.web.csrf import Form
from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.harmless import plain
from interlock.doors.web.headers import secured
from interlock.doors.web.moves import Move, moves
from interlock.doors.web.page import Told
from interlock.doors.web.ticket.approval import (
    NAMES,
    REVIEWED,
    WITHOUT_EDIT,
    WORDS,
    Approval,
    approval_of,
    compared,
    reopening,
    review_of,
    versions_of,
)
from interlock.doors.web.ticket.council import Shelf, read_document
from interlock.doors.web.ticket.leaves import branches, filled
from interlock.doors.web.ticket.places import line_of, places
from interlock.doors.web.ticket.shaping import Laid, adds_of, is_order, named, shaped
from interlock.doors.web.unit import PATH, Scene, scene_of
from interlock.errors import InterlockError
from interlock.kernel.rules import USER
from interlock.service.cards import titled
from interlock.service.engine import Engine
from interlock.service.errors import NotFound
from interlock.ticketing import canonical
from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.canonical import DocumentInvalid

EDITOR: Final = f"{PATH}/documents/{{name}}"
JSON: Final = "application/json"
FIELDS: Final = "fields"
"""How a form says that it holds the fields of a document, and an address that it wants them."""

SAVE: Final = "save"
REOPEN: Final = "reopen"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong with a text: where it is, and the line of that."""

    path: str
    message: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Draft:
    """A text in the editor: what it was made of, and what is wrong with it."""

    text: str
    base: str
    mistakes: tuple[Mistake, ...] = ()
    is_checked: bool = False
    form: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Editor:
    """The page of a document that people approve."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, EDITOR, self.show),
            behind_login(self.engine, EDITOR, self.send, "POST"),
        ]

    async def show(self, guest: Guest) -> Response:
        """Show the newest version, to be edited where that is possible now."""
        return await self._page(guest)

    async def send(self, guest: Guest) -> Response:
        """Check, save or reopen; a script is told what is wrong as data."""
        form = await guest.form(is_large=True)
        text = form.get("content", "").replace("\r\n", "\n")
        if form.get("as") == FIELDS:
            document = await self._written(guest, form)
            if is_order(form.get("do", "")):
                laid = shaped(document, form["do"])
                base, reason = form.get("base_digest", ""), form.get("reason", "")
                return await self._page(guest, laid=laid._replace(base=base, reason=reason))
            text = canonical.write(named(document))
        draft = Draft(text, form.get("base_digest", ""), form=form)
        if JSON in guest.request.headers.get("accept", ""):
            return await self._told(guest, draft)
        do = form.get("do", "")
        if do == SAVE:
            return await self._save(guest, draft)
        if do == REOPEN:
            return await self._reopen(guest, draft)
        return await self._page(guest, await self._checked(guest, draft))

    async def _written(self, guest: Guest, form: Form) -> dict[str, object]:
        """Return a document whose fields were filled in, made of what they showed.

        It may have another shape by now than the version that was edited.
        """
        laid = read_document(form.get("content", "").replace("\r\n", "\n"))
        if laid is not None:
            return filled(laid, form)
        unit, name = guest.request.path_params["unit"], _name(guest)
        kept = await self.engine.store.artifacts(guest.person.tenant, unit)
        known = {one.digest for one in versions_of(kept, name)}
        base = form.get("base_digest", "")
        found = read_document(await Shelf(guest, {}).read(base)) if base in known else None
        return filled(found or {}, form)

    async def _save(self, guest: Guest, draft: Draft) -> Response:
        unit, name = guest.request.path_params["unit"], guest.request.path_params["name"]
        said = {"ticket_id": unit, "content": draft.text, "base_digest": draft.base}
        try:
            await guest.send("save_artifact", said)
        except InterlockError as error:
            return await self._refused(guest, draft, error)
        more = f"&as={FIELDS}" if (draft.form or {}).get("as") == FIELDS else ""
        return guest.go(f"{EDITOR.format(unit=unit, name=name)}?saved={draft.base[:64]}{more}")

    async def _reopen(self, guest: Guest, draft: Draft) -> Response:
        unit, name = guest.request.path_params["unit"], guest.request.path_params["name"]
        said: dict[str, object] = {
            "ticket_id": unit, "artifact": WORDS.get(name, name),
            "reason": (draft.form or {}).get("reason", ""),
        }  # fmt: skip
        if name not in WITHOUT_EDIT:
            said |= {"content": draft.text, "base_digest": draft.base}
        try:
            await guest.send("reopen", said)
        except InterlockError as error:
            return await self._refused(guest, draft, error)
        return guest.go(PATH.format(unit=unit))

    async def _refused(self, guest: Guest, draft: Draft, error: InterlockError) -> Response:
        """Show the page with what is wrong; an edit of another version stands beside the newest."""
        told = Told.of(error)
        if isinstance(error, StaleEdit):
            told = Told(
                "Somebody else has saved a version meanwhile. Nothing of yours was saved, and"
                " nothing is lost.",
                "What is different is shown below. Saving now makes yours the next version.",
            )
        elif isinstance(error, AnswerInvalid | DocumentInvalid):
            told = Told("Nothing was saved: the document has mistakes.", "They are listed below.")
        mistakes = mistakes_in(draft.text, error)
        again = Draft(draft.text, draft.base, mistakes, is_checked=True, form=draft.form)
        return await self._page(guest, again, told, error.http)

    # -- checking ------------------------------------------------------------------------------

    async def _checked(self, guest: Guest, draft: Draft) -> Draft:
        """Return a draft with all that is wrong with it; nothing is changed."""
        unit, name = guest.request.path_params["unit"], _name(guest)
        call = Call(self.engine, guest.person)
        papers = await papers_of(call, unit)
        newest = cast("Mapping[str, str]", papers.fields["documents"] or {}).get(name, "")
        mistakes: tuple[Mistake, ...] = ()
        try:
            await edited(papers, name, draft.text, newest)
        except (AnswerInvalid, DocumentInvalid) as error:
            mistakes = mistakes_in(draft.text, error)
        return Draft(draft.text, draft.base, mistakes, is_checked=True, form=draft.form)

    async def _told(self, guest: Guest, draft: Draft) -> Response:
        """Tell a script what is wrong with a text, and what it changes."""
        checked = await self._checked(guest, draft)
        scene = await scene_of(guest, guest.request.path_params["unit"])
        name = _name(guest)
        shown = await approval_of(guest, scene.id, name, _held(scene, name))
        data = {
            # A script puts texts into the page as they are: all that is in them must be seen.
            "mistakes": [
                {"path": plain(one.path), "message": plain(one.message), "line": one.line}
                for one in checked.mistakes
            ],
            "newest": shown.digest,
            "diff": [
                {"kind": row.kind, "text": plain(row.text)}
                for row in compared(shown.text, draft.text)
            ],
        }
        return secured(JSONResponse(data), is_https=is_https(self.engine, guest.request))

    # -- the page ------------------------------------------------------------------------------

    async def _page(
        self,
        guest: Guest,
        draft: Draft | None = None,
        told: Told | None = None,
        status: int = 200,
        laid: Laid | None = None,
    ) -> Response:
        unit, name = guest.request.path_params["unit"], _name(guest)
        listens = await guest.events(unit)
        scene = await scene_of(guest, unit)
        if scene.flow.name != "ticket":
            raise NotFound(unit)
        shown = await approval_of(guest, unit, name, _held(scene, name))
        if not shown.text:
            raise NotFound(f"{unit}: {name}")
        events = {call.event for call in scene.why.calls if USER in call.actors}
        may = guest.may("decide")
        text = shown.text if draft is None else draft.text
        return await guest.page(
            "ticket_editor.html", place="board:ticket", status=status, told=told,
            events=listens, scene=scene, shown=shown, name=name,
            title=titled(scene.snapshot.unit.fields) or unit, called=NAMES[name],
            can_save=may and "save_artifact" in events and _is_at_gate(scene, name),
            can_reopen=may and reopening(name) in events, is_edited=name not in WITHOUT_EDIT,
            effects=_effects(guest, scene, reopening(name)), text=text,
            draft=draft, is_stale=draft is not None and draft.base != shown.digest,
            changes=[] if draft is None else compared(shown.text, text),
            saved=guest.asked("saved"),
            **_fields(guest, shown, draft, laid),
        )  # fmt: skip


def _fields(
    guest: Guest, shown: Approval, draft: Draft | None, laid: Laid | None
) -> dict[str, object]:
    """Return the fields of a document, as it stands or as it was laid out."""
    # What was refused is shown as text: there its mistakes have lines.
    if draft is not None or (laid is None and guest.asked("as") != FIELDS):
        return {"branches": (), "laid": None}
    found = laid or Laid(dict(shown.document or {}), base=shown.digest)
    told = {"adds": adds_of(found.document), "shape": canonical.write(found.document)}
    return {"branches": branches(found.document), "laid": found, **told}


def _name(guest: Guest) -> str:
    name = str(guest.request.path_params["name"])
    if name not in REVIEWED:
        raise NotFound(name)
    return name


def _is_at_gate(scene: Scene, name: str) -> bool:
    return review_of(scene.snapshot.unit.status) == name


def _held(scene: Scene, name: str) -> Mapping[str, object]:
    """Return what the ticket holds; what waits at a gate is another document's there."""
    fields = scene.snapshot.unit.fields
    return fields if _is_at_gate(scene, name) else {**fields, "shown": ""}


def _effects(guest: Guest, scene: Scene, event: str) -> tuple[Move, ...]:
    """Return what would move as things stand."""
    calls = [call for call in scene.why.calls if call.event == event]
    return moves(scene.flow, scene.id, calls, "", may=guest.may("decide"))


def mistakes_in(text: str, error: InterlockError) -> tuple[Mistake, ...]:
    """Return what an error says about a text, each with its line where that can be found."""
    if isinstance(error, DocumentInvalid):
        return (Mistake("", error.why, error.line),)
    if not isinstance(error, AnswerInvalid):
        return ()
    known = places(text)
    return tuple(
        Mistake(one.path, f"expected {one.expected}, found {one.found}", line_of(known, one.path))
        for one in error.wrong
    )
