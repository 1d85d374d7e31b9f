"""What a command has done to the parts of its unit, sorted by how it is to be written."""

from dataclasses import dataclass, field

from interlock.store.rows import OFFER, ORD, PartRow, has_new_body, part_body
from interlock.store.script import Kinds


@dataclass(slots=True)
class Written:
    """Parts made, changed and gone; of those that were ``moved`` only status and lease changed."""

    made: list[PartRow] = field(default_factory=list)
    changed: list[PartRow] = field(default_factory=list)
    bodies: dict[int, str] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)
    gone: list[int] = field(default_factory=list)
    _stirred: dict[str, dict[str, None]] = field(default_factory=dict)

    def add_new(self, row: PartRow) -> None:
        """Take up a part that was made."""
        self.made.append(row)
        self._stir(row)

    def add_gone(self, row: PartRow) -> None:
        """Take up a part that is gone."""
        self.gone.append(row.number)
        self._stir(row)

    def add_changed(self, before: PartRow, after: PartRow) -> None:
        """Take up a part that has changed."""
        self.changed.append(after)
        if has_new_body(before.part, after.part):
            self.bodies[after.number] = part_body(after.part)
        elif before[ORD:OFFER] == after[ORD:OFFER] and before.slot == after.slot:
            self.moved.add(after.number)
        self._stir(before)
        self._stir(after)

    def _stir(self, row: PartRow) -> None:
        if row.offer is not None:
            self._stirred.setdefault(row.part.kind, {})[row.part.status] = None

    def stirred(self) -> Kinds:
        """Return the queues, by kind and status, whose heads may be others now."""
        return tuple((kind, tuple(statuses)) for kind, statuses in self._stirred.items())
