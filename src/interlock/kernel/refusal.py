"""The ways the kernel says no, and the two ways it says that a table is wrong.

A ``Refusal`` is expected: nothing changed, and the caller is told the rule, what is legal now
and who may do it. ``BrokenWalk``, ``IllegalPair`` and ``Looping`` are bugs in a workflow's
tables: the checker finds them before anyone else does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interlock.errors import InterlockError
from interlock.kernel.offered import Where, offered
from interlock.kernel.rules import SYSTEM
from interlock.kernel.seen import Part

if TYPE_CHECKING:
    from interlock.kernel.draft import Draft
    from interlock.kernel.rules import Guard


@dataclass(frozen=True, slots=True)
class Legal:
    """One event that the tables admit where things stand, and who may send it."""

    event: str
    command: str
    actors: tuple[str, ...]


class Refusal(InterlockError):
    """The rules say no; nothing changed."""

    code = "REFUSED"
    http = 409
    since = ""
    """What its caller has missed, in sentences; filled in by whoever can look into the past."""

    def __init__(self, draft: "Draft", code: str, guard: "Guard | None" = None) -> None:
        """Keep what is needed to explain; texts are made only when somebody reads them."""
        super().__init__(code)
        self.code = code
        self._draft = draft
        self._guard = guard

    @property
    def rule(self) -> str:
        """The test that did not hold, in words."""
        if self._guard is not None:
            return self._guard.test.words()
        rule = self._draft.flow.rule(self._draft.event.name)
        if rule is not None and self.code == "WRONG_KIND":
            return f"{rule.event} is about a {rule.kind}"
        return f"{self._draft.event.name} may be sent by {_who(self._draft)}"

    @property
    def message(self) -> str:
        """What is wrong, naming where the thing stands."""
        return f"{self._what()} {self.since}".rstrip()

    def _what(self) -> str:
        draft = self._draft
        if self._guard is None:
            return _why(draft, self.code)
        if self._guard.message:
            return self._guard.message
        return f"{draft.event.name} needs that {self.rule}; {_standing(draft)}."

    @property
    def leased(self) -> Mapping[str, object] | None:
        """The fields of the part, where a guard refused what only its holder may say."""
        rule, part = self._draft.flow.rule(self._draft.event.name), self._draft.seen.part
        if self._guard is None or rule is None or not rule.lease or not isinstance(part, Part):
            return None
        return part.fields

    @property
    def fence(self) -> object:
        """The number that the caller came with, if any."""
        return self._draft.event.args.get("fence")

    @property
    def fix(self) -> str:
        """What the caller can do next."""
        if self._guard is not None and self._guard.fix:
            return self._guard.fix
        mine = dict.fromkeys(row.command or row.event for row in self.legal)
        if mine:
            return f"Legal now: {', '.join(mine)}."
        # What only the system sends is nobody's next move.
        told = (row for row in self._admitted() if row.actors != (SYSTEM,))
        names = dict.fromkeys(row.command or row.event for row in told)
        if not names:
            return "Nothing is legal here any more."
        return f"Legal now, but not for {self._draft.event.actor.kind}: {', '.join(names)}."

    @property
    def legal(self) -> tuple[Legal, ...]:
        """What its sender may send where things stood."""
        seen, part = self._draft.seen, self._about()
        where = Where(self._draft.event.actor.kind, seen.unit, seen.tally, part)
        flow = self._draft.flow
        return offered(flow, where, flow.unit.name if part is None else part.kind)

    def _admitted(self) -> tuple[Legal, ...]:
        """Return what the tables admit, by status alone."""
        flow, part = self._draft.flow, self._about()
        kind, status = (flow.unit.name, "") if part is None else (part.kind, part.status)
        return flow.legal(self._draft.seen.unit.status, kind, status)

    def _about(self) -> Part | None:
        part = self._draft.seen.part
        return part if isinstance(part, Part) else None

    def __str__(self) -> str:
        """Code, message and fix in one line."""
        return f"{self.code}: {self.message} {self.fix}"


def _why(draft: "Draft", code: str) -> str:
    """Say what no guard says: there is no such event, it is not yours, or about something else."""
    event, flow = draft.event, draft.flow
    rule = flow.rule(event.name)
    if rule is None:
        nearest = flow.nearest(event.name)
        hint = f"; did you mean {nearest}?" if nearest else "."
        return f"The {flow.unit.name} knows no event {event.name}{hint}"
    if code == "WRONG_KIND":
        return f"{event.name} is about a {rule.kind}; {_standing(draft)}."
    return f"{event.name} is not for {event.actor.kind} to send, only for {_who(draft)}."


def _standing(draft: "Draft") -> str:
    seen = draft.seen
    words = f"the {draft.flow.unit.name} is {seen.unit.status}"
    if isinstance(seen.part, Part):
        words += f", the {seen.part.kind} is {seen.part.status}"
    return words


def _who(draft: "Draft") -> str:
    rule = draft.flow.rule(draft.event.name)
    return " or ".join(sorted(rule.actors)) if rule else "nobody"


class BrokenTable(AssertionError):
    """A workflow's tables contradict themselves; nothing was written."""

    finding = "BROKEN"


class BrokenWalk(BrokenTable):
    """The guards admitted an event, and then its walk found no edge where a thing stood."""

    finding = "BROKEN_CALL"


class IllegalPair(BrokenTable):
    """After settling, statuses stood together that may not."""

    finding = "ILLEGAL_PAIR"


class Looping(BrokenTable):
    """Cascades and lifts did not come to rest."""

    finding = "LOOP"
