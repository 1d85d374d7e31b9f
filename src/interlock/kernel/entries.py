"""What a decision is made of: moves, fields written, parts made and dropped, and why.

Entries speak of roles (the unit, the part, its parent, all of a kind) and not of ids, so that a
decision is as small for ten thousand parts as for ten. Nothing here does anything.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from interlock.kernel.seen import Event, Part, PartId, Unit

# Calling a named tuple's class costs three times what its fields are worth; on the way that
# every decision takes, ``make(Write, (...))`` makes the same tuple.
make: Final = tuple.__new__


class Cause(NamedTuple):
    """Why an entry was written: the event itself, a lift, or a cascade from an earlier entry."""

    kind: str
    name: str
    entry: int = -1


class Move(NamedTuple):
    """A status changed. ``who`` is unit, part, parent or current; all or range for a bulk move.

    A bulk move covers every part of the kind that stood in ``source`` (of the whole unit, or
    between the part and a branch's target); ``size`` says how many.
    """

    who: str
    kind: str
    signal: str
    source: str
    target: str
    cause: Cause
    reason: str = ""
    size: int = 1
    branch: int = -1


class Write(NamedTuple):
    """A field changed. ``who`` as in ``Move``."""

    who: str
    kind: str
    field: str
    value: object


class New(NamedTuple):
    """A part was made, after another one or at the end, needing others by place among the new.

    Parts that were there before are named by id: it ``uses`` (needs) some and ``feeds`` others,
    which need it from now on.
    """

    kind: str
    status: str
    fields: dict[str, object]
    after: str = ""
    parent: str = ""
    needs: tuple[int, ...] = ()
    uses: tuple[PartId, ...] = ()
    feeds: tuple[PartId, ...] = ()


class Drop(NamedTuple):
    """A part (or with ``all`` and ``children`` every one of a kind) left the tally for good.

    With ``sources`` only those of many that stood in one of these statuses.
    """

    who: str
    kind: str
    reason: str = ""
    sources: tuple[str, ...] = ()


Entry = Move | Write | New | Drop


class Decision(NamedTuple):
    """What an event does. Nothing has happened yet.

    ``unit``, ``part`` and ``tally`` are how things stand afterwards; ``entries`` get them there.
    """

    event: Event
    at: int
    unit: Unit
    part: Part | None
    tally: Mapping[str, Mapping[str, int]]
    entries: tuple[Entry, ...]
    notes: Mapping[str, object]

    @property
    def status(self) -> str:
        """Where the unit stands afterwards."""
        return self.unit.status
