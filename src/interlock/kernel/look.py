"""Cut the slice of an event out of a snapshot, exactly as a store would load it.

Only what the event's rule names is filled in, so a rule that reads more fails in every test that
uses a snapshot, not only in front of a database.
"""

from interlock.kernel.draft import Draft
from interlock.kernel.rules import SYSTEM
from interlock.kernel.seen import Actor, Branch, Event, Part, PartId, Seen, Tally, Target
from interlock.kernel.snapshot import Condition, Snapshot, waits
from interlock.kernel.table import claimable
from interlock.kernel.tally import tally
from interlock.kernel.workflow import PartKind, Workflow

NOBODY = Actor(SYSTEM)


def look(flow: Workflow, snapshot: Snapshot, event: Event, counts: Tally | None = None) -> Seen:
    """Return the slice that the event's rule names; raises KeyError for an unknown part.

    Whoever looks at one snapshot many times counts its parts once, and brings that along.
    """
    rule = flow.rule(event.name)
    seen = Seen(snapshot.unit, tally(snapshot.parts) if counts is None else counts)
    part = None if event.part is None else snapshot.part(event.part)
    if part is not None:
        seen.part = part
        seen.waits = waits(flow, snapshot, part)
    if rule is None:
        return seen
    for name in rule.sees:
        _fill(flow, snapshot, event, seen, name)
    return seen


def _fill(flow: Workflow, snapshot: Snapshot, event: Event, seen: Seen, name: str) -> None:
    if name == "current":
        seen.current = current(snapshot)
    elif name == "children":
        seen.children = family(flow, snapshot, event.part)
    elif name == "gate":
        owner = seen.part if isinstance(seen.part, Part) else snapshot.unit
        seen.gate = str(owner.fields.get("shown", ""))
    elif event.part is not None:
        _fill_about(snapshot, event.part, seen, name)


def _fill_about(snapshot: Snapshot, part: PartId, seen: Seen, name: str) -> None:
    """Fill what only an event about a part can see."""
    if name == "parent":
        parent = snapshot.part(part).parent
        seen.parent = None if parent is None else snapshot.part(parent)
    elif name == "dependents":
        place = snapshot.place(part)
        seen.dependents = tally(p for p in snapshot.parts if _needs(p, place, snapshot))
    elif name == "conditions":
        rows = snapshot.conditions.get(part, ())
        seen.conditions = tuple(branch(snapshot, part, row) for row in rows)


def _needs(part: Part, place: int, snapshot: Snapshot) -> bool:
    return any(snapshot.place(need) == place for need in part.needs)


def current(snapshot: Snapshot) -> Part | None:
    """Return the part that the unit's field ``current`` points at."""
    pointer = snapshot.unit.fields.get("current")
    return snapshot.part(pointer) if isinstance(pointer, str | int) else None


def family(flow: Workflow, snapshot: Snapshot, part: PartId | None) -> dict[str, dict[str, int]]:
    """Tally the parts under a part, else under its parent; with no part, under the current one."""
    above = family_head(flow, snapshot, part)
    if above is None:
        return {}
    place = snapshot.place(above)
    return tally(
        p for p in snapshot.parts if p.parent is not None and snapshot.place(p.parent) == place
    )


def family_head(flow: Workflow, snapshot: Snapshot, part: PartId | None) -> PartId | None:
    """Return the part whose family is meant when an event is about ``part``."""
    pointer = snapshot.unit.fields.get("current") if part is None else part
    if not isinstance(pointer, str | int):
        return None
    row = snapshot.part(pointer)
    return row.parent if flow.kind(row.kind).parent and row.parent is not None else pointer


def branch(snapshot: Snapshot, part: PartId, row: Condition) -> Branch:
    """Resolve a condition: where its target stands now, and what lies between."""
    if row.target is None:
        return Branch(row.expression, row.action, row.params)
    place, to = snapshot.place(part), snapshot.place(row.target)
    kind = snapshot.parts[place].kind
    between: dict[str, int] = {}
    for other in snapshot.parts[place + 1 : to]:
        if other.kind == kind:
            between[other.status] = between.get(other.status, 0) + 1
    target = Target(row.target, snapshot.parts[to].status, to > place, between)
    return Branch(row.expression, row.action, row.params, target)


def standing(flow: Workflow, snapshot: Snapshot) -> Draft:
    """Return a draft of the unit as it stands, with nothing sent: for asking forms about it."""
    event = Event("", NOBODY)
    seen = look(flow, snapshot, event)
    seen.current = current(snapshot)
    seen.children = family(flow, snapshot, None)
    return Draft(flow, seen, event, 0)


def next_part(flow: Workflow, snapshot: Snapshot, kind: PartKind) -> PartId | None:
    """Return the part that the queue of a kind hands out next, or None."""
    can = claimable(kind.claimable, flow)
    goes_first = claimable(kind.first, flow)
    best: tuple[bool, int] | None = None
    for place in snapshot.of_kind(kind.name):
        event = Event(kind.claim, NOBODY, snapshot.name(place))
        draft = Draft(flow, look(flow, snapshot, event), event, 0)
        if can(draft):
            rank = (not goes_first(draft), place)
            best = rank if best is None else min(best, rank)
    return None if best is None else snapshot.name(best[1])
