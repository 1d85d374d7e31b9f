"""The tool that groups rows by a field and reduces another field of each group to one value."""

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Final

from interlock.toolbox.around import Around
from interlock.toolbox.tool import VALIDATION, ToolFailure, tool

Number = int | float


def _number(value: Fraction, given: Sequence[Number]) -> Number:
    """Return what was computed exactly: whole where all is whole, else the nearest float."""
    if value.denominator == 1 and all(isinstance(one, int) for one in given):
        return value.numerator
    try:
        return float(value)
    except OverflowError as exc:
        raise ToolFailure(VALIDATION, "The numbers of a group are too large.") from exc


def _sum(values: Sequence[Number]) -> Number:
    return _number(sum(map(Fraction, values), Fraction()), values)


def _mean(values: Sequence[Number]) -> Number:
    return _number(sum(map(Fraction, values), Fraction()) / len(values), values)


REDUCERS: Final[Mapping[str, Callable[[Sequence[Number]], Number]]] = {
    "count": len, "sum": _sum, "min": min, "max": max, "mean": _mean,
}  # fmt: skip


@tool(
    name="group_reduce",
    doc=(
        "Group rows by a field, and reduce another field of each group: count, sum, min, max or"
        " mean. Groups come in the order in which they first occur. count needs no other field."
    ),
    parameters={
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": {"type": "object"}},
            "by": {"type": "string", "description": "The field to group by."},
            "reduce": {"enum": [*REDUCERS]},
            "of": {"type": "string", "description": "The field of numbers to reduce."},
        },
        "required": ["rows", "by", "reduce"],
        "if": {"properties": {"reduce": {"const": "count"}}},
        "else": {"required": ["of"]},
        "additionalProperties": False,
    },
    result={
        "type": "object",
        "properties": {
            "groups": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "key": {"description": "The value of the field they share."},
                        "value": {"type": "number"},
                        "rows": {"type": "integer", "minimum": 1},
                    },
                    "required": ["key", "value", "rows"],
                },
            }
        },
        "required": ["groups"],
    },
)
def group_reduce(arguments: Mapping[str, object], around: Around) -> object:
    """Return one row for each group."""
    del around
    rows, by, how = arguments["rows"], str(arguments["by"]), str(arguments["reduce"])
    of = str(arguments["of"]) if how != "count" else ""
    groups: dict[str, tuple[object, list[Number]]] = {}
    for place, row in enumerate(rows if isinstance(rows, list) else [], 1):
        key = _field(row, by, place)
        # By its JSON: lists and objects can be keys, too, and true is not 1.
        _, values = groups.setdefault(json.dumps(key, sort_keys=True), (key, []))
        values.append(_numeric(_field(row, of, place), of, place) if of else 1)
    reduce = REDUCERS[how]
    return {
        "groups": [
            {"key": key, "value": reduce(values), "rows": len(values)}
            for key, values in groups.values()
        ]
    }


def _field(row: Mapping[str, object], name: str, place: int) -> object:
    if name not in row:
        raise ToolFailure(VALIDATION, f"Row {place} has no field {name!r}.")
    return row[name]


def _numeric(value: object, name: str, place: int) -> Number:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    raise ToolFailure(VALIDATION, f"The field {name!r} of row {place} is no number.")
