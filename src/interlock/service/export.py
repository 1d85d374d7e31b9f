"""The audit written out: one JSON document a line, exactly as it is stored and hashed.

Lines come as they are asked for, a page of entries at a time: whoever streams them never holds
more than that, and the names of the units.
"""

import json
from collections.abc import AsyncIterator
from typing import Final

from interlock.service.engine import Engine
from interlock.service.verify import all_units

PAGE: Final = 1_000


async def audit_lines(engine: Engine, tenant: str, unit: str = "") -> AsyncIterator[str]:
    """Yield the entries of one unit, or of all of a tenant by their names, each as a line."""
    names = [unit] if unit else sorted([name async for name in all_units(engine, tenant)])
    for name in names:
        after = 0
        while page := await engine.store.audit(tenant, name, after, PAGE):
            for row in page:
                link = row.link
                told = {"unit": name, "sequence": link.sequence, "body": link.body}
                yield json.dumps({**told, "hash": link.hash}, ensure_ascii=False)
            after = page[-1].link.sequence
