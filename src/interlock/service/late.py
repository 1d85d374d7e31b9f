"""Results that came too late: refused, and kept beside the unit, so that no work is lost."""

from hashlib import sha256
from typing import Final

from interlock.service.engine import Engine
from interlock.service.order import Order
from interlock.store.rows import part_number
from interlock.store.script import Artifact

LATE: Final = "late"


async def keep_late(engine: Engine, order: Order) -> None:
    """Keep what came with a refused event about a part."""
    for asked in order.asked:
        if asked.part is None:
            continue
        for kept in asked.kept:
            artifact = Artifact(
                part_number(asked.part), kept.name, sha256(kept.content).hexdigest(),
                kept.content, kept.media_type, mark=LATE, author=order.actor.id,
            )  # fmt: skip
            await engine.store.keep(order.tenant, order.unit, artifact)
