"""Settle the interlock after a walk: cascades down, lifts up, until nothing moves any more.

It runs once, at the end: a walk may pass through statuses that must not be acted on (a part that
fails only to be handed out again must not finish its unit). Lifts are level-triggered, never
move a unit that has ended, and every move they make is recorded with its cause. At rest the
legal pairs are checked; one that does not hold is a bug in the tables, and nothing is written.
"""

from interlock.kernel.draft import Draft
from interlock.kernel.entries import Cause, Move
from interlock.kernel.refusal import IllegalPair, Looping
from interlock.kernel.rules import Cascade
from interlock.kernel.seen import Part, Unit
from interlock.kernel.table import CompiledCascade

ROUNDS_MAX = 32
"""More rounds than any sound table needs; a workflow that passes it is looping."""


def settle(draft: Draft) -> None:
    """Bring cascades and lifts to rest, then check the legal pairs.

    Where every lift and pair only asks which statuses occur among the parts, the answer for one
    set of statuses is the answer for all tallies with that set: it is kept, and asked once.
    """
    table = draft.table
    kinds = None if draft.reactions else table.watched.get(draft.unit.status)
    if kinds is None:
        _come_to_rest(draft)
        return
    resting = draft.presence(kinds)
    if resting not in table.calm and not _come_to_rest(draft):
        table.calm.add(resting)


def _come_to_rest(draft: Draft) -> int:
    """Follow cascades and lifts until nothing moves; return in how many rounds something did."""
    for rounds in range(ROUNDS_MAX):
        if draft.reactions:
            place, *rest = draft.reactions
            draft.reactions = tuple(rest)
            entry = draft.entries[place]
            if isinstance(entry, Move):
                _follow(draft, entry, place)
        elif not _lift(draft):
            check_pairs(draft)
            return rounds
    message = f"{draft.event.name} does not come to rest after {ROUNDS_MAX} rounds"
    raise Looping(message)


def check_pairs(draft: Draft) -> None:
    """Raise ``IllegalPair`` for the first legal pair that does not hold."""
    for check, pair in draft.table.pairs[draft.unit.status]:
        if not check(draft):
            unit, status, event = draft.flow.unit.name, draft.unit.status, draft.event.name
            left = f"{event} leaves the {unit} {status}" if event else f"The {unit} is {status}"
            message = f"{left}, where it must hold that {pair.holds.words()} ({pair.name})"
            raise IllegalPair(message)


def _follow(draft: Draft, move: Move, entry: int) -> None:
    table = draft.table
    for cascade in table.leaving.get((move.kind, move.source), ()):
        _cascade(draft, cascade, entry)
    for cascade in table.entering.get((move.kind, move.target), ()):
        if move.who == "unit" and draft.unit.status != move.target:
            continue
        _cascade(draft, cascade, entry)


def _cascade(draft: Draft, cascade: CompiledCascade, entry: int) -> None:
    if cascade.check is not None and not cascade.check(draft):
        return
    row = cascade.row
    before = draft.cause
    draft.cause = Cause("cascade", row.name, entry)
    if row.fire:
        _fire(draft, row)
    if cascade.run is not None:
        cascade.run(draft)
    draft.cause = before


def _fire(draft: Draft, row: Cascade) -> None:
    if row.whom == "all":
        draft.move_all(row.to, row.fire, row.reason)
    elif row.whom == "children":
        draft.move_children(row.to, row.fire, row.reason)
    elif row.whom == "dependents":
        draft.move_dependents(row.to, row.fire, row.reason)
    else:
        draft.fire(row.whom, row.fire, maybe=True, reason=row.reason)


def _lift(draft: Draft) -> bool:
    """Take the first lift that has an edge and whose test holds; say whether one was taken."""
    table = draft.table
    status = draft.unit.status
    if status in table.terminal:
        return False
    for lift in table.lifts[status]:
        row = lift.row
        live: Unit | Part = draft.unit
        edge = lift.edge
        if row.who != "unit":
            above = draft.live_part(row.who) if draft.is_loaded(row.who) else None
            if above is None:
                continue
            live, edge = above, table.edges[above.kind].get((above.status, row.fire))
        if edge is None or not lift.check(draft):
            continue
        draft.cause = Cause("lift", row.name, len(draft.entries) - 1)
        draft.take(live, edge, row.reason)
        draft.cause = None
        return True
    return False
