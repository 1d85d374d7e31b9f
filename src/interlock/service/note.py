"""Notes: entries of a unit's audit that move nothing, each with a version of its own."""

from collections.abc import Mapping
from dataclasses import replace

from interlock.kernel.seen import Actor
from interlock.service.engine import Running
from interlock.service.record import head
from interlock.store.chain import Link, chain
from interlock.store.rows import UnitRow, dump


def noted(
    running: Running, before: UnitRow, event: str, actor: Actor, at: int, told: Mapping[str, object]
) -> tuple[UnitRow, Link]:
    """Return a unit as it stands after a note, and the entry that says it."""
    text = note_text(running, before.version + 1, head(event, actor, at), told)
    (entry,) = chain(before.head, before.version, at, [text])
    return replace(before, version=entry.sequence, head=entry.hash, changed_at=at), entry


def note_text(
    running: Running, sequence: int, begun: Mapping[str, object], told: Mapping[str, object]
) -> str:
    """Return the body of a note; ``begun`` is what every entry says."""
    kind = running.flow.unit.name
    return dump({**begun, "change": "note", "kind": kind, "sequence": sequence, **told})


def receipt(unit: UnitRow) -> dict[str, object]:
    """Return the proof that a command was committed: the entry it ended with."""
    return {"unit": unit.id, "sequence": unit.version, "hash": unit.head}
