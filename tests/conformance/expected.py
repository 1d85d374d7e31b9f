"""What the kernel says a command does: accepted or refused, the records of it, and what then is."""

from collections.abc import Iterator
from dataclasses import dataclass

from interlock.kernel.check.variants import fence_of
from interlock.kernel.decide import decide
from interlock.kernel.look import look
from interlock.kernel.refusal import Refusal
from interlock.kernel.replay import Record, fold, records
from interlock.kernel.seen import Event, Part, Unit
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.timer import GOES_ON, Timer
from interlock.service.engine import Running
from interlock.service.order import Asked, lease_ms
from interlock.store.rows import PartRow, UnitRow, part_id
from tests.conformance.naming import named_fields, part_name
from tests.conformance.planting import Planting
from tests.conformance.tries import Try

NO_RECORDS: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Expected:
    """The kernel's word on one command. ``code`` is empty where it is accepted."""

    asked: Asked
    fence: int | None
    code: str = ""
    records: tuple[Record, ...] = NO_RECORDS
    after: Snapshot | None = None
    # When something must run out: leases given or proved by the command, and all timers that run.
    due: tuple[tuple[str, int], ...] = ()


def expect(planting: Planting, one: Try) -> Expected:
    """Decide a command in memory."""
    running, snapshot = planting.running, planting.snapshot
    flow = running.flow
    args = named_fields(planting.unit, one.variant.args)
    part = None if one.place is None else part_name(planting.unit, one.place)
    fence = None
    if part is not None and one.variant.lease:
        fence = fence_of(one.variant, snapshot.part(part))
    told = args if fence is None else {**args, "fence": fence}
    event = Event(one.variant.event, one.variant.actor, part, told)
    is_claim = part is not None and flow.kind(snapshot.part(part).kind).claim == event.name
    asked = Asked(
        event.name,
        part=None if is_claim else part,
        kind=snapshot.part(part).kind if is_claim and part is not None else "",
        args=args,
    )
    try:
        decision = decide(flow, look(flow, snapshot, event), event, planting.at)
    except Refusal as no:
        return Expected(asked, fence, no.code)
    made = len(snapshot.parts)

    def name_of(kind: str, number: int) -> str:
        nonlocal made
        del kind, number
        made += 1
        return part_id(planting.unit, made)

    log = records(flow, snapshot, decision, name_of)
    after = fold(flow, snapshot, log)
    due = (*_due(running, planting, event, after), *_timers(planting, event, after))
    return Expected(asked, fence, "", log, after, due)


def _timers(planting: Planting, event: Event, after: Snapshot) -> Iterator[tuple[str, int]]:
    """Yield when timers run out: of the unit, and of its parts for as long as it is open."""
    flow, before, planted = planting.running.flow, planting.snapshot, planting.due()
    names: list[tuple[str, Timer | None, Unit | Part | None, Unit | Part]] = []
    names.append((planting.unit, flow.timer, before.unit, after.unit))
    if after.unit.status not in flow.table.terminal:
        for name, part in zip(after.ids, after.parts, strict=True):
            old = before.part(name) if name in before.ids else None
            names.append((name, flow.kind(part.kind).timer, old, part))
    for name, timer, was, now in names:
        if timer is None:
            continue
        is_renewed = event.part == name and event.name in timer.renewed
        lasts = timer.goes(was, now, is_renewed=is_renewed)
        if lasts:
            yield name, planted[name] if lasts == GOES_ON else planting.at + lasts


def _due(
    running: Running, planting: Planting, event: Event, after: Snapshot
) -> tuple[tuple[str, int], ...]:
    if event.part is None or event.part not in after.ids:
        return ()
    was, now = planting.snapshot.part(event.part).fields, after.part(event.part).fields
    rule = running.flow.rule(event.name)
    if now.get("holder") is None or now.get("lapsed") or rule is None:
        return ()
    if not rule.lease and was.get("fence") == now.get("fence"):
        return ()
    row = PartRow(str(event.part), 0, after.part(event.part), 0)
    unit = UnitRow(planting.unit, "", "", planting.snapshot.unit, {}, 0, "", 0, "")
    return ((str(event.part), planting.at + lease_ms(running, unit, row)),)
