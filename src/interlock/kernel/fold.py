"""Fold what is known beforehand: forms, guards and walks for one pair of statuses.

Most of what a rule asks is where the unit and the part stand, and of that there are few
combinations. For each of them a rule is folded once into a ``Path``: the guards that still need
asking, the moves that are certain, and the stages that are not. Deciding then costs what is
particular to the case. Folding changes no outcome: a property test holds it equal to running the
rows one by one.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interlock.kernel.entries import Cause, Move
from interlock.kernel.forms import Both, By, Check, Either, Form, In, Not
from interlock.kernel.rules import Do, Fire, Guard, Rule

if TYPE_CHECKING:
    from interlock.kernel.table import Stage, Table
    from interlock.kernel.workflow import Workflow


@dataclass(slots=True)
class Path:
    """One rule for one pair of statuses."""

    guards: tuple[tuple[Check, Guard], ...]
    moves: tuple[Move, ...]
    # Places of the moves that cascades follow.
    reactions: tuple[int, ...]
    unit_status: str
    part_status: str
    # Whether the part moves at all.
    shifts: bool
    clears_unit: dict[str, object]
    clears_part: dict[str, object]
    stages: tuple["Stage", ...]


def fold(form: Form, unit: str, part: str, actor: str = "") -> bool | Form:
    """Return the form with all that the two statuses settle taken out; True or False if all is.

    Who sends it is taken out, too, where that is known.
    """
    if isinstance(form, In):
        if form.who == "unit":
            return unit in form.statuses
        return part in form.statuses if form.who == "part" else form
    if isinstance(form, By) and actor:
        return actor in form.actors
    if isinstance(form, Not):
        inner = fold(form.test, unit, part, actor)
        return not inner if isinstance(inner, bool) else Not(inner)
    if isinstance(form, Both | Either):
        return _join(form.tests, (unit, part, actor), stop=isinstance(form, Either))
    return form


def _join(tests: tuple[Form, ...], known: tuple[str, str, str], *, stop: bool) -> bool | Form:
    """Fold a conjunction (stops at False) or a disjunction (stops at True)."""
    left: list[Form] = []
    for test in tests:
        inner = fold(test, *known)
        if not isinstance(inner, bool):
            left.append(inner)
        elif inner is stop:
            return stop
    if not left:
        return not stop
    if len(left) == 1:
        return left[0]
    return Either(tuple(left)) if stop else Both(tuple(left))


def guards_left(
    flow: "Workflow", rule: Rule, unit: str, part: str
) -> tuple[tuple[Check, Guard], ...]:
    """Return the guards that still need asking, up to the first one that is sure to refuse."""
    left: list[tuple[Check, Guard]] = []
    for guard in rule.guards:
        test = fold(guard.test, unit, part)
        if test is False:
            left.append((_never, guard))
            break
        if not isinstance(test, bool):
            left.append((test.compile(flow.functions), guard))
    return tuple(left)


def _never(_: object) -> bool:
    return False


class Route:
    """The certain beginning of a walk, followed from one pair of statuses."""

    def __init__(self, table: "Table", kinds: tuple[str, str], unit: str, part: str) -> None:
        """Start where things stand."""
        self.table = table
        self.kinds = {"unit": kinds[0], "part": kinds[1]}
        self.at = {"unit": unit, "part": part}
        self.moves: list[Move] = []
        self.clears: dict[str, dict[str, object]] = {"unit": {}, "part": {}}

    def is_certain(self, rule: Rule, stage: Fire | Do) -> bool:
        """Follow one stage; say whether what it does is certain."""
        when: bool | Form = True
        if stage.when is not None:
            when = fold(stage.when, self.at["unit"], self.at["part"])
        if when is False:
            return True
        return when is True and isinstance(stage, Fire) and self._take(rule, stage)

    def _take(self, rule: Rule, stage: Fire) -> bool:
        who = stage.who
        if who not in ("unit", "part") or stage.from_arg or not self.at[who]:
            return False
        edge = self.table.edges[self.kinds[who]].get((self.at[who], stage.signal))
        if edge is None:
            return stage.maybe
        if edge.guards or edge.target_field:
            return False
        if edge.target != edge.source:
            self.clears[who].update(self.table.ended(self.kinds[who], edge.source, edge.target))
        self.moves.append(
            Move(who, self.kinds[who], edge.on, edge.source, edge.target,
                 Cause("event", rule.event), stage.reason)
        )  # fmt: skip
        self.at[who] = edge.target
        return True


def plot(flow: "Workflow", table: "Table", rule: Rule, unit: str, part: str) -> Path:
    """Fold a rule for one pair of statuses (no part: the empty string)."""
    compiled = table.rules[rule.event]
    route = Route(table, (flow.unit.name, rule.kind), unit, part)
    certain = 0
    for stage in rule.walk:
        if not route.is_certain(rule, stage):
            break
        certain += 1
    return Path(
        guards=guards_left(flow, rule, unit, part),
        moves=tuple(route.moves),
        reactions=tuple(
            place
            for place, move in enumerate(route.moves)
            if {(move.kind, move.source), (move.kind, move.target)} & table.reactive
        ),
        unit_status=route.at["unit"],
        part_status=route.at["part"],
        shifts=route.at["part"] != part,
        clears_unit=route.clears["unit"],
        clears_part=route.clears["part"],
        stages=compiled.walk[certain:],
    )
