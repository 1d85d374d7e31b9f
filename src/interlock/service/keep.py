"""Artifacts: content by its SHA-256, written once, versioned by name, never larger than allowed.

Keeping one changes no status, but it is told in the unit's audit like everything else.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import cast

from interlock.service.engine import Engine, Principal, Running
from interlock.service.errors import InvalidInput, NotFound, TooLarge
from interlock.service.note import noted, receipt
from interlock.service.run import Answer, answer, persist
from interlock.store.rows import dump, part_id, part_number, unit_of
from interlock.store.script import Artifact, Change, Key, Load, Loaded, Nothing, Script

NAME_MAX = 200


@dataclass(frozen=True, slots=True)
class Content:
    """Something to keep for a unit or a part."""

    about: str
    name: str
    content: bytes
    media_type: str = "text/plain"


async def keep(engine: Engine, caller: Principal, kept: Content, key: Key | None = None) -> Answer:
    """Keep content under the next version of its name."""
    size, limit = len(kept.content), engine.limits.artifact_bytes_max
    if size > limit:
        message = f"The artifact has {size:,} bytes; at most {limit:,} are kept."
        raise TooLarge(message, fix="Split it, or keep a link to where it lies.")
    if not 0 < len(kept.name) <= NAME_MAX:
        message = f"An artifact's name has 1 to {NAME_MAX} characters."
        raise InvalidInput(message, fix="Give it a short name.")
    running = engine.running(kept.about)

    def script() -> Script:
        return _script(caller, kept, key, running, engine.store.now())

    return answer(await persist(engine, caller.tenant, script), key)


def _script(caller: Principal, kept: Content, key: Key | None, running: Running, at: int) -> Script:
    unit = unit_of(kept.about)
    part = kept.about if kept.about != unit else None
    loaded = cast("Loaded | None", (yield Load(unit, part, key=key, is_fresh=True)))
    if loaded is None or (part is not None and loaded.part is None):
        raise NotFound(kept.about)
    if loaded.reply is not None:
        return Nothing(loaded.reply.text, loaded.reply.asked)
    before = loaded.unit
    digest = sha256(kept.content).hexdigest()
    number = 0 if part is None else part_number(part)
    told = {"name": kept.name, "digest": digest, "part": part_id(unit, number) if number else unit}
    row, entry = noted(running, before, "keep", caller.actor(), at, {"kept": [told]})
    reply = {"artifact": {**told, "size": len(kept.content)}, "receipt": receipt(row)}
    artifact = Artifact(number, kept.name, digest, kept.content, kept.media_type, author=caller.id)
    return Change(
        caller.tenant, before.version, row, (entry,), at, artifacts=(artifact,), key=key,
        reply=dump(reply),
    )  # fmt: skip
