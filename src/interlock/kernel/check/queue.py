"""Which part would a queue hand out next? Asked for every state, answered once for each slice."""

from interlock.kernel.check.space import Parts, Space
from interlock.kernel.draft import Draft
from interlock.kernel.look import NOBODY, look
from interlock.kernel.seen import Event, Part, Unit
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.table import claimable


class Queues:
    """The queues of a workflow, over the checker's states."""

    def __init__(self, space: Space) -> None:
        """Compile the queues' tests."""
        self.flow = space.flow
        self.space = space
        self.known: dict[tuple[object, ...], tuple[bool, bool]] = {}
        self.claims = {kind.claim for kind in self.flow.parts if kind.claim}
        self.checks = {
            kind.name: (claimable(kind.claimable, self.flow), claimable(kind.first, self.flow))
            for kind in self.flow.parts
            if kind.claim
        }

    def heads(
        self, unit: Unit, parts: Parts, tally: int, open_needs: list[int]
    ) -> dict[str, int | None]:
        """Return for each kind that is queued the place that is handed out next."""
        return {kind: self._head(unit, parts, kind, tally, open_needs) for kind in self.checks}

    def waits(self, parts: Parts, part: Part) -> int:
        """Count the parts that a part needs and that are not closed yet."""
        count = 0
        for need in part.needs:
            if isinstance(need, int):
                needed = parts[need]
                count += needed.status not in self.flow.kind(needed.kind).closed
        return count

    def _head(
        self, unit: Unit, parts: Parts, kind: str, tally: int, open_needs: list[int]
    ) -> int | None:
        best: tuple[bool, int] | None = None
        for place, part in enumerate(parts):
            if part.kind != kind:
                continue
            key = (unit, part, open_needs[place], tally)
            known = self.known.get(key)
            if known is None:
                known = self.known[key] = self._queue(unit, parts, place)
            can, first = known
            if can and (best is None or (not first, place) < best):
                best = (not first, place)
        return None if best is None else best[1]

    def _queue(self, unit: Unit, parts: Parts, place: int) -> tuple[bool, bool]:
        kind = self.flow.kind(parts[place].kind)
        event = Event(kind.claim, NOBODY, place)
        draft = Draft(self.flow, look(self.flow, Snapshot(unit, parts), event), event, 0)
        can, first = self.checks[kind.name]
        return can(draft), first(draft)
