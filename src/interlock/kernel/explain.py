"""Explain why a unit or part is where it is: what must change for it to move, who can, and how.

Everything said here was tried: a call is shown only if ``decide`` accepts it as things stand, so
the first one always works. What is not possible now is told with the reason, a lift that has not
happened with what it waits for, and a part that nothing moves with what must happen first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision, Drop, Move, New
from interlock.kernel.look import look, standing
from interlock.kernel.refusal import BrokenTable, Refusal
from interlock.kernel.replay import apply
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER, Rule
from interlock.kernel.seen import Actor, Event, Part, PartId, Tally
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.tally import tally
from interlock.kernel.why import Call, Fact, Why
from interlock.kernel.workflow import Workflow

SOMEONE = "somebody"
ALIKE_TOLD: Final = 3
ALIKE_TRIED: Final = 40
"""Of parts that stand in the same status so many are told for a rule, and so many tried for that:
of a thousand that wait nobody wants to read a thousand lines."""


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
    first: tuple[Call, ...] = ()
    if part is not None and not is_ended and all(call.reach for call in calls):
        first = tuple(_openers(flow, snapshot, part))
    waits = () if flow.waiting is None else flow.waiting(snapshot)
    # Whoever has words of their own for what is waited for needs no form of it.
    told = facts if waits else (*waiting, *facts)
    return Why(kind, status, is_ended, calls, told, first, holder, since, waits)


def _tried(
    flow: Workflow, snapshot: Snapshot, asked: PartId | None
) -> tuple[tuple[Call, ...], tuple[Fact, ...]]:
    calls: list[Call] = []
    refusals: dict[tuple[str, str], list[Rule]] = {}
    told: Counter[tuple[str, str]] = Counter()
    counts = tally(snapshot.parts)
    for rule, part, status in _subjects(flow, snapshot, asked):
        alike = (rule.event, status)
        if told[alike] == ALIKE_TOLD:
            continue
        outcome = _try(flow, snapshot, rule, (part, asked), counts)
        if isinstance(outcome, Call):
            calls.append(outcome)
            told[alike] += 1
        elif outcome is not None and part == asked and outcome.code != "INVALID_TRANSITION":
            refusals.setdefault((outcome.message, outcome.code), []).append(rule)
    # What moves the thing itself comes first, what gives it up last; else as the table has them.
    calls.sort(key=lambda call: (call.is_giving_up, call.reach, _rank(flow, snapshot, call)))
    facts = tuple(
        Fact(message, _who(*rules), code, tuple(rule.command or rule.event for rule in rules))
        for (message, code), rules in refusals.items()
    )
    return tuple(calls), facts


def _openers(flow: Workflow, snapshot: Snapshot, asked: PartId) -> Iterator[Call]:
    """Find the calls about something else after which the part could be moved."""
    calls, _ = _tried(flow, snapshot, None)
    for call in calls:
        event = Event(call.event, call.by, call.part, call.args)
        decision = decide(flow, look(flow, snapshot, event), event)
        if call.part == asked or any(isinstance(e, New | Drop) for e in decision.entries):
            continue
        after = apply(flow, snapshot, decision)
        is_same = after.part(asked).status == snapshot.part(asked).status
        if is_same and any(not one.reach for one in _tried(flow, after, asked)[0]):
            yield call


def _subjects(
    flow: Workflow, snapshot: Snapshot, asked: PartId | None
) -> Iterator[tuple[Rule, PartId | None, str]]:
    """Yield what may be sent about what, with the status that it is in."""
    if asked is not None:
        status = snapshot.part(asked).status
        own = snapshot.part(asked).kind
        yield from ((rule, asked, status) for rule in flow.rules if rule.kind == own)
        return
    alike: dict[tuple[str, str], list[int]] = {}
    for place, part in enumerate(snapshot.parts):
        alike.setdefault((part.kind, part.status), []).append(place)
    for rule in flow.rules:
        if rule.kind == flow.unit.name:
            yield rule, None, ""
            continue
        # Only what is accepted is told of a part, so what is sure to be refused is not tried.
        places = [
            place
            for (kind, status), found in alike.items()
            if kind == rule.kind and _admits(flow, rule, snapshot.unit.status, status)
            for place in found[:ALIKE_TRIED]
        ]
        yield from (
            (rule, snapshot.name(place), snapshot.parts[place].status) for place in sorted(places)
        )


def _admits(flow: Workflow, rule: Rule, unit: str, part: str) -> bool:
    return flow.table.rules[rule.event].admits(unit, part)


def _try(
    flow: Workflow,
    snapshot: Snapshot,
    rule: Rule,
    about: tuple[PartId | None, PartId | None],
    counts: Tally,
) -> Call | Refusal | None:
    """Try a rule with each of its examples, as everyone who could send it.

    ``about`` is the part that it is tried on, and the one that was asked about.
    """
    part, asked = about
    refusal: Refusal | None = None
    accepted: dict[str, Decision] = {}
    for actor in _actors(rule, None if part is None else snapshot.part(part)):
        for example in rule.examples:
            args = _with_proofs(rule, snapshot, part, example)
            event = Event(rule.event, actor, part, args)
            try:
                decision = decide(flow, look(flow, snapshot, event, counts), event)
            except Refusal as said:
                refusal = refusal or said
            except BrokenTable:
                continue
            else:
                accepted.setdefault(actor.kind, decision)
    return _call(flow, rule, accepted, asked) if accepted else refusal


def _actors(rule: Rule, part: Part | None) -> tuple[Actor, ...]:
    holder = SOMEONE if part is None else str(part.fields.get("holder") or SOMEONE)
    order = (AGENT, WORKER, USER, SYSTEM)
    return tuple(Actor(kind, holder, holder) for kind in order if kind in rule.actors)


def _with_proofs(
    rule: Rule, snapshot: Snapshot, part: PartId | None, args: Mapping[str, object]
) -> Mapping[str, object]:
    """Return the arguments with the fence of the last claim and the digest of what is shown."""
    owner = snapshot.unit.fields if part is None else snapshot.part(part).fields
    proofs: dict[str, object] = {}
    if rule.lease and owner.get("fence"):
        proofs["fence"] = owner["fence"]
    if "gate" in rule.sees and "digest" in args:
        proofs["digest"] = owner.get("shown", snapshot.unit.fields.get("shown"))
    return {**args, **proofs} if proofs else args


def _call(flow: Workflow, rule: Rule, accepted: dict[str, Decision], asked: PartId | None) -> Call:
    decision = next(iter(accepted.values()))
    event = decision.event
    moves = [e for e in decision.entries if isinstance(e, Move) and e.source != e.target]
    is_making = any(isinstance(entry, New) for entry in decision.entries)
    who = "unit" if asked is None else "part"
    end = flow.unit.status(decision.status)
    return Call(
        event=rule.event,
        command=rule.command,
        actors=tuple(sorted(accepted)),
        by=event.actor,
        part=event.part,
        args=event.args,
        moves=tuple(f"{m.kind} {m.source} -> {m.target}" for m in moves),
        reach=0 if any(m.who == who for m in moves) else 1 if moves or is_making else 2,
        is_giving_up=end.kind == "terminal" and not end.is_success,
    )


def _who(*rules: Rule) -> tuple[str, ...]:
    return tuple(sorted(frozenset[str]().union(*(rule.actors for rule in rules))))


def _rank(flow: Workflow, snapshot: Snapshot, call: Call) -> int:
    """At a gate what a person can do comes first, elsewhere what an agent can; the clock last."""
    rows = [flow.unit.status(snapshot.unit.status)]
    if call.part is not None:
        row = snapshot.part(call.part)
        rows.append(flow.machine(row.kind).status(row.status))
    wanted = {USER} if any(row.kind == "gate" for row in rows) else {AGENT, WORKER}
    if call.actors == (SYSTEM,):
        return 2
    return 0 if wanted & set(call.actors) else 1


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
