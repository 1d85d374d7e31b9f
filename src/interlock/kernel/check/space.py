"""How the checker keeps states: interned units and parts, in a canonical order.

States that no rule can tell apart are merged, where that is sound: a part that can never move
again stands for itself only by its status (its place, fields and what it needed are forgotten,
and what needed it no longer does); where no rule counts parts of the kind, one of each status is
enough; interchangeable parts are sorted; fields that no rule reads, and fences beyond "claimed",
are forgotten too.
"""

from collections.abc import Iterable

from interlock.kernel.check.scope import ALIVE, GONE
from interlock.kernel.forms import All, Any, Count, Form, In, leaves
from interlock.kernel.seen import Part, PartId, Unit
from interlock.kernel.tally import tally
from interlock.kernel.workflow import Field, PartKind, Workflow

Parts = tuple[Part, ...]
State = tuple[Unit, Parts]


class Space:
    """Interns what states are made of and brings them into canonical form."""

    def __init__(self, flow: Workflow) -> None:
        """Prepare for one workflow."""
        self.flow = flow
        self._units: dict[tuple[object, ...], Unit] = {}
        self._parts: dict[tuple[object, ...], Part] = {}
        self._keys: dict[Part, tuple[object, ...]] = {}
        self._canonical: dict[Parts, tuple[Parts, tuple[int, ...]]] = {}
        self._shown: dict[Parts, Parts] = {}
        self._tallies: dict[Parts, tuple[int, dict[str, dict[str, int]]]] = {}
        self._tally_ids: dict[tuple[object, ...], int] = {}
        self._moved: dict[tuple[Part, str], Part] = {}
        self._rank = {kind.name: i for i, kind in enumerate(flow.parts)}
        self._ordered = {kind.name: kind.is_ordered for kind in flow.parts}
        self._unread = {kind.name: _unread(kind.fields) for kind in (*flow.parts,)}
        self._unit_unread = _unread(flow.fields)
        self._dead = {
            (kind.name, status)
            for kind in flow.parts
            for status in kind.machine.names("terminal")
            if not any(e.source == status for e in kind.machine.edges)
        }
        # Units that no rule moves any more: only the statuses of their parts are of interest.
        self._ended = {
            status
            for status in flow.unit.names("terminal")
            if not any(rule.admits(status, "") for rule in flow.table.rules.values())
            and not any(
                rule.unit_statuses is None or status in rule.unit_statuses
                for rule in flow.table.rules.values()
            )
        }
        self._alias = {
            (kind.name, status): alias
            for kind in flow.parts
            for status, alias in _aliases(flow, kind, self._dead).items()
        }
        self._counted = {kind.name for kind in flow.parts if _is_counted(flow, kind.name)}
        self._missed = set(_missed(flow))

    def unit(self, status: str, fields: dict[str, object]) -> Unit:
        """Return the one unit object with these values."""
        kept = {**fields, **self._unit_unread}
        key = (status, *kept.values())
        unit = self._units.get(key)
        if unit is None:
            unit = self._units[key] = Unit(status, kept)
        return unit

    def part(self, part: Part) -> Part:
        """Return the one part object with these values."""
        kept = {**part.fields, **self._unread[part.kind]}
        if kept.get("fence"):
            kept["fence"] = 1
        if kept.get("holder") is not None and kept["holder"] != GONE:
            kept["holder"] = ALIVE
        key = (part.kind, part.status, part.parent, part.needs, *kept.values())
        known = self._parts.get(key)
        if known is None:
            known = Part(part.kind, part.status, kept, part.parent, part.needs)
            self._parts[key] = known
            self._keys[known] = tuple(map(repr, key))
        return known

    def moved(self, part: Part, status: str) -> Part:
        """Return the part in another status."""
        key = (part, status)
        known = self._moved.get(key)
        if known is None:
            fields = self.flow.table.cleared(part.kind, part.status, status, part.fields)
            known = self._moved[key] = self.part(
                Part(part.kind, status, fields, part.parent, part.needs)
            )
        return known

    def written(self, part: Part, name: str, value: object) -> Part:
        """Return the part with another value in a field."""
        fields = {**part.fields, name: value}
        return self.part(Part(part.kind, part.status, fields, part.parent, part.needs))

    def tally(self, parts: Parts) -> tuple[int, dict[str, dict[str, int]]]:
        """Return the tally of parts, with a number that equal tallies share."""
        known = self._tallies.get(parts)
        if known is None:
            counted = tally(parts)
            key = tuple(sorted((k, *sorted(v.items())) for k, v in counted.items()))
            number = self._tally_ids.setdefault(key, len(self._tally_ids))
            known = self._tallies[parts] = (number, counted)
        return known

    def state(self, unit: Unit, parts: Parts) -> State:
        """Return the canonical state; the unit's pointer follows its part."""
        if unit.status in self._ended:
            shown = self._shown.get(parts)
            if shown is None:
                shown = tuple(sorted(map(self._blank, parts), key=self._keys.__getitem__))
                self._shown[parts] = shown
            return (unit, shown)
        canonical, places = self.canonical(parts)
        pointer = unit.fields.get("current")
        if isinstance(pointer, int) and places[pointer] != pointer:
            unit = self.unit(unit.status, {**unit.fields, "current": places[pointer]})
        return (unit, canonical)

    def canonical(self, parts: Parts) -> tuple[Parts, tuple[int, ...]]:
        """Return parts in canonical order, and for each old place its new one."""
        known = self._canonical.get(parts)
        if known is None:
            known = self._canonical[parts] = self._arrange(parts)
        return known

    def is_dead(self, part: Part) -> bool:
        """Say whether a part can never move again."""
        return (part.kind, part.status) in self._dead

    def is_alike(self, part: Part) -> bool:
        """Say whether parts of this kind are interchangeable."""
        return not self._ordered[part.kind]

    def _arrange(self, parts: Parts) -> tuple[Parts, tuple[int, ...]]:
        order = sorted(self._kept(parts), key=lambda place: self._sort_key(parts, place))
        places = [-1] * len(parts)
        for new, old in enumerate(order):
            places[old] = new
        # A part that was merged away is represented by one of its kind and status.
        for old, part in enumerate(parts):
            if places[old] < 0:
                places[old] = self._stand_in(parts, order, part)
        arranged = tuple(self._placed(parts[old], parts, places) for old in order)
        return arranged, tuple(places)

    def _kept(self, parts: Parts) -> Iterable[int]:
        seen: set[tuple[str, str]] = set()
        for place, part in enumerate(parts):
            is_missed = (part.kind, part.status) in self._missed
            if part.parent is not None and self.is_dead(parts[_place(part.parent)]):
                if is_missed:
                    yield place
                continue
            if self.is_dead(part) and part.kind not in self._counted and part.parent is None:
                if self._known_as(part) in seen:
                    continue
                seen.add(self._known_as(part))
            yield place

    def _known_as(self, part: Part) -> tuple[str, str]:
        """Return the kind and the status that a part goes by once it is dead."""
        return (part.kind, self._alias.get((part.kind, part.status), part.status))

    def _sort_key(self, parts: Parts, place: int) -> tuple[object, ...]:
        part = parts[place]
        if self.is_dead(part):
            return (self._rank[part.kind], 0, (self._known_as(part), str(part.parent)), place)
        if self._ordered[part.kind]:
            return (self._rank[part.kind], 1, (), place)
        return (self._rank[part.kind], 1, self._keys[part], place)

    def _stand_in(self, parts: Parts, order: list[int], gone: Part) -> int:
        for new, old in enumerate(order):
            if self._known_as(parts[old]) == self._known_as(gone):
                return new
        return -1

    def _placed(self, part: Part, parts: Parts, places: list[int]) -> Part:
        parent = None if part.parent is None else places[_place(part.parent)]
        if self.is_dead(part):
            return self._blank(part, parent)
        needs = tuple(
            places[_place(need)]
            for need in part.needs
            if not (self.is_dead(parts[_place(need)]) and self._is_closed(parts[_place(need)]))
        )
        if parent == part.parent and needs == part.needs:
            return part
        return self.part(Part(part.kind, part.status, part.fields, parent, needs))

    def _blank(self, part: Part, parent: PartId | None = None) -> Part:
        _, status = self._known_as(part)
        blank = self.flow.kind(part.kind).defaults()
        return self.part(Part(part.kind, status, blank, parent))

    def _is_closed(self, part: Part) -> bool:
        return part.status in self.flow.kind(part.kind).closed


def _place(part: PartId) -> int:
    if not isinstance(part, int):
        raise TypeError(part)
    return part


def _unread(fields: tuple[Field, ...]) -> dict[str, object]:
    return {f.name: f.default for f in fields if not f.is_read}


def _forms(flow: Workflow) -> Iterable[Form]:
    for machine in flow.machines():
        yield from (g.test for edge in machine.edges for g in edge.guards)
    for kind in flow.parts:
        yield from (form for form in (kind.claimable, kind.first) if form is not None)
    for rule in flow.rules:
        yield from (g.test for g in rule.guards)
        yield from (s.when for s in rule.walk if s.when is not None)
    yield from (lift.when for lift in flow.lifts)
    yield from (c.when for c in flow.cascades if c.when is not None)
    yield from (pair.holds for pair in flow.pairs)


def _aliases(flow: Workflow, kind: PartKind, dead: set[tuple[str, str]]) -> dict[str, str]:
    """Map dead statuses that no form can tell apart to the first of them."""
    found = [leaf for form in _forms(flow) for leaf in leaves(form)]
    sets = [kind.closed]
    for leaf in found:
        # Which part stands in a role is not known here: it may be any.
        if isinstance(leaf, All | Any | Count):
            sets += [frozenset(leaf.statuses)] if leaf.kind == kind.name else []
        elif isinstance(leaf, In) and leaf.who != "unit":
            sets.append(frozenset(leaf.statuses))
    seen: dict[tuple[bool, ...], str] = {}
    statuses = [s for s in kind.machine.names("terminal") if (kind.name, s) in dead]
    return {s: seen.setdefault(tuple(s in one for one in sets), s) for s in statuses}


def _missed(flow: Workflow) -> Iterable[tuple[str, str]]:
    """Yield what some form would miss: a kind and status that it asks of the whole unit."""
    for form in _forms(flow):
        for leaf in leaves(form):
            if isinstance(leaf, All | Any | Count) and leaf.of == "unit":
                is_any = isinstance(leaf, Any) or (isinstance(leaf, Count) and leaf.statuses)
                names = leaf.statuses if is_any else flow.machine(leaf.kind).names()
                yield from ((leaf.kind, name) for name in names)


def _is_counted(flow: Workflow, kind: str) -> bool:
    return any(
        isinstance(leaf, Count) and leaf.kind == kind
        for form in _forms(flow)
        for leaf in leaves(form)
    )
