"""Explain why a unit or part is where it is: what must change for it to move, who can, and how.

Everything said here was tried: a call is shown only if ``decide`` accepts it as things stand, so
the first one always works. What is not possible now is told with the rule that stands in its
way, and a lift that has not happened with what it waits for.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision, Move, New
from interlock.kernel.look import look, standing
from interlock.kernel.refusal import BrokenTable, Refusal
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER, Rule
from interlock.kernel.seen import Actor, Event, Part, PartId
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.tally import tally
from interlock.kernel.workflow import Workflow

SOMEONE = "somebody"


@dataclass(frozen=True, slots=True)
class Call:
    """A call that would be accepted now: what it is, who may make it, what it would move.

    ``by`` is the one it was tried as: for a part that is held, its holder.
    """

    event: str
    command: str
    actors: tuple[str, ...]
    by: Actor
    part: PartId | None
    args: Mapping[str, object]
    moves: tuple[str, ...]
    # 0: moves what was asked about; 1: moves or makes something else; 2: changes no status.
    reach: int
    # Ends the unit without success.
    is_giving_up: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that must change first, and who can change it."""

    what: str
    actors: tuple[str, ...]
    code: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """Why a thing is where it is. ``since`` is the caller's to fill in: the kernel has no clock."""

    kind: str
    status: str
    is_ended: bool
    calls: tuple[Call, ...]
    facts: tuple[Fact, ...]
    holder: str = ""
    since: int | None = None

    def text(self) -> str:
        """Return the explanation for people."""
        lines = [f"The {self.kind} is {self.status}."]
        if self.holder:
            lines[0] = f"The {self.kind} is {self.status}, held by {self.holder}."
        if self.is_ended and not self.calls:
            return f"{lines[0]} It has ended; nothing moves it any more."
        lines.append("It moves when")
        for call in self.calls:
            about = "" if call.part is None else f" {call.part}"
            moved = f"    {'; '.join(call.moves)}" if call.moves else "    no status changes"
            lines.append(f"  · {' or '.join(call.actors)}: {call.command or call.event}{about}")
            lines.append(f"  {moved}")
        if self.facts:
            lines.append("Not now, because it takes")
            lines += [
                f"  · {fact.what}{f' [{fact.code}]' if fact.code else ''}" for fact in self.facts
            ]
        return "\n".join(lines)


def explain(
    flow: Workflow, snapshot: Snapshot, part: PartId | None = None, since: int | None = None
) -> Why:
    """Explain the unit, or one of its parts."""
    kind, status = flow.unit.name, snapshot.unit.status
    holder = ""
    if part is not None:
        row = snapshot.part(part)
        kind, status = row.kind, row.status
        holder = str(row.fields.get("holder") or "")
    calls, facts = _tried(flow, snapshot, part)
    is_ended = flow.machine(kind).status(status).kind == "terminal"
    waiting = () if is_ended or part is not None else tuple(_lifts(flow, snapshot))
    return Why(kind, status, is_ended, calls, (*waiting, *facts), holder, since)


def _tried(
    flow: Workflow, snapshot: Snapshot, asked: PartId | None
) -> tuple[tuple[Call, ...], tuple[Fact, ...]]:
    calls: list[Call] = []
    facts: list[Fact] = []
    for rule, part in _subjects(flow, snapshot, asked):
        outcome = _try(flow, snapshot, rule, part, asked)
        if isinstance(outcome, Call):
            calls.append(outcome)
        elif outcome is not None and part == asked and outcome.code != "INVALID_TRANSITION":
            facts.append(outcome)
    # What moves the thing itself comes first, and what gives it up comes last.
    calls.sort(key=lambda call: (call.is_giving_up, call.reach, _rank(flow, snapshot, call)))
    return tuple(calls), tuple(dict.fromkeys(facts))


def _subjects(
    flow: Workflow, snapshot: Snapshot, asked: PartId | None
) -> Iterator[tuple[Rule, PartId | None]]:
    for rule in flow.rules:
        if rule.kind == flow.unit.name:
            if asked is None:
                yield rule, None
            continue
        places = snapshot.of_kind(rule.kind)
        for place in places:
            if asked is None or snapshot.name(place) == asked:
                yield rule, snapshot.name(place)


def _try(
    flow: Workflow, snapshot: Snapshot, rule: Rule, part: PartId | None, asked: PartId | None
) -> Call | Fact | None:
    """Try a rule with each of its examples, as whoever could send it."""
    refusal: Refusal | None = None
    for actor in _actors(rule, None if part is None else snapshot.part(part)):
        for example in rule.examples:
            args = _with_fence(rule, snapshot, part, example)
            event = Event(rule.event, actor, part, args)
            try:
                decision = decide(flow, look(flow, snapshot, event), event)
            except Refusal as said:
                refusal = said
                continue
            except BrokenTable:
                continue
            return _call(flow, rule, decision, asked)
    if refusal is None:
        return None
    return Fact(f"{rule.command or rule.event}: {refusal.rule}", _who(rule), refusal.code)


def _actors(rule: Rule, part: Part | None) -> tuple[Actor, ...]:
    holder = SOMEONE if part is None else str(part.fields.get("holder") or SOMEONE)
    order = (AGENT, WORKER, USER, SYSTEM)
    return tuple(Actor(kind, holder, holder) for kind in order if kind in rule.actors)


def _with_fence(
    rule: Rule, snapshot: Snapshot, part: PartId | None, args: Mapping[str, object]
) -> Mapping[str, object]:
    if not rule.lease or part is None:
        return args
    fence = snapshot.part(part).fields.get("fence")
    return {**args, "fence": fence} if fence else args


def _call(flow: Workflow, rule: Rule, decision: Decision, asked: PartId | None) -> Call:
    event = decision.event
    moves = [e for e in decision.entries if isinstance(e, Move) and e.source != e.target]
    is_making = any(isinstance(entry, New) for entry in decision.entries)
    who = "unit" if asked is None else "part"
    end = flow.unit.status(decision.status)
    return Call(
        event=rule.event,
        command=rule.command,
        actors=_who(rule),
        by=event.actor,
        part=event.part,
        args=event.args,
        moves=tuple(f"{m.kind} {m.source} -> {m.target}" for m in moves),
        reach=0 if any(m.who == who for m in moves) else 1 if moves or is_making else 2,
        is_giving_up=end.kind == "terminal" and not end.is_success,
    )


def _who(rule: Rule) -> tuple[str, ...]:
    return tuple(sorted(rule.actors))


def _rank(flow: Workflow, snapshot: Snapshot, call: Call) -> tuple[int, int]:
    """At a gate what a person can do comes first, elsewhere what an agent can; the clock last."""
    rows = [flow.unit.status(snapshot.unit.status)]
    if call.part is not None:
        row = snapshot.part(call.part)
        rows.append(flow.machine(row.kind).status(row.status))
    wanted = {USER} if any(row.kind == "gate" for row in rows) else {AGENT, WORKER}
    order = [rule.event for rule in flow.rules].index(call.event)
    if call.actors == (SYSTEM,):
        return (2, order)
    return (0 if wanted & set(call.actors) else 1, order)


def _lifts(flow: Workflow, snapshot: Snapshot) -> Iterator[Fact]:
    """Tell what the unit waits for: lifts that have an edge here but do not hold yet."""
    draft = standing(flow, snapshot)
    for lift in flow.table.lifts[snapshot.unit.status]:
        if lift.row.who == "unit" and not lift.check(draft):
            yield Fact(f"{lift.row.when.words()} ({_standing(snapshot)})", ())


def _standing(snapshot: Snapshot) -> str:
    counts = tally(snapshot.parts)
    words = [f"{n} {status}" for kind in counts.values() for status, n in kind.items()]
    return "now: " + ", ".join(words) if words else "there are no parts"
