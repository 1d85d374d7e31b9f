"""What the audit says: the bodies of its entries, made from decisions and read back as records.

One entry a change of status, a part made or dropped; fields written right after such a change to
the same things ride in its entry. A cause names the entry it followed from by its sequence.
Folding what is read back gives the unit: that is how an audit is verified.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, cast

from interlock.kernel.entries import Cause, Decision, Drop, Move, New, Write
from interlock.kernel.replay import Record
from interlock.kernel.seen import Actor
from interlock.store.rows import dump, freeze

Body = dict[str, object]
About = tuple[str, bool, tuple[str, ...]]
"""A kind, whether the unit is meant, and otherwise which parts."""

WORDS: Final = frozenset({
    "event", "actor", "at", "change", "kind", "unit", "ids", "signal", "source", "target",
    "cause", "reason", "set", "fields", "after", "parent", "needs", "feeds", "sequence", "told",
})  # fmt: skip
"""What an entry says itself; no caller has a say in it."""


class Records:
    """The entries of one command, in the making."""

    def __init__(self) -> None:
        """Begin with none."""
        self.bodies: list[Body] = []
        self._head: Body = {}
        # Where the entries of the decision at hand have ended up.
        self._places: list[int] = []
        # Of whom the last one speaks, where fields may still be added to it.
        self._about: About | None = None

    def begin(self, decision: Decision) -> None:
        """Go on with another decision."""
        self._head = head(decision.event.name, decision.event.actor, decision.at)
        self._places = []
        self._about = None

    def note(self, told: Mapping[str, object]) -> None:
        """Add what is no change to the first entry of the decision, or make one that says it."""
        place = self._places[0] if self._places else len(self.bodies)
        if place == len(self.bodies):
            self.bodies.append({**self._head, "change": "note"})
        self.bodies[place].update(_apart(told))

    def add(self, entry: Move | Write | Drop, ids: tuple[str, ...]) -> None:
        """Add what happened to the unit (no ids) or to some parts."""
        if isinstance(entry, Write):
            self._write(entry, ids)
            return
        is_unit = entry.who == "unit"
        body = {**self._head, "kind": entry.kind}
        body["unit" if is_unit else "ids"] = True if is_unit else ids
        if entry.reason:
            body["reason"] = entry.reason
        if isinstance(entry, Drop):
            body["change"] = "drop"
            self._add(body)
            return
        _, _, signal, source, target, cause, *_ = entry
        body |= {"change": "move", "signal": signal, "source": source, "target": target}
        if cause.kind != "event":
            body["cause"] = self._cause(cause)
        self._add(body, (entry.kind, is_unit, ids))

    def add_new(
        self,
        entry: New,
        name: str,
        after: str | None,
        parent: str | None,
        needs: tuple[str, ...],
    ) -> None:
        """Add a part that was made."""
        body: Body = {**self._head, "change": "new", "kind": entry.kind, "ids": (name,)}
        body |= {"target": entry.status, "fields": entry.fields}
        links = {"after": after, "parent": parent, "needs": needs, "feeds": entry.feeds}
        body.update({word: value for word, value in links.items() if value})
        self._add(body)

    def add_arranged(self, kind: str, ids: tuple[str, ...]) -> None:
        """Add that parts stand in another order."""
        self._add({**self._head, "change": "arrange", "kind": kind, "ids": ids})

    def _write(self, entry: Write, ids: tuple[str, ...]) -> None:
        who, kind, name, value = entry
        about = (kind, who == "unit", ids)
        if about == self._about:
            written = cast("Body", self.bodies[-1].setdefault("set", {}))
            if name not in written:
                written[name] = value
                self._places.append(len(self.bodies) - 1)
                return
        body = {**self._head, "change": "write", "kind": kind, "set": {name: value}}
        body |= {"unit": True} if who == "unit" else {"ids": ids}
        self._add(body, about)

    def _add(self, body: Body, about: "About | None" = None) -> None:
        self._places.append(len(self.bodies))
        self.bodies.append(body)
        self._about = about

    def _cause(self, cause: Cause) -> Body:
        told: Body = {"kind": cause.kind, "name": cause.name}
        if 0 <= cause.entry < len(self._places):
            # A place among the entries of this command; a sequence once that is known.
            told["after"] = self._places[cause.entry]
        return told

    def texts(self, version: int) -> list[str]:
        """Return the bodies as they are stored, numbered on from the unit's version."""
        found = []
        for place, body in enumerate(self.bodies, version + 1):
            cause = cast("Body | None", body.get("cause"))
            if cause is not None and "after" in cause:
                body["cause"] = {**cause, "after": version + 1 + cast("int", cause["after"])}
            body["sequence"] = place
            found.append(dump(body))
        return found


def _apart(told: Mapping[str, object]) -> Body:
    """Return what a caller tells; what could pass for a word of the entry stands under ``told``."""
    free = {word: value for word, value in told.items() if word not in WORDS}
    taken = {word: value for word, value in told.items() if word in WORDS}
    return {**free, "told": taken} if taken else free


def head(event: str, actor: Actor, at: int) -> Body:
    """Return what every entry of a decision says."""
    return {"event": event, "actor": _told(actor), "at": at}


@lru_cache(maxsize=1024)
def _told(actor: Actor) -> Body:
    """Return who acted; the same few do so again and again, and nobody changes what is told."""
    return {word: value for word, value in actor._asdict().items() if value}


def begun_texts(records: tuple[Record, ...], told: Mapping[str, object]) -> Iterator[str]:
    """Yield the bodies of the entries of a unit that was just made."""
    for place, record in enumerate(records, 1):
        body = {**head(record.event, record.actor, record.at), "sequence": place}
        body |= {"change": record.change, "kind": record.kind, "target": record.target}
        body |= {"unit": True} if record.is_unit else {"ids": record.ids}
        body["fields"] = dict(record.fields)
        links = {"parent": record.parent, "needs": record.needs}
        body.update({word: value for word, value in links.items() if value})
        if place == 1:
            body.update(_apart(told))
        yield dump(body)


def read_body(text: str) -> Body:
    """Read an entry back as it was told."""
    return cast("Body", freeze(json.loads(text)))


def read_records(text: str) -> Iterator[Record]:
    """Read an entry back as the records it stands for."""
    body = read_body(text)
    change = str(body["change"])
    if change == "note":
        return
    written = cast("Mapping[str, object]", body.get("set", {}))
    base = _record(body)
    if change != "write":
        yield base
    for name, value in written.items():
        yield Record(
            "write", base.event, base.actor, base.at, base.kind,
            is_unit=base.is_unit, ids=base.ids, field=name, value=value,
        )  # fmt: skip


def _record(body: Body) -> Record:
    get = body.get
    cause = cast("Body", get("cause") or {"kind": "event", "name": body["event"]})
    fields = cast("Mapping[str, object]", get("fields", {}))
    return Record(
        str(body["change"]), str(get("event", "")), _actor(cast("Body", body["actor"])),
        cast("int", body["at"]), str(get("kind", "")), is_unit="unit" in body,
        ids=cast("tuple[str, ...]", get("ids", ())), signal=str(get("signal", "")),
        source=str(get("source", "")), target=str(get("target", "")),
        cause=Cause(str(cause["kind"]), str(cause["name"])), reason=str(get("reason", "")),
        fields=tuple(fields.items()), after=cast("str | None", get("after")),
        parent=cast("str | None", get("parent")), needs=cast("tuple[str, ...]", get("needs", ())),
        feeds=cast("tuple[str, ...]", get("feeds", ())),
    )  # fmt: skip


def _actor(told: Body) -> Actor:
    return Actor(**cast("dict[str, str]", told))
