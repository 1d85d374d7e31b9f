"""The tools as somebody finds them who asks: loaded when first wanted, servers asked on the way.

Most commands never ask for tools, so a module that cannot be loaded, or a server that is away, is
in nobody's way but of those who do.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from interlock.toolbox.around import Around
from interlock.toolbox.catalog import Catalog
from interlock.toolbox.child import refresh
from interlock.toolbox.tool import Described

AGAIN_S: Final = 60.0
"""How long a server that could not be asked is left alone."""


class Shelf:
    """What tools there are, for as long as a program runs."""

    def __init__(self, around: Around, file: Path | None = None, *, asks_all: bool = False) -> None:
        """Take what is configured; nothing is loaded yet.

        What servers have told is known from a file; who runs for long asks them all once more.
        """
        self._around = around
        self._file = file
        self._stale = tuple(one.name for one in around.servers) if asks_all else ()
        self._catalog: Catalog | None = None
        self._asked: float | None = None
        self._lock = asyncio.Lock()

    async def describe(self) -> Mapping[str, Described]:
        """Return all tools by their names; raises ``ToolsNotLoaded``.

        Servers that have not told theirs yet are asked first, but not again and again.
        """
        async with self._lock:
            if self._catalog is None:
                self._catalog = Catalog(self._around, self._file)
            now = asyncio.get_running_loop().time()
            is_time = self._asked is None or now - self._asked >= AGAIN_S
            if (self._stale or self._catalog.unlisted()) and is_time:
                stale, self._stale = self._stale, ()
                self._asked = now
                await refresh(self._catalog, stale)
            return self._catalog.describe()
