"""What a refinement changed, and where that came from.

What changed is computed from the two documents, item by item; what the author says about it only
adds the reason and the inspiration. So a change that nobody told is shown as such, and one that
was told but not made is found out.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from interlock.ticketing.answer import Wrong, place
from interlock.ticketing.checked import Json, part, text
from interlock.ticketing.form import choice, line, listed, remark, shape

MODIFIED: Final = "modified"
ADDED: Final = "added"
REMOVED: Final = "removed"

INSPIRED: Final = "inspired"
UNATTRIBUTED: Final = "unattributed"
INVALID: Final = "invalid"
"""How a change is attributed; invalid where it names a draft or an item that does not exist."""

CHANGES: Final = listed(
    shape(
        {
            "type": choice((MODIFIED, ADDED, REMOVED), "What happened to the item."),
            "item": line("The id of the item, as in the document you return or were given."),
            "reason": remark("Why, in one sentence."),
            "inspiration": shape({
                "draft": line("The label of the draft it came from, exactly as you were shown it."),
                "item": line("The id of the item in that draft."),
            }),
        },
        optional=("reason", "inspiration"),
    ),
    "Every item you changed, added or removed, once; nothing that stayed as it was.",
    most=1000,
)  # fmt: skip


class Inspiration(NamedTuple):
    """Where an idea came from."""

    draft: str
    item: str


class Change(NamedTuple):
    """One item that differs between two documents."""

    type: str
    item: str
    before: Json | None
    after: Json | None
    reason: str = ""
    attribution: str = UNATTRIBUTED
    inspiration: Inspiration | None = None
    is_declared: bool = False

    @property
    def name(self) -> tuple[str, str]:
        """What a declaration must say to mean this change."""
        return self.type, self.item

    def as_json(self) -> dict[str, object]:
        """Return the change as it is kept."""
        came_from = None if self.inspiration is None else self.inspiration._asdict()
        return {**self._asdict(), "inspiration": came_from}


class Attributed(NamedTuple):
    """All changes that were made, and what was declared but is none of them."""

    changes: tuple[Change, ...]
    astray: tuple[Wrong, ...] = ()

    @property
    def undeclared(self) -> tuple[Wrong, ...]:
        """Return a mistake for every change that was made and not declared."""
        return tuple(
            Wrong(place("changes"), f"an entry for {one.item}, which was {one.type}", "none")
            for one in self.changes
            if not one.is_declared
        )


class Revised(NamedTuple):
    """A document after a refinement or revision; warnings tell what was declared but not made."""

    document: dict[str, object]
    changes: tuple[Change, ...]
    warnings: tuple[str, ...]


def difference(before: Mapping[str, Json], after: Mapping[str, Json]) -> tuple[Change, ...]:
    """Return what differs between two documents, both by item: what is now, then what is gone."""
    found = [
        Change(MODIFIED if item in before else ADDED, item, before.get(item), now)
        for item, now in after.items()
        if before.get(item) != now
    ]
    gone = (Change(REMOVED, item, was, None) for item, was in before.items() if item not in after)
    return (*found, *gone)


def attributed(
    declared: Sequence[Json],
    made: Sequence[Change],
    drafts: Mapping[str, Collection[str]],
) -> Attributed:
    """Put what was declared beside what was made; ``drafts`` are the items of each by its label."""
    left = {change.name: change for change in made}
    told: dict[tuple[str, str], Change] = {}
    astray: list[Wrong] = []
    for number, row in enumerate(declared):
        name = (text(row, "type"), text(row, "item"))
        change = left.pop(name, None)
        if change is None:
            expected = "a change that was made" if name not in told else "each change once"
            astray.append(Wrong(place("changes", number), expected, f"{name[1]} {name[0]}"))
        else:
            told[name] = _told(change, row, drafts)
    return Attributed(tuple(told.get(one.name, one) for one in made), tuple(astray))


def _told(change: Change, row: Json, drafts: Mapping[str, Collection[str]]) -> Change:
    came = part(row, "inspiration")
    change = change._replace(reason=text(row, "reason"), is_declared=True)
    if not came:
        return change
    came_from = Inspiration(text(came, "draft"), text(came, "item"))
    is_known = came_from.item in drafts.get(came_from.draft, ())
    return change._replace(attribution=INSPIRED if is_known else INVALID, inspiration=came_from)


def revision(document: dict[str, object], found: Attributed) -> Revised:
    """Return a document with its changes; what was declared in vain is only warned about."""
    warnings = (f"{one.path}: {one.found} was declared but not made" for one in found.astray)
    return Revised(document, found.changes, tuple(warnings))
