"""What an event changes that no rule looks at: the order of parts, their branches, their content.

It is written in the same commit as the event it came with, and told in the same audit.
"""

from collections.abc import Generator, Iterable
from dataclasses import replace

from interlock.kernel.entries import Write
from interlock.kernel.seen import Part, Unit
from interlock.kernel.workflow import Field
from interlock.service.errors import NotFound
from interlock.service.order import Arrangement, Branches, Filled
from interlock.service.sheet import Sheet
from interlock.store.rows import dump, part_number
from interlock.store.script import Answer, Ask, Condition


def change(sheet: Sheet, also: Branches | Arrangement | Filled) -> Generator[Ask, Answer, None]:
    """Carry it out on the work sheet; raises ``NotFound`` for a part that is not there."""
    if isinstance(also, Arrangement):
        yield from _arrange(sheet, also)
    elif isinstance(also, Filled):
        yield from _fill(sheet, also)
    else:
        yield from _hang(sheet, also)


def _arrange(sheet: Sheet, also: Arrangement) -> Generator[Ask, Answer, None]:
    rows = yield from sheet.find(ids=also.parts)
    if len(rows) != len(also.parts):
        known = {row.id for row in rows}
        raise NotFound(next(name for name in also.parts if name not in known))
    places = sorted(row.ord for row in rows)
    for row, place in zip(rows, places, strict=True):
        if row.ord != place:
            sheet.put(replace(row, ord=place))
    sheet.records.add_arranged(also.kind, also.parts)


def _fill(sheet: Sheet, also: Filled) -> Generator[Ask, Answer, None]:
    if also.part == sheet.name:
        _write(sheet, also, sheet.flow.unit.name, sheet.flow.fields)
        sheet.unit = Unit(sheet.unit.status, {**sheet.unit.fields, **also.fields})
        return
    rows = yield from sheet.find(ids=(also.part,))
    if not rows:
        raise NotFound(also.part)
    part = rows[0].part
    _write(sheet, also, part.kind, sheet.flow.kind(part.kind).fields)
    fields = {**part.fields, **also.fields}
    sheet.put(replace(rows[0], part=Part(part.kind, part.status, fields, part.parent)))


def _write(sheet: Sheet, also: Filled, kind: str, fields: Iterable[Field]) -> None:
    """Record what is written; that a rule reads it would be a mistake of ours."""
    known = {one.name for one in fields if not one.is_read}
    is_unit = also.part == sheet.name
    for name, value in also.fields.items():
        if name not in known:
            message = f"{kind} has no field {name} that rules leave alone"
            raise AssertionError(message)
        entry = Write("unit" if is_unit else "part", kind, name, value)
        sheet.records.add(entry, () if is_unit else (also.part,))


def _hang(sheet: Sheet, also: Branches) -> Generator[Ask, Answer, None]:
    rows = yield from sheet.find(ids=(also.part,))
    if not rows:
        raise NotFound(also.part)
    row = rows[0]
    if row.branches:
        sheet.conditions.append(Condition(row.number, 0, "", "", "{}", None))
    for place, one in enumerate(also.rows, 1):
        target = None if one.target is None else part_number(one.target)
        params = dump(dict(one.params))
        sheet.conditions.append(
            Condition(row.number, place, one.expression, one.action, params, target)
        )
    sheet.put(replace(row, branches=len(also.rows)))
