"""Gates: which ones a command opens and closes, and who may not decide at one.

Nothing is asked or written here. A turn says how things stood and stand; a gate that is open was
opened in the commit that entered its status, and is closed in the one that leaves it. A gate takes
one decision: whoever comes later is told who has decided what, and when.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple, cast

from interlock.errors import InterlockError
from interlock.kernel.gates import HUMAN, SHOWN, Gates, policy_of
from interlock.kernel.refusal import Legal
from interlock.kernel.rules import USER, Rule
from interlock.kernel.seen import Actor, Part, Unit
from interlock.service.cards import TITLE_MAX, titled
from interlock.service.engine import Running
from interlock.service.record import Body
from interlock.store.gates import WITHDRAWN, Closed, GateRow, Opened
from interlock.store.rows import PartRow, part_id

BY_OTHERS: Final = "review_by_others"
"""The field of a unit by which whoever asked for a decision may not be the one who decides."""


class GateDecided(InterlockError):
    """The gate has been closed already: by a decision, or because what it was about has ended."""

    code = "GATE_DECIDED"
    http = 409

    def __init__(self, gate: GateRow, legal: tuple[Legal, ...] = ()) -> None:
        """Say who has decided what, and when; ``legal`` is what may be said instead."""
        super().__init__(f"The gate {gate.id} is closed: {closing(gate)}.", fix=FIX)
        self.gate = gate
        self.legal = legal


FIX: Final = "Nothing was applied; read the gate with get_gate, and what is open with list_gates."


class OwnReview(InterlockError):
    """Whoever asked for the decision wants to be the one who decides."""

    code = "OWN_REVIEW"
    http = 403


class StaleDigest(InterlockError):
    """A person decides without saying what they were shown, or about something else."""

    code = "STALE_APPROVAL"
    http = 409


class Standing(NamedTuple):
    """A unit (part 0) or a part: how it stood before a command and how it stands after it.

    None is a part that was not there, or is not there any more.
    """

    number: int
    kind: str
    before: Unit | Part | None
    after: Unit | Part | None


class Gated(NamedTuple):
    """The gates that a command closes and opens."""

    closed: tuple[Closed, ...] = ()
    opened: tuple[Opened, ...] = ()


NONE: Final = Gated()


class Moment(NamedTuple):
    """What a command has come to, as far as its gates need it.

    ``version`` is the sequence before the first of ``bodies``; ``policy`` says who may decide.
    """

    unit: str
    actor: Actor
    at: int
    version: int
    bodies: Sequence[Body]
    policy: str
    # What somebody has written about it, which says more than its name does.
    title: str = ""


def at_gates(
    running: Running,
    units: tuple[Unit | None, Unit],
    before: Mapping[str, PartRow | None],
    after: Mapping[str, PartRow],
) -> list[Standing]:
    """Return what a command has brought to a gate or away from one; mostly nothing.

    ``units`` is the unit before and after it; parts that were not there before are None.
    """
    gates, kind = running.gates, running.flow.unit.name
    was, now = units
    found = []
    if (was is not None and (kind, was.status) in gates) or (kind, now.status) in gates:
        found.append(Standing(0, kind, was, now))
    for name, old in before.items():
        new = after.get(name)
        row = new or old
        if row is not None and (_waits(gates, old) or _waits(gates, new)):
            found.append(Standing(row.number, row.part.kind, _part(old), _part(new)))
    return found


def _part(row: PartRow | None) -> Part | None:
    return None if row is None else row.part


def _waits(gates: Gates, row: PartRow | None) -> bool:
    return row is not None and (row.part.kind, row.part.status) in gates


def gated(running: Running, moved: Iterable[Standing], told: Moment) -> Gated:
    """Return the gates that a command closes and opens."""
    closed: list[Closed] = []
    opened: list[Opened] = []
    for one in moved:
        if _is_same(one):
            continue
        if one.before is not None and (one.kind, one.before.status) in running.gates:
            closed.append(_closed(running, one, one.before, told))
        if one.after is not None and (one.kind, one.after.status) in running.gates:
            opened.append(_opened(one, one.after, told))
    return Gated(tuple(closed), tuple(opened))


def _is_same(one: Standing) -> bool:
    """Say whether a thing still waits for the same decision about the same content."""
    before, after = one.before, one.after
    if before is None or after is None or before.status != after.status:
        return False
    return before.fields.get(SHOWN) == after.fields.get(SHOWN)


def _opened(one: Standing, after: Unit | Part, told: Moment) -> Opened:
    actor = told.actor
    sequence = _sequence(one, told, "target", after.status)
    name = part_id(told.unit, one.number) if one.number else told.unit
    title = told.title or titled(after.fields)
    return Opened(
        f"{name}:{sequence}", one.number, one.kind, after.status,
        str(after.fields.get(SHOWN) or ""), told.policy, title[:TITLE_MAX], told.at, actor.kind,
        actor.id, actor.on_behalf_of, sequence,
    )  # fmt: skip


def _closed(running: Running, one: Standing, before: Unit | Part, told: Moment) -> Closed:
    sequence = _sequence(one, told, "source", before.status)
    event = str(told.bodies[sequence - told.version - 1]["event"])
    # A gate whose content is replaced makes room for the next one: nobody has decided it. What
    # is gone may have been refused by a decision.
    has_left = one.after is None or one.after.status != before.status
    is_decision = has_left and event in running.gates[one.kind, before.status]
    actor = told.actor
    return Closed(
        one.number, event if is_decision else WITHDRAWN, event, told.at, actor.kind, actor.id,
        actor.on_behalf_of, actor.channel, sequence,
    )  # fmt: skip


def _sequence(one: Standing, told: Moment, word: str, status: str) -> int:
    """Return the number of the entry that says it, else of the last one."""
    name = part_id(told.unit, one.number)
    for place in range(len(told.bodies) - 1, -1, -1):
        body = told.bodies[place]
        about = cast("Sequence[str]", body.get("ids", ()))
        is_it = bool(body.get("unit")) if one.number == 0 else name in about
        if is_it and body.get(word) == status:
            return told.version + 1 + place
    return told.version + len(told.bodies)


def title_of(asked: Sequence[Mapping[str, object]]) -> str:
    """Return what somebody has written about what is to be decided."""
    return next((str(args["summary"]) for args in asked if args.get("summary")), "")


# -- who may decide ----------------------------------------------------------------------------


def was_decided(gate: GateRow | None) -> bool:
    """Say whether the last gate of a thing was closed by a decision."""
    return gate is not None and gate.decision not in (None, WITHDRAWN)


def check_decider(
    gate: GateRow, rule: Rule, actor: Actor, unit: Unit, args: Mapping[str, object]
) -> None:
    """Raise unless this decision, which the rules admit, may be taken at this gate by this one."""
    if unit.fields.get(BY_OTHERS):
        own = {actor.id, actor.on_behalf_of} & {gate.opened_by, gate.opened_for} - {""}
        if own:
            message = "Whoever asked for this decision cannot be the one who decides."
            raise OwnReview(message, fix="Ask somebody else to decide; the gate stays open.")
    is_shown = "gate" in rule.sees and gate.digest
    is_own_word = actor.kind == USER and policy_of(unit.fields) == HUMAN
    if is_shown and is_own_word and args.get("digest") != gate.digest:
        message = "The decision does not say what was shown at the gate, or names something else."
        fix = "Look at the gate again and send the content_digest shown there."
        raise StaleDigest(message, fix=fix)


def closing(gate: GateRow) -> str:
    """Say who has closed a gate, how and when."""
    what = f"withdrawn by {gate.event}" if gate.decision == WITHDRAWN else f"{gate.decision}"
    relayed = gate.decided_kind != USER and gate.decision != WITHDRAWN
    behalf = f" for {gate.decided_for}" if gate.decided_for else ""
    who = f"{gate.decided_kind} {gate.decided_by}{behalf}"
    when = datetime.fromtimestamp((gate.decided_at or 0) / 1000, UTC)
    at = when.isoformat(timespec="seconds").replace("+00:00", "Z")
    return f"{what}{', relayed,' if relayed else ''} by {who} at {at}"
