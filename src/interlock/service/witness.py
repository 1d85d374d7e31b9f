"""Compare the database with checkpoints outside of it: what was rewritten, cut or taken away.

The chain of a unit can be made anew by who owns the database; not so that it passes through a hash
that was signed before. Hashes are computed here from the entries themselves: what is stored of them
is not believed, but for entries that were erased. A restore from a backup takes entries away, too:
it is told, and never passed over.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from interlock.clock import instant
from interlock.service.checkpoint import Checkpoint, Place, Wrong
from interlock.service.engine import Engine
from interlock.service.verify import Finding
from interlock.store.chain import genesis, linked
from interlock.store.heads import RestoreRow

PAGE: Final = 1_000


class Mark(NamedTuple):
    """A head that a line tells: what must still be in the audit."""

    sequence: int
    hash: str
    line: Checkpoint


@dataclass(slots=True)
class Witnessed:
    """What comparing has come to; ``notes`` are restores that a later line has signed."""

    heads: int = 0
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


async def compare(
    engine: Engine, lines: Sequence[Checkpoint], wrong: Sequence[Wrong] = ()
) -> Witnessed:
    """Compare the audits of all tenants with all lines of a file."""
    found = Witnessed()
    found.findings += [Finding(f"checkpoint {one.number}", 0, one.what) for one in wrong]
    restores = await engine.store.restores()
    judge = _Judge(lines, restores, found)
    blank: set[str] = set()
    judge.look_at_incarnation((await engine.store.health()).incarnation)
    for (tenant, unit), marks in _marks(lines).items():
        last = max(mark.sequence for mark in marks)
        hashes = [one async for one in _hashes(engine, tenant, unit, last)]
        if hashes and await _is_blank(engine, tenant, unit):
            blank.add(tenant)
        for mark in marks:
            judge.look_at(unit, mark, hashes)
    judge.sum_up()
    found.notes += [
        f"the tenant {name} was erased: of it hashes are left" for name in sorted(blank)
    ]
    return found


def _marks(lines: Sequence[Checkpoint]) -> dict[Place, list[Mark]]:
    marks: dict[Place, list[Mark]] = {}
    for line in lines:
        for head in line.heads:
            mark = Mark(head.sequence, head.hash, line)
            marks.setdefault((head.tenant, head.unit), []).append(mark)
    return marks


async def _hashes(engine: Engine, tenant: str, unit: str, last: int) -> AsyncIterator[str]:
    """Yield the hash of each entry of a unit, made of the entries, up to one."""
    before, sequence = genesis(tenant, unit), 0
    while sequence < last:
        page = await engine.store.audit(tenant, unit, sequence, PAGE)
        for row in page:
            sequence = row.link.sequence
            # Of what was erased the hash is left. That an entry is empty for no such reason, or
            # that its hash does not fit, is found by verifying.
            before = linked(before, row.link.body) if row.link.body else row.link.hash
            yield before
        if len(page) < PAGE:
            return


async def _is_blank(engine: Engine, tenant: str, unit: str) -> bool:
    (first,) = await engine.store.audit(tenant, unit, 0, 1)
    return not first.link.body


def _when(at: int) -> str:
    """Say an instant that may be no instant at all: who tampers writes what they like."""
    try:
        return instant(at)
    except (ValueError, OverflowError, OSError):
        return str(at)


class _Judge:
    """Says what a mark that does not hold means."""

    def __init__(
        self, lines: Sequence[Checkpoint], restores: Sequence[RestoreRow], found: Witnessed
    ) -> None:
        self._found = found
        self._lines = lines
        self._restores = restores
        self._signed = {row.name for line in lines for row in line.restores}
        # How many heads each restore has taken away.
        self._taken: dict[RestoreRow, int] = {}

    def look_at_incarnation(self, name: str) -> None:
        """Find a database that is another one than it was, where no restore tells why."""
        known = {self._lines[-1].incarnation if self._lines else name}
        known |= {row.name for row in self._restores}
        if name not in known:
            what = "the database has another incarnation, and no restore tells why"
            self._add("database", 0, what, self._lines[-1].incarnation, name)

    def look_at(self, unit: str, mark: Mark, hashes: Sequence[str]) -> None:
        """Find a mark that does not hold."""
        there = hashes[mark.sequence - 1] if mark.sequence <= len(hashes) else ""
        if there == mark.hash:
            self._found.heads += 1
            return
        restore = next(self._between(mark), None)
        if restore is not None:
            self._taken[restore] = self._taken.get(restore, 0) + 1
            return
        number = mark.line.number
        if not hashes:
            what = f"the unit is gone, and stands in checkpoint {number}"
        elif not there:
            what = f"the audit ends before what checkpoint {number} tells"
        else:
            what = f"the audit is not the one that checkpoint {number} tells"
        self._add(unit, mark.sequence, what, mark.hash, there or f"{len(hashes)} entries")

    def _between(self, mark: Mark) -> Iterator[RestoreRow]:
        """Yield restores that have taken away what came after their backup, up to the restore."""
        line = mark.line
        for row in self._restores:
            if row.name != line.incarnation and row.taken_at < line.at <= row.restored_at:
                yield row

    def sum_up(self) -> None:
        """Tell restores: one that no line has signed is a finding."""
        for row in self._restores:
            count = self._taken.get(row, 0)
            told = (
                f"restored from a backup of {_when(row.taken_at)} on {_when(row.restored_at)},"
                f" incarnation {row.former} became {row.name}: {count} heads of checkpoints are"
                " not in it"
            )
            if row.name in self._signed:
                self._found.notes.append(told)
            elif self._lines:
                self._add("database", 0, f"{told}; no checkpoint was taken since")

    def _add(self, unit: str, sequence: int, what: str, right: str = "", there: str = "") -> None:
        self._found.findings.append(Finding(unit, sequence, what, right, there))
