"""Tests as data: the named forms that guards, lifts, cascades and pairs are written in.

Every form can say itself in words (for people), as data (for export) and compile itself into a
plain function of the draft (for speed). ``Named`` refers to a registered function for what no
form can say. Forms read the draft only; none of them changes anything.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from interlock.kernel.expression import Grammar, evaluate, parse
from interlock.kernel.joined import joined

if TYPE_CHECKING:
    from interlock.kernel.draft import Draft
    from interlock.kernel.seen import Part, Unit

Check = Callable[["Draft"], bool]
Functions = Mapping[str, Callable[["Draft"], object]]
Of = Literal["unit", "children"]
Op = Literal["<", "<=", "==", ">=", ">"]

GRAMMAR = Grammar(roots=frozenset({"unit", "part", "event"}), default_root="event")


class Form:
    """A test on a draft."""

    __slots__ = ()

    def compile(self, functions: Functions) -> Check:
        """Return the test as a function."""
        raise NotImplementedError

    def words(self) -> str:
        """Return the test as a phrase that can follow "when"."""
        raise NotImplementedError

    def data(self) -> dict[str, object]:
        """Return the test as plain data, for export."""
        raise NotImplementedError


def _listed(names: tuple[str, ...]) -> str:
    return " or ".join(names)


@dataclass(frozen=True, slots=True)
class In(Form):
    """The unit, part, parent or current part is in one of these statuses."""

    who: str
    statuses: tuple[str, ...]

    def compile(self, functions: Functions) -> Check:  # noqa: ARG002  one signature for all forms
        """Compile to a set lookup."""
        allowed = frozenset(self.statuses)
        if self.who == "unit":
            return lambda d: d.unit.status in allowed
        if self.who == "part":
            return lambda d: d.part.status in allowed
        who = self.who

        def check(d: "Draft") -> bool:
            live = d.live(who)
            return live is not None and live.status in allowed

        return check

    def words(self) -> str:
        """Say it."""
        return f"the {self.who} is {_listed(self.statuses)}"

    def data(self) -> dict[str, object]:
        """Export it."""
        return {"in": {"who": self.who, "statuses": list(self.statuses)}}


@dataclass(frozen=True, slots=True)
class _Tallied(Form):
    """A test on how many parts of a kind stand where; ``of`` chooses the whole unit or a family."""

    kind: str
    statuses: tuple[str, ...]
    of: Of = "unit"

    def data(self) -> dict[str, object]:
        """Export it."""
        row: dict[str, object] = {"kind": self.kind, "statuses": list(self.statuses)}
        if self.of != "unit":
            row["of"] = self.of
        return {type(self).__name__.lower(): row}

    def _where(self) -> str:
        return "" if self.of == "unit" else " under it"


class All(_Tallied):
    """At least one part of the kind exists, and all are in these statuses."""

    __slots__ = ()

    def compile(self, functions: Functions) -> Check:  # noqa: ARG002
        """Compile to one pass over the tally of the kind."""
        kind, of, allowed = self.kind, self.of, frozenset(self.statuses)

        def check(d: "Draft") -> bool:
            counts = d.counts(kind, of)
            for status in counts:
                if status not in allowed:
                    return False
            return bool(counts)

        return check

    def words(self) -> str:
        """Say it."""
        return f"every {self.kind}{self._where()} is {_listed(self.statuses)}"


class Any(_Tallied):
    """Some part of the kind is in one of these statuses."""

    __slots__ = ()

    def compile(self, functions: Functions) -> Check:  # noqa: ARG002
        """Compile to one pass over the tally of the kind."""
        kind, of, allowed = self.kind, self.of, frozenset(self.statuses)

        def check(d: "Draft") -> bool:
            for status in d.counts(kind, of):  # noqa: SIM110
                if status in allowed:
                    return True
            return False

        return check

    def words(self) -> str:
        """Say it."""
        return f"some {self.kind}{self._where()} is {_listed(self.statuses)}"


@dataclass(frozen=True, slots=True)
class Count(Form):
    """The number of parts in these statuses (none given: all of the kind) against a number.

    ``than`` is a number or the name of a field of the unit; an empty field sets no limit.
    """

    kind: str
    statuses: tuple[str, ...]
    op: Op
    than: int | str
    of: Of = "unit"

    def compile(self, functions: Functions) -> Check:  # noqa: ARG002
        """Compile to a sum and a comparison."""
        kind, of, than, compare = self.kind, self.of, self.than, self.compare
        if isinstance(than, int):
            return lambda d: compare(d.counts(kind, of), than)

        def check(d: "Draft") -> bool:
            limit = d.unit.fields[than]
            return limit is None or (isinstance(limit, int) and compare(d.counts(kind, of), limit))

        return check

    def compare(self, counts: Mapping[str, int], limit: int) -> bool:
        """Compare how many of these parts are meant with a number."""
        named = self.statuses
        found = sum(count for status, count in counts.items() if not named or status in named)
        return _OPS[self.op](found, limit)

    def words(self) -> str:
        """Say it."""
        where = "" if self.of == "unit" else " under it"
        which = f" {_listed(self.statuses)}" if self.statuses else ""
        return f"the number of {self.kind} parts{where}{which} is {self.op} {self.than}"

    def data(self) -> dict[str, object]:
        """Export it."""
        row: dict[str, object] = {"kind": self.kind, "statuses": list(self.statuses)}
        row |= {"op": self.op, "than": self.than, "of": self.of}
        return {"count": row}


_OPS: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


@dataclass(frozen=True, slots=True)
class Is(Form):
    """A field of the unit, part, parent, current part or event has one of these values."""

    who: str
    name: str
    values: tuple[object, ...] = (True,)

    @property
    def is_missing(self) -> bool:
        """Whether the test is that there is no value."""
        return all(value in (None, "") for value in self.values)

    def compile(self, functions: Functions) -> Check:  # noqa: ARG002
        """Compile to a lookup; a thing that is not there has no field."""
        who, name, values = self.who, self.name, self.values
        if who == "unit":
            return lambda d: d.unit.fields[name] in values
        if who == "part":
            return lambda d: d.part.fields[name] in values
        if who == "event":
            return lambda d: d.event.args.get(name) in values

        def check(d: "Draft") -> bool:
            live = d.live(who)
            return live is not None and live.fields[name] in values

        return check

    def words(self) -> str:
        """Say it."""
        if self.values == (True,):
            return f"{self.who}.{self.name}"
        if self.is_missing:
            return f"{self.who}.{self.name} is missing"
        return f"{self.who}.{self.name} is {_listed(tuple(map(str, self.values)))}"

    def data(self) -> dict[str, object]:
        """Export it."""
        return {"is": {"who": self.who, "field": self.name, "values": list(self.values)}}


@dataclass(frozen=True, slots=True)
class By(Form):
    """The event was sent by one of these kinds of actor."""

    actors: tuple[str, ...]

    def compile(self, functions: Functions) -> Check:  # noqa: ARG002
        """Compile to a set lookup."""
        allowed = frozenset(self.actors)
        return lambda d: d.event.actor.kind in allowed

    def words(self) -> str:
        """Say it."""
        return f"sent by {_listed(self.actors)}"

    def data(self) -> dict[str, object]:
        """Export it."""
        return {"by": list(self.actors)}


@dataclass(frozen=True, slots=True)
class Free(Form):
    """Nothing that the part needs is still open."""

    def compile(self, functions: Functions) -> Check:  # noqa: ARG002
        """Compile to one comparison."""
        return lambda d: d.seen.waits == 0

    def words(self) -> str:
        """Say it."""
        return "nothing the part needs is open"

    def data(self) -> dict[str, object]:
        """Export it."""
        return {"free": True}


@dataclass(frozen=True, slots=True)
class Not(Form):
    """The opposite of a test."""

    test: Form

    def compile(self, functions: Functions) -> Check:
        """Compile to a negation."""
        inner = self.test.compile(functions)
        return lambda d: not inner(d)

    def words(self) -> str:
        """Say it."""
        if isinstance(self.test, Is) and self.test.is_missing:
            return f"{self.test.who}.{self.test.name} is given"
        return f"it is not so that {self.test.words()}"

    def data(self) -> dict[str, object]:
        """Export it."""
        return {"not": self.test.data()}


@dataclass(frozen=True, slots=True)
class Both(Form):
    """All of several tests hold."""

    tests: tuple[Form, ...]

    def compile(self, functions: Functions) -> Check:
        """Compile to a conjunction."""
        return joined([t.compile(functions) for t in self.tests], settles=False)

    def words(self) -> str:
        """Say it."""
        return " and ".join(t.words() for t in self.tests)

    def data(self) -> dict[str, object]:
        """Export it."""
        return {"both": [t.data() for t in self.tests]}


@dataclass(frozen=True, slots=True)
class Either(Form):
    """One of several tests holds."""

    tests: tuple[Form, ...]

    def compile(self, functions: Functions) -> Check:
        """Compile to a disjunction."""
        return joined([t.compile(functions) for t in self.tests], settles=True)

    def words(self) -> str:
        """Say it."""
        return ", or ".join(t.words() for t in self.tests)

    def data(self) -> dict[str, object]:
        """Export it."""
        return {"either": [t.data() for t in self.tests]}


@dataclass(frozen=True, slots=True)
class Named(Form):
    """A registered function of the workflow, for what no form can say.

    Who sent an event is asked with ``By``, never inside a function: the checker relies on it.
    """

    name: str

    def compile(self, functions: Functions) -> Check:
        """Look the function up, which the workflow knows; its answer counts as yes or no."""
        return cast("Check", functions[self.name])

    def words(self) -> str:
        """Say it."""
        return self.name.replace("_", " ")

    def data(self) -> dict[str, object]:
        """Export it."""
        return {"named": self.name}


@dataclass(frozen=True, slots=True)
class Says(Form):
    """An expression over ``unit``, ``part`` and ``event`` (bare names: the event's arguments)."""

    text: str

    def compile(self, functions: Functions) -> Check:  # noqa: ARG002
        """Parse once; evaluating never raises."""
        expression = parse(self.text, GRAMMAR)

        def check(d: "Draft") -> bool:
            scope: dict[str, object] = {"event": dict(d.event.args), "unit": _facts(d.unit)}
            live = d.live("part")
            if live is not None:
                scope["part"] = _facts(live)
            return evaluate(expression, scope)

        return check

    def words(self) -> str:
        """Say it."""
        return self.text

    def data(self) -> dict[str, object]:
        """Export it."""
        return {"says": self.text}


def _facts(live: "Unit | Part") -> dict[str, object]:
    return {"status": live.status, **live.fields}


def leaves(form: Form) -> Iterator[Form]:
    """Yield the forms that a form is made of."""
    if isinstance(form, Not):
        yield from leaves(form.test)
    elif isinstance(form, Both | Either):
        for test in form.tests:
            yield from leaves(test)
    else:
        yield form
