"""What a decision makes of a state of the checker: the same as ``replay.apply``, without names.

States have no ids, only places, and places shift when a part is made or dropped. So entries are
applied to handles (the old places, then one number for each new part), and handles become
places again at the end. A property test holds this equal to folding the records.
"""

from interlock.kernel.check.space import Parts, Space
from interlock.kernel.entries import Decision, Drop, Entry, Move, New, Write
from interlock.kernel.seen import Part, Unit


class _Sheet:
    """A state under change."""

    __slots__ = (
        "ahead", "head", "made", "order", "parts", "place", "shape", "space", "status", "unit",
    )  # fmt: skip
    head: int | None

    def __init__(
        self, space: Space, unit: Unit, parts: Parts, place: int, ahead: tuple[int, ...]
    ) -> None:
        self.space = space
        self.status = unit.status
        self.unit = unit.fields
        self.parts: list[Part | None] = list(parts)
        self.order: list[int] | None = None
        self.made: list[int] = []
        self.place = place
        self.ahead = ahead
        self.shape = False


def after(
    space: Space, unit: Unit, parts: Parts, place: int, decision: Decision, ahead: tuple[int, ...]
) -> tuple[Unit, Parts]:
    """Return unit and parts after a decision about the part at ``place``, not yet canonical.

    ``ahead`` gives, for each branch that hung on the part, how many places on its target is.
    """
    sheet = _Sheet(space, unit, parts, place, ahead)
    about = unit.fields.get("current") if decision.event.part is None else place
    sheet.head = _family_head(space, parts, about)
    for entry in decision.entries:
        if type(entry) is Move and entry.who == "unit":
            if sheet.status != entry.target:
                sheet.unit = space.flow.table.cleared(
                    entry.kind, entry.source, entry.target, sheet.unit
                )
            sheet.status = entry.target
        elif type(entry) is Write and entry.who == "unit":
            sheet.unit = {**sheet.unit, entry.field: entry.value}
        else:
            _change(sheet, entry)
    if sheet.shape:
        _close_ranks(sheet)
    new_parts = tuple(part for part in sheet.parts if part is not None)
    if sheet.status == unit.status and sheet.unit is unit.fields:
        return unit, new_parts
    return space.unit(sheet.status, sheet.unit), new_parts


def _family_head(space: Space, parts: Parts, about: object) -> int | None:
    """Return the place of the part whose family is meant, as ``look`` does by name."""
    if not isinstance(about, int):
        return None
    part = parts[about]
    if part.parent is not None and space.flow.kind(part.kind).parent:
        return _number(part.parent)
    return about


def _change(sheet: _Sheet, entry: Entry) -> None:
    space = sheet.space
    if isinstance(entry, New):
        _insert(sheet, entry)
        return
    for handle in _handles(sheet, entry):
        part = sheet.parts[handle]
        if part is None:
            continue
        if isinstance(entry, Move):
            sheet.parts[handle] = space.moved(part, entry.target)
        elif isinstance(entry, Write):
            sheet.parts[handle] = space.written(part, entry.field, entry.value)
        else:
            sheet.parts[handle] = None
            sheet.shape = True


def _handles(sheet: _Sheet, entry: Move | Write | Drop) -> tuple[int, ...]:
    if entry.who in ("part", "parent", "current"):
        return (_role(sheet, entry.who),)
    return tuple(
        handle
        for handle, part in enumerate(sheet.parts)
        if part is not None and part.kind == entry.kind and _is_meant(sheet, entry, handle, part)
    )


def _role(sheet: _Sheet, who: str) -> int:
    if who == "part":
        return sheet.place
    return _number(_at(sheet, sheet.place).parent if who == "parent" else sheet.unit["current"])


def _is_meant(sheet: _Sheet, entry: Move | Write | Drop, handle: int, part: Part) -> bool:
    if isinstance(entry, Move) and part.status != entry.source:
        return False
    if isinstance(entry, Drop) and entry.sources and part.status not in entry.sources:
        return False
    if entry.who == "all":
        return True
    if entry.who == "children":
        return part.parent is not None and part.parent == sheet.head
    if entry.who == "dependents":
        return sheet.place in part.needs
    # A range: handles are still the old places here, because branches act before parts are made.
    branch = entry.branch if isinstance(entry, Move) else 0
    return sheet.place < handle < sheet.place + sheet.ahead[branch]


def _insert(sheet: _Sheet, entry: New) -> None:
    handle = len(sheet.parts)
    parent = _role(sheet, entry.parent) if entry.parent else None
    needs = (*(sheet.made[i] for i in entry.needs), *entry.uses)
    made = sheet.space.part(Part(entry.kind, entry.status, entry.fields, parent, needs))
    order = sheet.order if sheet.order is not None else list(range(handle))
    if entry.after:
        last = _role(sheet, entry.after)
        last = sheet.made[-1] if sheet.made and last == sheet.place else last
        order.insert(order.index(last) + 1, handle)
    else:
        order.append(handle)
    sheet.parts.append(made)
    for fed in entry.feeds:
        old = _at(sheet, _number(fed))
        sheet.parts[_number(fed)] = sheet.space.part(
            Part(old.kind, old.status, old.fields, old.parent, (*old.needs, handle))
        )
    sheet.made.append(handle)
    sheet.order = order
    sheet.shape = True


def _close_ranks(sheet: _Sheet) -> None:
    """Turn handles into places, and forget what pointed at dropped parts."""
    order = sheet.order if sheet.order is not None else list(range(len(sheet.parts)))
    kept = [handle for handle in order if sheet.parts[handle] is not None]
    places = {handle: place for place, handle in enumerate(kept)}
    sheet.parts = [_moved_refs(sheet.space, _at(sheet, handle), places) for handle in kept]
    pointer = sheet.unit.get("current")
    if isinstance(pointer, int):
        sheet.unit = {**sheet.unit, "current": places.get(pointer)}


def _moved_refs(space: Space, part: Part, places: dict[int, int]) -> Part:
    parent = None if part.parent is None else places.get(_number(part.parent))
    needs = tuple(places[_number(need)] for need in part.needs if need in places)
    if parent == part.parent and needs == part.needs:
        return part
    return space.part(Part(part.kind, part.status, part.fields, parent, needs))


def _at(sheet: _Sheet, handle: int) -> Part:
    part = sheet.parts[handle]
    if part is None:
        raise KeyError(handle)
    return part


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(value)
    return value
