"""What somebody may send where things stand: what is admitted, less what is sure to be refused.

A guard may ask for more than is known here (what an event says, what a registered function finds
out): then it is asked when the event comes. What follows from where the unit and the part stand,
from their fields, from the tally and from who is calling is known, and nobody is offered a move
that would be refused for it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from interlock.kernel.fold import fold
from interlock.kernel.forms import All, Any, Both, By, Count, Either, Form, In, Is, Not, leaves
from interlock.kernel.seen import Part, Tally, Unit

if TYPE_CHECKING:
    from interlock.kernel.refusal import Legal
    from interlock.kernel.workflow import Workflow

NO_PARTS: Mapping[str, int] = {}


class Where(NamedTuple):
    """Who asks, and where the unit and the part stand that they would say something about."""

    actor: str
    unit: Unit
    tally: Tally
    part: Part | None = None


def offered(
    flow: "Workflow", where: Where, kind: str, part_status: str = ""
) -> tuple["Legal", ...]:
    """Return the events about a kind that a caller may send, as far as it can be known.

    Of a part that is not at hand only the status is known.
    """
    status = where.part.status if where.part is not None else part_status
    place = (where.unit.status, kind, status, where.actor)
    return tuple(
        legal
        for legal, tests in flow.table.open.get(place) or _left(flow, place)
        if not tests or not any(holds(test, where) is False for test in tests)
    )


def _left(
    flow: "Workflow", place: tuple[str, str, str, str]
) -> tuple[tuple["Legal", tuple[Form, ...]], ...]:
    """Return what a caller is admitted to by statuses, with the tests that can still say no."""
    unit, kind, part, actor = place
    rows = []
    for legal in flow.legal(unit, kind, part):
        guards = flow.table.rules[legal.event].row.guards
        tests = [fold(guard.test, unit, part, actor) for guard in guards]
        if actor in legal.actors and False not in tests:
            open_ = (test for test in tests if isinstance(test, Form) and _is_known(test))
            rows.append((legal, tuple(open_)))
    flow.table.open[place] = tuple(rows)
    return flow.table.open[place]


def _is_known(form: Form) -> bool:
    """Say whether there is anything in a test that can be known here."""
    return any(
        leaf.of == "unit" if isinstance(leaf, All | Any | Count)
        else isinstance(leaf, Is | In) and leaf.who in ("unit", "part")
        for leaf in leaves(form)
    )  # fmt: skip


def holds(form: Form, where: Where) -> bool | None:
    """Say whether a test holds; None where that cannot be known yet."""
    if isinstance(form, By):
        return where.actor in form.actors
    if isinstance(form, Not):
        inner = holds(form.test, where)
        return None if inner is None else not inner
    if isinstance(form, Both | Either):
        return _joined(form, where)
    if isinstance(form, In | Is):
        return _stands(form, where)
    if isinstance(form, All | Any | Count):
        return _counted(form, where)
    return None


def _joined(form: Both | Either, where: Where) -> bool | None:
    stop = isinstance(form, Either)
    found = [holds(test, where) for test in form.tests]
    if stop in found:
        return stop
    return None if None in found else not stop


def _stands(form: In | Is, where: Where) -> bool | None:
    live = {"unit": where.unit, "part": where.part}.get(form.who)
    if live is None:
        return None
    if isinstance(form, In):
        return live.status in form.statuses
    return live.fields[form.name] in form.values if form.name in live.fields else None


def _counted(form: All | Any | Count, where: Where) -> bool | None:
    if form.of != "unit":
        return None
    counts = where.tally.get(form.kind, NO_PARTS)
    if isinstance(form, All):
        return bool(counts) and all(status in form.statuses for status in counts)
    if isinstance(form, Any):
        return any(status in form.statuses for status in counts)
    limit = form.than if isinstance(form.than, int) else where.unit.fields.get(form.than)
    if limit is None:
        return True
    return form.compare(counts, limit) if isinstance(limit, int) else None
