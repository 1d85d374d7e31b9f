"""Safe resume: a unit's rows are looked at before they are first used after a start.

Only units of a workflow that says how it wants trouble told (``kernel/trouble``), and only while
they have not ended. What the rows say must stand on its own and be what the audit says. Fields
that are gone, or cannot be read, are made again from the audit. Anything else that is wrong
blocks the unit (``block``): a person decides, nothing goes on by itself, and no other unit is
touched. What was looked at once in a process costs the lookup of a key from then on.
"""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from interlock.errors import InterlockError
from interlock.kernel.look import standing
from interlock.kernel.refusal import BrokenTable
from interlock.kernel.replay import Folding
from interlock.kernel.seen import Unit
from interlock.kernel.settle import check_pairs
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.trouble import CODE
from interlock.kernel.workflow import Field, Workflow
from interlock.service.block import Found, blocked, rebuilt
from interlock.service.engine import Engine, Running, clockwork
from interlock.service.errors import NotFound
from interlock.service.record import read_records
from interlock.service.standing import Read, read_standing
from interlock.service.verify import entries_of, wrong_chain, wrong_rows
from interlock.store.gates import GateRow
from interlock.store.port import ALL, AuditRow, Listed, Which
from interlock.store.rows import BareRow, freeze
from interlock.store.script import Change, Script, Stale

log: Final = logging.getLogger("interlock.resume")

TRIES: Final = 10
"""How often a unit is looked at again because others have changed it meanwhile, or we have."""

PAGE: Final = 200
LAST: Final = 2**62
"""Later than any entry."""

UNREADABLE: Final = (InterlockError, AttributeError, LookupError, TypeError, ValueError)
NO_FIELDS: Final[Mapping[str, object]] = {}


class Unsound(InterlockError):
    """What is stored of a unit is corrupt, and still is."""

    code = CODE
    http = 409


async def make_sound(engine: Engine, tenant: str, unit: str) -> None:
    """Look at a unit that was not looked at in this process; block it where it is corrupt."""
    running = engine.flows.get(unit.rpartition("-")[0])
    if running is None or running.flow.trouble is None or (tenant, unit) in engine.sound:
        return
    await _settle(engine, running, tenant, unit)
    engine.sound.add((tenant, unit))


async def require_sound(engine: Engine, tenant: str, unit: str) -> None:
    """Look at a unit again, though it was looked at before; raises ``Unsound``."""
    engine.sound.discard((tenant, unit))
    wrong = await _settle(engine, engine.running(unit), tenant, unit)
    engine.sound.add((tenant, unit))
    if wrong:
        fix = "Restore what is named from a backup and try again, or give the unit up."
        raise Unsound(f"{unit} is corrupt: {'; '.join(wrong)}.", fix=fix)


async def resume_all(engine: Engine) -> int:
    """Look at every unit of every tenant that has not ended; return how many there were."""
    count = 0
    flows = [name for name, running in engine.flows.items() if running.flow.trouble is not None]
    for tenant in await engine.store.tenants():
        for workflow in flows:
            place: tuple[int, str] | None = None
            while page := await engine.store.bare_open(tenant, workflow, place, PAGE):
                place = (page[-1].changed_at, page[-1].id)
                for row in page:
                    await _look_aside(engine, tenant, row.id)
                count += len(page)
    return count


async def sound_units(
    engine: Engine, tenant: str, workflow: str, before: tuple[int, str] | None, limit: int,
    which: Which = ALL,
) -> tuple[Listed, ...]:  # fmt: skip
    """List units as a store does; what is odd is looked at first, and blocked.

    What has ended, or cannot be blocked, is listed as it is: it hides no others.
    """
    flow = engine.flows[workflow].flow
    looked: set[str] = set()
    rows: tuple[Listed, ...] = ()
    while True:
        rows = await engine.store.units(tenant, workflow, before, limit, which)
        odd = {one.row.id for one in rows if one.wrong or not _could_be(flow, one.row.unit)}
        odd -= looked
        if not odd:
            return rows
        looked |= odd
        for unit in sorted(odd):
            # It may have been looked at before somebody has damaged it.
            engine.sound.discard((tenant, unit))
            await _look_aside(engine, tenant, unit)


def _could_be(flow: Workflow, unit: Unit) -> bool:
    """Say whether a unit's own row is such that something can be told of it."""
    is_whole = all(field.name in unit.fields for field in flow.fields)
    return is_whole and unit.status in flow.unit.names()


async def _look_aside(engine: Engine, tenant: str, unit: str) -> None:
    """Look at one of many: what is wrong with it must not keep us from the others."""
    try:
        await make_sound(engine, tenant, unit)
    except InterlockError as no:
        log.warning("%s could not be looked at: %s", unit, no.message)


async def _settle(engine: Engine, running: Running, tenant: str, unit: str) -> tuple[str, ...]:
    """Bring a unit to where its rows can be used.

    Return what is wrong with it still, or what it was blocked for just now: nobody has seen that.
    """
    wrong: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    for _ in range(TRIES):
        bare = await engine.store.bare(tenant, unit)
        if bare is None or bare.ended_at is not None:
            return ()
        found = await _look(engine, running, tenant, bare)
        wrong = found.wrong
        if not wrong or _is_told(running, found):
            break
        actor, at = clockwork(tenant).actor(), engine.store.now()
        if found.is_fieldless and found.folded is not None:
            change = rebuilt(running, tenant, found, actor, at)
            told = "was rebuilt from its audit"
        else:
            gates = await engine.store.gates.of_unit(tenant, unit)
            change = blocked(running, tenant, found, gates, actor, at)
            told, unseen = "was blocked", wrong
        if await _has_written(engine, tenant, change):
            log.warning("%s %s: %s", unit, told, "; ".join(wrong))
    return wrong or unseen


async def _has_written(engine: Engine, tenant: str, change: Change) -> bool:
    def script() -> Script:
        yield from ()
        return change

    try:
        await engine.store.run(tenant, script)
    except Stale:
        return False
    return True


def _is_told(running: Running, found: Found) -> bool:
    """Say whether the unit is blocked for being corrupt already: it is not told again."""
    trouble = running.flow.trouble
    if trouble is None or found.bare.status != trouble.status:
        return False
    error = found.fields.get(trouble.error)
    return isinstance(error, Mapping) and error.get("code") == CODE


# -- looking -----------------------------------------------------------------------------------


async def _look(engine: Engine, running: Running, tenant: str, bare: BareRow) -> Found:
    """Read everything of a unit and say what is wrong with it, if anything is."""
    fields = _fields(bare)
    entries = await entries_of(engine, tenant, bare.id, await _until(engine, tenant, bare))
    chain = next(wrong_chain(bare.id, tenant, entries), None)
    folded = _folded(running.flow, entries)
    read: Read | None = None
    wrong: list[str] = []
    try:
        read = await read_standing(engine, tenant, bare.id)
    except NotFound:
        pass
    except UNREADABLE as exc:
        wrong.append(
            exc.message if isinstance(exc, InterlockError) else f"it cannot be read ({exc!r})"
        )
    wrong = [*_wrong_alone(running.flow, bare, fields, folded), *wrong]
    if chain is not None:
        wrong.append(str(chain))
    elif read is not None and read.whole.row.version == bare.version:
        gates = await engine.store.gates.of_unit(tenant, bare.id)
        wrong += _wrong_together(read, tenant, entries, gates)
    rows = None if read is None or not _is_legal(running.flow, read.snapshot) else read.snapshot
    return Found(
        bare, fields, tuple(dict.fromkeys(wrong)), tuple(entries), read,
        folded=folded if chain is None else None, rows=rows,
    )  # fmt: skip


async def _until(engine: Engine, tenant: str, bare: BareRow) -> int:
    """Return up to where entries are read: where the row stands, or where they really end."""
    if not await engine.store.audit(tenant, bare.id, bare.version, 1):
        return bare.version
    again = await engine.store.bare(tenant, bare.id)
    # Somebody has changed the unit meanwhile: what came in between is theirs.
    is_moved = again is None or again.version != bare.version
    return bare.version if is_moved else LAST


def _fields(bare: BareRow) -> Mapping[str, object]:
    """Return the fields of a row; none where they are gone or cannot be read."""
    try:
        found = freeze(json.loads(bare.fields))
    except ValueError:
        return NO_FIELDS
    return found if isinstance(found, Mapping) else NO_FIELDS


def _folded(flow: Workflow, entries: list[AuditRow]) -> Snapshot | None:
    folding = Folding(flow)
    try:
        for row in entries:
            for record in read_records(row.link.body):
                folding.take(record)
        return folding.snapshot()
    except UNREADABLE:
        return None


def _wrong_alone(
    flow: Workflow, bare: BareRow, fields: Mapping[str, object], folded: Snapshot | None
) -> Iterator[str]:
    """Yield what is wrong with a unit's own row, whatever else there is."""
    if bare.status not in flow.unit.names():
        yield f"there is no status {bare.status!r}"
    if not fields:
        yield "its fields are gone or cannot be read"
        return
    # A workflow that has learnt a field since is no corruption: nothing ever held it.
    known = fields if folded is None else folded.unit.fields
    for field in flow.fields:
        if field.name not in fields:
            if folded is None or field.name in known:
                yield f"its {field.name} is missing"
        elif not _is_kind(field, fields[field.name]):
            yield f"its {field.name} is {fields[field.name]!r:.80}"


def _is_kind(field: Field, value: object) -> bool:
    """Say whether a value is of the kind that the default of its field is of."""
    default = field.default
    return default is None or type(value) is type(default)


def _wrong_together(
    read: Read, tenant: str, entries: list[AuditRow], gates: Sequence[GateRow]
) -> Iterator[str]:
    """Yield what is wrong first with a unit, its parts, its gates and its audit taken together."""
    try:
        finding = next(wrong_rows(read, tenant, entries, gates), None)
    except UNREADABLE as exc:
        yield f"it cannot be judged ({exc!r})"
        return
    if finding is not None:
        yield str(finding)


def _is_legal(flow: Workflow, snapshot: Snapshot) -> bool:
    """Say whether a unit could stand like that, as far as it can tell by itself."""
    try:
        check_pairs(standing(flow, snapshot))
    except (BrokenTable, *UNREADABLE):
        return False
    return all(field.name in snapshot.unit.fields for field in flow.fields)
