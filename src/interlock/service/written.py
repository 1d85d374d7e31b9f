"""What a command has done to the parts of its unit, sorted by how it is to be written."""

from interlock.store.rows import PartRow, has_new_body, has_same_place, part_body
from interlock.store.script import Kinds


class Written:
    """Parts made, changed and gone; of those ``moved`` only status, lease and body changed."""

    __slots__ = ("_stirred", "bodies", "changed", "gone", "made", "moved")

    def __init__(self) -> None:
        """Begin with none."""
        self.made: list[PartRow] = []
        self.changed: list[PartRow] = []
        self.bodies: dict[int, str] = {}
        self.moved: set[int] = set()
        self.gone: list[int] = []
        self._stirred: dict[str, dict[str, None]] = {}

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
        is_alike = (
            before.ord == after.ord
            and before.slot == after.slot
            and before.waits == after.waits
            and before.feeds == after.feeds
            and before.branches == after.branches
        )
        if has_new_body(before.part, after.part):
            self.bodies[after.number] = part_body(after.part)
            is_alike = is_alike and has_same_place(before.part, after.part)
        if is_alike:
            self.moved.add(after.number)
        if before.offer is not None:
            self._stir(before)
        if after.offer is not None:
            self._stir(after)

    def _stir(self, row: PartRow) -> None:
        if row.offer is not None:
            self._stirred.setdefault(row.part.kind, {})[row.part.status] = None

    def stirred(self) -> Kinds:
        """Return the queues, by kind and status, whose heads may be others now."""
        return tuple([(kind, tuple(statuses)) for kind, statuses in self._stirred.items()])
