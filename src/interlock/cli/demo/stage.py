"""The stage of the demo: one unit in memory, sent event after event, each move told and why.

Nothing is special about it: the same ``decide`` as everywhere, a snapshot for a store, and the
records kept, so that folding them from nothing must give the unit as it stands at the end.
"""

from collections.abc import Mapping
from dataclasses import replace

from interlock.cli.screen import out
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
WORKS = Actor(WORKER, "worker", "worker-1")


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
        self.at = 0
        self.made = len(parts)
        out.print(f"  begin                     {flow.unit.name} is {self.now.unit.status}")

    def send(self, actor: Actor, event: str, part: str | None = None, **args: object) -> Decision:
        """Send an event and tell what it did; it must be accepted."""
        sent = Event(event, actor, part, args)
        self.at += 1
        decision = decide(self.flow, look(self.flow, self.now, sent), sent, self.at)
        told = records(self.flow, self.now, decision, self._name)
        conditions = self.now.conditions
        self.now = fold(self.flow, self.now, told).with_conditions(conditions)
        self.log += told
        self._tell(sent, told)
        return decision

    def refused(self, actor: Actor, event: str, part: str | None = None, **args: object) -> None:
        """Send an event that must be refused, and tell why it was."""
        sent = Event(event, actor, part, args)
        try:
            decide(self.flow, look(self.flow, self.now, sent), sent)
        except Refusal as no:
            out.print(f"  {actor.kind:<7} {event} {part or ''}", markup=False)
            out.print(f"            refused: {no.code}. {no.message}", markup=False)
            return
        message = f"{event} should have been refused"
        raise AssertionError(message)

    def head(self, kind: str) -> str:
        """Return the part that the queue hands out next."""
        found = next_part(self.flow, self.now, self.flow.kind(kind))
        if not isinstance(found, str):
            message = f"the queue of {kind} is empty"
            raise TypeError(message)
        return found

    def close(self) -> str:
        """Fold the records from nothing, and compare with what stands."""
        replayed = fold(self.flow, None, self.log)
        if replayed.key() != self.now.key():
            message = "the log does not reproduce the unit"
            raise AssertionError(message)
        return f"{len(self.log)} records, folded from nothing: the same unit"

    def fence(self, part: str) -> object:
        """Return the number of a part's last claim."""
        return self.now.part(part).fields["fence"]

    def _name(self, kind: str, _: int) -> str:
        self.made += 1
        return f"{kind}-{self.made}"

    def _tell(self, event: Event, told: tuple[Record, ...]) -> None:
        out.print(f"  {event.actor.kind:<7} {event.name} {event.part or ''}", markup=False)
        for record in told:
            if record.change == "move":
                self._tell_move(record)
            elif record.change == "new":
                out.print(f"            {record.ids[0]} is made, {record.target}")
            elif record.change == "drop":
                out.print(f"            {_listed(record)} leaves: {record.reason}")

    def _tell_move(self, record: Record) -> None:
        who = self.flow.unit.name if record.is_unit else _listed(record)
        why = (
            "" if record.cause.kind == "event" else f"  ({record.cause.kind}: {record.cause.name})"
        )
        reason = f"  [{record.reason}]" if record.reason else ""
        change = f"{record.source} -> {record.target}"
        out.print(f"            {who}: {change}{reason}{why}", markup=False)


def _listed(record: Record) -> str:
    return ", ".join(map(str, record.ids)) or record.kind
