"""The stage of the demo: one unit in a real database, sent event after event, each move told.

Nothing is special about it: the same ``advance`` as everywhere. Every command has a request id
of its own, so a play that was killed can simply be played again from its beginning: what was done
before gives its first answer again, and what was not is done now.
"""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import TypeVar, cast

from interlock.app import LOCAL
from interlock.cli.demo.telling import tell, tell_again, tell_refusal, tell_start
from interlock.kernel.refusal import Refusal
from interlock.kernel.replay import Record
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER
from interlock.kernel.seen import Actor, Event
from interlock.service.create import NewUnit, create
from interlock.service.engine import Engine, Principal
from interlock.service.order import Asked, Order, Reply, Result
from interlock.service.read import read_unit
from interlock.service.record import read_body, read_records
from interlock.service.run import advance
from interlock.service.verify import verify
from interlock.store.rows import part_id
from interlock.store.script import Key

T = TypeVar("T")
Run = Callable[[Coroutine[None, None, T]], T]

ANN = Actor(USER, "ann", "ann")
CLOCK = Actor(SYSTEM, "clock", "clock")
WORKS = Actor(WORKER, "worker", "box-1")


def agent(session: str) -> Actor:
    """Return an agent with a session of its own."""
    return Actor(AGENT, "agent", session)


class Stage:
    """One unit under way."""

    def __init__(
        self, engine: Engine, run: Run[object], play: str, new: NewUnit,
        names: tuple[str, ...] = (), *, is_brief: bool = False,
    ) -> None:  # fmt: skip
        """Begin a unit; ``names`` are what its first parts are called here.

        Told briefly, only what moves the unit is told.
        """
        self.flow = engine.flows[new.workflow].flow
        self.refusals = 0
        self.sent = 0
        self.again = 0
        self.status = ""
        self._engine = engine
        self._run = run
        self._is_brief = is_brief
        self._play = play
        self._version = 0
        self._leases: dict[str, str] = {}
        caller = Principal(LOCAL, ANN.kind, ANN.id, session=ANN.session)
        answer = self._wait(create(engine, caller, new, _begun, self._key(ANN, "begin")))
        self._take(answer.reply, is_replay=answer.is_replay)
        self.unit = str(answer.reply["unit"])
        self._names = {part_id(self.unit, place): name for place, name in enumerate(names, 1)}
        if not answer.is_replay:
            tell_start(self.flow, self.unit, self.status)

    # -- the play's words ----------------------------------------------------------------------

    def part(self, name: str) -> str:
        """Return the id of a part by what it is called here."""
        return next(part for part, known in self._names.items() if known == name)

    def claim(self, actor: Actor, kind: str) -> str:
        """Take the next part of a queue and return its id."""
        reply = self._send(actor, Asked(self.flow.kind(kind).claim, kind=kind), {})
        return str(reply["part"])

    def send(self, actor: Actor, event: str, part: str | None = None, /, **args: object) -> None:
        """Send an event and tell what it did; it must be accepted."""
        self._send(actor, self._asked(event, part, args), args)

    def refused(self, actor: Actor, event: str, part: str | None = None, /, **args: object) -> str:
        """Send an event that must be refused, tell why it was, and return the code."""
        if self._is_catching_up():
            return ""
        asked = self._asked(event, part, args)
        order = Order(LOCAL, actor, self.unit, (asked,), _sent)
        try:
            self._wait(advance(self._engine, order))
        except Refusal as no:
            self.refusals += 1
            tell_refusal(Event(event, actor, self._name(part), args), no)
            return no.code
        message = f"{event} should have been refused"
        raise AssertionError(message)

    def lease(self, part: str) -> str:
        """Return the token that the last claim of a part was given."""
        return self._leases[part]

    def log(self) -> list[Record]:
        """Return everything that has happened to the unit, with parts called by their names."""
        return self._told(0)[0]

    def close(self) -> str:
        """Verify the unit's audit, and sum up."""
        if self.again:
            tell_again(self.again)
        verdict = self._wait(verify(self._engine, LOCAL, self.unit))
        if verdict.findings:
            raise AssertionError(str(verdict.findings[0]))
        return (
            f"{self.sent} events, {self.refusals} refused; "
            f"{verdict.entries} audit entries fold to the same unit"
        )

    # -- behind it -----------------------------------------------------------------------------

    def _wait(self, work: Coroutine[None, None, T]) -> T:
        return cast("T", self._run(work))

    def _key(self, actor: Actor, event: str) -> Key:
        self.sent += 1
        return Key(actor.id, f"{self._play}-{self.sent}", event)

    def _asked(self, event: str, part: str | None, args: Mapping[str, object]) -> Asked:
        rule = self.flow.rule(event)
        given = dict(args)
        lease = str(given.pop("lease", ""))
        if not lease and part is not None and rule is not None and rule.lease:
            lease = self._leases.get(part, "")
        return Asked(event, part, args=given, lease=lease)

    def _send(self, actor: Actor, asked: Asked, args: Mapping[str, object]) -> Mapping[str, object]:
        key = self._key(actor, asked.event)
        before = self._version
        order = Order(LOCAL, actor, self.unit, (asked,), _sent, key)
        answer = self._wait(advance(self._engine, order))
        self._take(answer.reply, is_replay=answer.is_replay)
        if not answer.is_replay:
            if self.again:
                tell_again(self.again)
                self.again = 0
            part = asked.part or cast("str | None", answer.reply["part"])
            event = Event(asked.event, actor, self._name(part), args)
            records, branches = self._told(before)
            if self._is_brief:
                records = [one for one in records if one.is_unit and one.source != one.target]
            if records or not self._is_brief:
                tell(self.flow, event, records, branches)
        return answer.reply

    def _take(self, reply: Mapping[str, object], *, is_replay: bool) -> None:
        self.again += is_replay
        self.status = str(reply["status"])
        self._version = cast("int", cast("Mapping[str, object]", reply["receipt"])["sequence"])
        lease = cast("Mapping[str, object] | None", reply.get("lease"))
        if lease is not None:
            self._leases[str(reply["part"])] = str(lease["token"])

    def _is_catching_up(self) -> bool:
        """Say whether the unit is further than the play: then it has seen this refusal already."""
        read = self._wait(read_unit(self._engine, LOCAL, self.unit))
        return read.whole.row.version > self._version

    def _told(self, before: int) -> tuple[list[Record], list[Mapping[str, object]]]:
        """Read back what the audit says of the last event, with parts called by their names."""
        rows = self._wait(self._engine.store.audit(LOCAL, self.unit, before, 1_000))
        records: list[Record] = []
        branches: list[Mapping[str, object]] = []
        for row in rows:
            branches += cast(
                "tuple[Mapping[str, object], ...]", read_body(row.link.body).get("branches", ())
            )
            for record in read_records(row.link.body):
                ids = tuple(self._name(str(name)) or "" for name in record.ids)
                value = self._called(record.value)
                records.append(replace(record, ids=ids, value=value))
        return records, branches

    def _called(self, value: object) -> object:
        if isinstance(value, tuple):
            return tuple(self._called(one) for one in value)
        return self._name(value) if isinstance(value, str) else value

    def _name(self, part: str | None) -> str | None:
        """Return what a part is called: as the play named it, else by its number."""
        if part is None or not part.startswith(f"{self.unit}."):
            return part
        return self._names.get(part, f"#{part.rpartition('.')[2]}")


def _begun(result: Result) -> Reply:
    return {"unit": result.unit.id, "status": result.unit.unit.status, "part": None}


def _sent(result: Result) -> Reply:
    done = result.done[0]
    part = done.part
    return {
        "status": result.unit.unit.status,
        "part": None if part is None else part.id,
        "lease": None if part is None else result.lease(part),
    }
