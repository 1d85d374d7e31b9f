"""What a rule sees around its part, asked of the store, and the slice that is made of it."""

from collections.abc import Generator
from functools import cache, lru_cache
from typing import cast

from interlock.kernel.expression import Expression, Grammar, parse
from interlock.kernel.rules import Rule
from interlock.kernel.seen import Branch, Part, Seen, Target
from interlock.kernel.workflow import Workflow
from interlock.service.sheet import Sheet
from interlock.store.rows import PartRow
from interlock.store.script import Answer, Around, Ask, Branching, Find, Surroundings

# The rest of what a rule may see stands in the rows of the unit and the part.
ASKED = frozenset({"parent", "current", "children", "dependents", "conditions"})


CONDITIONS = ("conditions",)
NOTHING = Surroundings()


@cache
def _asked(sees: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in sees if name in ASKED)


@cache
def _filled(sees: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in sees if name in ASKED or name == "gate")


def looks_around(rule: Rule, part: PartRow | None) -> bool:
    """Say whether there is anything around the part that the rule sees."""
    sees = _asked(rule.sees)
    return bool(sees) and (sees != CONDITIONS or part is None or part.branches > 0)


def look_around(
    sheet: Sheet, rule: Rule, part: PartRow | None
) -> Generator[Ask, Answer, Surroundings]:
    """Ask for what the rule sees around the part."""
    sees = _asked(rule.sees)
    pointer = sheet.unit.fields.get("current")
    current = pointer if isinstance(pointer, str) else None
    head = None
    if "children" in sees:
        head = yield from _family_head(sheet, part, current)
    found = yield Around(sheet.name, part, sees, current, head)
    return cast("Surroundings", found)


def _family_head(
    sheet: Sheet, part: PartRow | None, current: str | None
) -> Generator[Ask, Answer, str | None]:
    """Name the part whose family is meant: the part's parent, else the part, else the current."""
    if part is None and current is not None:
        found = yield Find(sheet.name, "ids", ids=(current,))
        part = next(iter(cast("tuple[PartRow, ...]", found)), None)
    if part is None:
        return None
    above = part.part.parent
    is_child = sheet.flow.kind(part.part.kind).parent and above is not None
    return str(above) if is_child else part.id


def see(sheet: Sheet, rule: Rule | None, part: PartRow | None, around: Surroundings) -> Seen:
    """Make the slice of an event."""
    seen = Seen(sheet.unit, sheet.tally)
    if part is not None:
        seen.part = part.part
        seen.waits = part.waits
    for name in () if rule is None else _filled(rule.sees):
        _fill(sheet, seen, name, around)
    return seen


def _fill(sheet: Sheet, seen: Seen, name: str, around: Surroundings) -> None:
    has_part = isinstance(seen.part, Part)
    if name == "current":
        seen.current = _part(sheet, around.current)
    elif name == "children":
        seen.children = around.children
    elif name == "gate":
        owner = seen.part if isinstance(seen.part, Part) else seen.unit
        seen.gate = str(owner.fields.get("shown", ""))
    elif name == "parent" and has_part:
        seen.parent = _part(sheet, around.parent)
    elif name == "dependents" and has_part:
        seen.dependents = around.dependents
    elif name == "conditions" and has_part:
        seen.conditions = tuple([branch(sheet.flow, row) for row in around.conditions])


def _part(sheet: Sheet, row: PartRow | None) -> Part | None:
    found = None if row is None else sheet.row(row)
    return None if found is None else found.part


def branch(flow: Workflow, row: Branching) -> Branch:
    """Make a branch of what is stored."""
    target = None
    if row.target is not None:
        target = Target(row.target, row.target_status, row.is_later, row.between)
    return Branch(read_condition(flow, row.expression), row.action, row.params, target)


def read_condition(flow: Workflow, text: str) -> Expression:
    """Read the expression of a condition, in the language that the workflow's conditions have."""
    return _parsed(text, flow.conditions)


@lru_cache(maxsize=1024)
def _parsed(text: str, grammar: Grammar) -> Expression:
    return parse(text, grammar)
