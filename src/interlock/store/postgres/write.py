"""Spell a change out as the arguments of the function that commits it.

Rows become columns: one list for each column, none at all where there are no rows. The order is
that of ``call_commit``.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from interlock.store.gates import Closed, Opened
from interlock.store.postgres.load import queues
from interlock.store.rows import (
    PartRow,
    dump,
    lease_columns,
    part_body,
    part_columns,
    part_number,
)
from interlock.store.script import Change, Document, Kinds

Arguments = tuple[object, ...]

ENTRY_COLUMNS: Final = 4
LINK_COLUMNS: Final = 3
CONDITION_COLUMNS: Final = 6
ARTIFACT_COLUMNS: Final = 7
PART_COLUMNS: Final = 16
DOCUMENT_COLUMNS: Final = len(Document._fields)
CLOSED_COLUMNS: Final = len(Closed._fields)
OPENED_COLUMNS: Final = len(Opened._fields)
SHORT: Final = 2
"""So many parts and entries the short commit can take: one handed in, and the next one taken."""
NO_KEY: Final = (None, None, None)
NO_ENTRY: Final = (None, None)
NO_PART: Final = (None,) * 8
NO_ARTIFACT: Final = (None,) * ARTIFACT_COLUMNS
NO_QUEUE: Final = (None, None)
NO_SKILL: Final = (None,) * 5
NO_CARD: Final = (None,) * 3


def is_short(change: Change) -> bool:
    """Say whether the short commit can write a change: one or two parts moved, little else."""
    return (
        change.is_moved_only
        and 0 < len(change.parts) <= SHORT
        and 0 < len(change.entries) <= SHORT
        and change.overdue is None
        and _are_moved(change)
        and len(change.artifacts) <= 1
        and _stirs_one(change.kinds)
        and not (change.made or change.gone or change.links or change.conditions or change.tags)
        and not is_wide(change)
    )


def _are_moved(change: Change) -> bool:
    """Say whether parts only move, and what runs anew of them, if anything, is no timer."""
    for row in change.parts:
        is_leased = row.number not in change.leases or lease_columns(row.part)[0] is not None
        if not is_leased or row.number not in change.moved:
            return False
    return True


def _stirs_one(kinds: Kinds) -> bool:
    """Say whether one queue is stirred at most."""
    return not kinds or (len(kinds) == 1 and len(kinds[0][1]) <= 1)


def move_arguments(change: Change) -> Arguments:
    """Return all that ``call_move`` takes, for a change that is short."""
    unit, (row, *others), (*earlier, entry) = change.unit, change.parts, change.entries
    queue = [(kind, one) for kind, statuses in change.kinds for one in statuses]
    first = (earlier[0].body, earlier[0].hash) if earlier else NO_ENTRY
    return (
        change.tenant, unit.id, change.before, entry.at, *(change.key or NO_KEY), change.reply,
        unit.unit.status, unit.version, unit.head, dump(unit.tally), unit.changed_at, entry.body,
        *first, *_moved(change, row), *(_moved(change, others[0]) if others else NO_PART),
        *(change.artifacts[0] if change.artifacts else NO_ARTIFACT),
        *(queue[0] if queue else NO_QUEUE),
    )  # fmt: skip


def _moved(change: Change, row: PartRow) -> Arguments:
    return (
        row.number, row.part.status, row.offer, *lease_columns(row.part),
        change.leases.get(row.number), change.bodies.get(row.number),
    )  # fmt: skip


def commit_arguments(change: Change) -> Arguments:
    """Return all that ``call_commit`` takes."""
    kinds, statuses = queues(change.kinds)
    return (
        change.tenant, change.unit.id, change.before, change.at, change.overdue,
        *(change.key or NO_KEY), change.reply,
        *_unit(change), *_columns(change.entries, ENTRY_COLUMNS), *_parts(change),
        *_beside(change), *(change.skill or NO_SKILL), kinds, statuses,
    )  # fmt: skip


def is_wide(change: Change) -> bool:
    """Say whether a change has what few have: documents, a card, gates, or timers of the unit."""
    rows = change.documents or change.closed or change.opened or change.card
    return bool(rows) or change.lasts is not None or change.stops


def wide_arguments(change: Change) -> Arguments:
    """Return all that ``call_commit_wide`` takes."""
    return (
        *commit_arguments(change), *_columns(change.documents, DOCUMENT_COLUMNS),
        *_columns(change.closed, CLOSED_COLUMNS), *_columns(change.opened, OPENED_COLUMNS),
        *(change.card or NO_CARD), change.lasts, change.stops,
    )  # fmt: skip


def _columns(rows: Sequence[Sequence[object]], width: int) -> Iterable[object]:
    """Turn rows on their side; no rows are no lists."""
    return zip(*rows, strict=True) if rows else (None,) * width


def _unit(change: Change) -> Arguments:
    row = change.unit
    # A unit that is not new keeps its body where the change has none.
    body = change.body if change.before else dump(row.unit.fields)
    return (
        row.workflow, row.digest, row.unit.status, row.version, row.head, row.made, row.takes,
        dump(row.tally), body, row.created_at, row.changed_at, row.ended_at,
    )  # fmt: skip


def _parts(change: Change) -> Arguments:
    # Who gives a slot up comes before who takes it: at most one may have it at any time.
    changed = sorted(change.parts, key=_takes_a_slot)
    leases = change.leases
    rows = [
        (row.number, *part_columns(row), leases.get(row.number), change.bodies.get(row.number))
        for row in changed
    ]
    rows += [
        (row.number, *part_columns(row), leases.get(row.number), part_body(row.part))
        for row in change.made
    ]
    kinds = parents = None
    if change.made:
        old = [None] * len(changed)
        kinds = [*old, *(row.part.kind for row in change.made)]
        parents = [*old, *(_parent(row) for row in change.made)]
    return (
        *_columns(rows, PART_COLUMNS), len(changed), kinds, parents,
        list(change.gone) or None,
    )  # fmt: skip


def _takes_a_slot(row: PartRow) -> bool:
    return row.slot is not None


def _parent(row: PartRow) -> int | None:
    parent = row.part.parent
    return None if parent is None else part_number(str(parent))


def _beside(change: Change) -> Arguments:
    """Spell out what belongs to a unit beside its parts; the first says whether there is any."""
    return (
        bool(change.links or change.conditions or change.tags or change.artifacts),
        *_columns(change.links, LINK_COLUMNS),
        *_columns(change.conditions, CONDITION_COLUMNS),
        list(change.tags) or None,
        *_columns(change.artifacts, ARTIFACT_COLUMNS),
    )
