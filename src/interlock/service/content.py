"""What is kept for a unit, to be read: which artifacts there are, and the bytes of one.

Content is kept by its digest for a whole tenant. Here it is only given out through a unit that
has it, so that whoever names a digest must know where it belongs.
"""

from typing import NamedTuple

from interlock.service.engine import Engine
from interlock.service.errors import NotFound
from interlock.store.port import ArtifactRow


class Found(NamedTuple):
    """Bytes, and every name that the unit keeps them under, the latest last."""

    content: bytes
    rows: tuple[ArtifactRow, ...]


async def list_artifacts(engine: Engine, tenant: str, unit: str) -> tuple[ArtifactRow, ...]:
    """List what is kept for a unit, by part, name and version; raises ``NotFound``."""
    engine.running(unit)
    rows = await engine.store.artifacts(tenant, unit)
    if not rows and not await engine.store.audit(tenant, unit, 0, 1):
        raise NotFound(unit)
    return tuple(sorted(rows, key=place_of))


def place_of(row: ArtifactRow) -> tuple[int, str, int]:
    """Return what artifacts of a unit are sorted by."""
    return row.part, row.name, row.version


async def read_content(engine: Engine, tenant: str, unit: str, digest: str) -> Found:
    """Read bytes that are kept for a unit; raises ``NotFound`` for the unit or the digest."""
    rows = tuple(row for row in await list_artifacts(engine, tenant, unit) if row.digest == digest)
    content = await engine.store.content(tenant, digest) if rows else None
    if content is None:
        raise NotFound(digest)
    return Found(content, rows)
