"""The stage of the demo: one unit in memory, sent event after event, each move told and why.

Nothing is special about it: the same ``decide`` as everywhere, a snapshot for a store, and the
records kept, so that folding them from nothing must give the unit as it stands at the end.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from interlock.cli.demo.telling import tell, tell_refusal, tell_start
from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision
from interlock.kernel.look import look, next_part
from interlock.kernel.refusal import Refusal
from interlock.kernel.replay import Record, begun, fold, records
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER
from interlock.kernel.seen import Actor, Event, Part
from interlock.kernel.snapshot import Conditions, begin
from interlock.kernel.workflow import Workflow

ANN = Actor(USER, "ann", "ann")
CLOCK = Actor(SYSTEM, "clock", "clock")
WORKS = Actor(WORKER, "worker", "box-1")


def agent(session: str) -> Actor:
    """Return an agent with a session of its own."""
    return Actor(AGENT, "agent", session)


class Stage:
    """One unit under way."""

    def __init__(
        self,
        flow: Workflow,
        fields: Mapping[str, object],
        parts: Mapping[str, Part],
        conditions: Conditions | None = None,
    ) -> None:
        """Begin a unit with its first parts."""
        self.flow = flow
        first = replace(begin(flow, unit=fields), parts=tuple(parts.values()), ids=tuple(parts))
        self.now = first if conditions is None else first.with_conditions(conditions)
        self.log: list[Record] = list(begun(flow, first, ANN))
        self.refusals = 0
        self.sent = 0
        self._made = Counter(part.kind for part in parts.values())
        tell_start(flow, first)

    def send(
        self, actor: Actor, event: str, part: str | None = None, /, **args: object
    ) -> Decision:
        """Send an event and tell what it did; it must be accepted."""
        sent = Event(event, actor, part, args)
        self.sent += 1
        decision = decide(self.flow, look(self.flow, self.now, sent), sent, self.sent)
        told = records(self.flow, self.now, decision, self._name)
        conditions = self.now.conditions
        self.now = fold(self.flow, self.now, told).with_conditions(conditions)
        self.log += told
        tell(self.flow, decision, told)
        return decision

    def refused(self, actor: Actor, event: str, part: str | None = None, /, **args: object) -> str:
        """Send an event that must be refused, tell why it was, and return the code."""
        sent = Event(event, actor, part, args)
        try:
            decide(self.flow, look(self.flow, self.now, sent), sent)
        except Refusal as no:
            self.refusals += 1
            tell_refusal(sent, no)
            return no.code
        message = f"{event} should have been refused"
        raise AssertionError(message)

    def head(self, kind: str) -> str:
        """Return the part that the queue hands out next."""
        found = next_part(self.flow, self.now, self.flow.kind(kind))
        if not isinstance(found, str):
            message = f"the queue of {kind} is empty"
            raise TypeError(message)
        return found

    def newest(self, kind: str) -> str:
        """Return the part of a kind that was made last."""
        return str(self.now.name(self.now.of_kind(kind)[-1]))

    def fence(self, part: str) -> object:
        """Return the number of a part's last claim."""
        return self.now.part(part).fields["fence"]

    def close(self) -> str:
        """Fold the records from nothing, compare with what stands, and sum up."""
        replayed = fold(self.flow, None, self.log)
        if replayed.key() != self.now.key():
            message = "the log does not reproduce the unit"
            raise AssertionError(message)
        moves = sum(record.change == "move" for record in self.log)
        return (
            f"{self.sent} events, {self.refusals} refused, {moves} moves; "
            f"{len(self.log)} records fold to the same unit"
        )

    def _name(self, kind: str, _: int) -> str:
        self._made[kind] += 1
        return f"{kind}-{self._made[kind]}"
