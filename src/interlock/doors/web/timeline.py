"""What has happened to a unit, entry by entry, in words: for the list below the slider."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from interlock.store.port import AuditRow

SAID: Final = ("reason", "feedback", "note", "summary", "rationale", "error")
"""What somebody may have said with it, the first that is there."""

SAID_MAX: Final = 300


class Branch(NamedTuple):
    """A condition that was asked: how it was answered, and what came of that."""

    expression: str
    value: bool
    action: str
    is_applied: bool
    why_not: str


class Entry(NamedTuple):
    """One entry as it is listed."""

    sequence: int
    at: int
    what: str
    about: tuple[str, ...]
    source: str
    target: str
    actor: Mapping[str, str]
    said: str
    branches: tuple[Branch, ...]


def entries(rows: Sequence[AuditRow]) -> list[Entry]:
    """Tell entries of the audit, the newest first."""
    return [_entry(row) for row in reversed(rows)]


def _entry(row: AuditRow) -> Entry:
    body: dict[str, object] = json.loads(row.link.body)
    # What somebody said comes before the word that the rules have for it.
    told = {**body, **cast("Mapping[str, object]", body.get("told") or {})}
    said = next((str(told[word]) for word in SAID if told.get(word)), "")
    return Entry(
        sequence=row.link.sequence, at=row.link.at, what=_what(body),
        about=tuple(map(str, cast("list[str]", body.get("ids") or []))),
        source=str(body.get("source") or ""), target=str(body.get("target") or ""),
        actor=cast("Mapping[str, str]", body["actor"]), said=said[:SAID_MAX],
        branches=tuple(branches(body)),
    )  # fmt: skip


def _what(body: Mapping[str, object]) -> str:
    """Name an entry: a change by the event that made it, a part that came or went as that."""
    change, event = str(body["change"]), str(body["event"])
    names = {"new": "added", "drop": "removed", "arrange": "put in another order", "begin": "made"}
    return names.get(change, str(body.get("decision") or event).replace("_", " "))


def branches(body: Mapping[str, object]) -> Iterator[Branch]:
    """Tell the conditions that an entry says were asked."""
    for one in cast("list[Mapping[str, object]]", body.get("branches") or []):
        yield Branch(
            str(one.get("expression", "")), bool(one.get("value")),
            str(one.get("action", "")).replace("_", " "), bool(one.get("applied")),
            str(one.get("why_not", "")),
        )  # fmt: skip
