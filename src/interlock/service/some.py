"""Read some parts of a unit, not all of them: what that costs does not grow with the unit."""

from collections.abc import Callable
from typing import NamedTuple, cast

from interlock.service.engine import Engine, Running
from interlock.service.errors import NotFound
from interlock.service.resume import make_sound
from interlock.service.run import drive
from interlock.store.rows import PartRow, UnitRow, part_id, part_number, unit_of
from interlock.store.script import Find, Load, Loaded, Nothing, Script

Rows = tuple[PartRow, ...]
Children = dict[str, Rows]
Others = Callable[[UnitRow, PartRow | None, Children], tuple[str, ...]]
"""Says who else is to be read, knowing what was read so far."""


class Some(NamedTuple):
    """A unit, the part that was named (where one was), and others, as they stood at one moment."""

    running: Running
    unit: UnitRow
    part: PartRow | None
    # By kind: the parts that have the named one as their parent, in their order.
    children: Children
    # By name: what was asked for by name and is there.
    others: dict[str, PartRow]
    # Of which life of the database leases must be.
    incarnation: str


async def read_some(
    engine: Engine,
    tenant: str,
    name: str,
    kinds: tuple[str, ...] = (),
    others: Others = lambda *_: (),
) -> Some:
    """Read a unit or part with its children of some kinds, and with others; raises ``NotFound``.

    Who the others are may hang on what was read first.
    """
    running = engine.running(name)
    unit, found = unit_of(name), list[Some]()
    await make_sound(engine, tenant, unit)
    part = None if name == unit else name

    def script() -> Script:
        loaded = cast("Loaded | None", (yield Load(unit, part, is_fresh=True)))
        if loaded is None or (part is not None and loaded.part is None):
            raise NotFound(name)
        children: Children = {}
        for kind in kinds:
            children[kind] = cast("Rows", (yield Find(unit, "children", kind, part)))
        wanted = tuple(dict.fromkeys(filter(_own, others(loaded.unit, loaded.part, children))))
        rows: Rows = ()
        if wanted:
            rows = cast("Rows", (yield Find(unit, "ids", ids=wanted)))
        found.append(
            Some(
                running, loaded.unit, loaded.part, children, {row.id: row for row in rows},
                loaded.incarnation,
            )
        )  # fmt: skip
        return Nothing("")

    def _own(name: str) -> bool:
        return is_part_of(unit, name)

    await drive(engine, tenant, script)
    return found[-1]


def is_part_of(unit: str, name: str) -> bool:
    """Say whether a name could be that of a part of a unit."""
    try:
        return part_id(unit, part_number(name)) == name
    except ValueError:
        return False
