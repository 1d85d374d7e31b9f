"""The site: the folder in which a worker keeps the trees of tickets, and its name for the server.

The name is made once and stays with the folder: work in a tree is for whoever has it.
"""

import asyncio
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from interlock.clock import Clock
from interlock.worker.workspace.files import put
from interlock.worker.workspace.intents import Intents
from interlock.worker.workspace.locks import alone, drop, taken
from interlock.worker.workspace.look import Limits
from interlock.worker.workspace.removal import remove
from interlock.worker.workspace.tree import ID, LOCKS, MAKING, Tree

ROOM: Final = "workspaces"
INTENTS: Final = "intents"
SITE: Final = "site"
SITE_ID: Final = re.compile(r"site-[0-9a-z]{12}")


class Reconciled(NamedTuple):
    """What was found when a worker began: what was half and is gone, and whose trees lie there."""

    removed: tuple[str, ...]
    unknown: tuple[str, ...]


class Site:
    """The trees of one data folder."""

    def __init__(self, data: Path, name: str, limits: Limits | None = None) -> None:
        self.id = name
        self.data = data
        self.room = data / ROOM
        self._limits = limits

    @classmethod
    async def open(cls, data: Path, clock: Clock, limits: Limits | None = None) -> "Site":
        """Return the site of a data folder; its name is made where it has none."""
        await asyncio.to_thread((data / ROOM / LOCKS).mkdir, 0o700, parents=True, exist_ok=True)
        async with alone(data / ROOM / LOCKS / SITE):
            name = await asyncio.to_thread(_name, data / SITE, clock)
        return cls(data, name, limits)

    def tree(self, ticket: str) -> Tree:
        """Return the tree of a ticket; it need not be there. Raises ``NoWorkspace``."""
        return Tree(self.room, ticket, limits=self._limits)

    def around(self, ticket: str) -> tuple[Path | None, Path | None]:
        """Return the tree of a ticket and the home in it, if they are here."""
        if not ID.fullmatch(ticket):
            return None, None
        tree = self.tree(ticket)
        return (tree.folder, tree.home) if tree.folder.is_dir() else (None, None)

    def trees(self) -> tuple[str, ...]:
        """Return whose trees lie there."""
        return tuple(sorted(path.name for path in self._folders() if ID.fullmatch(path.name)))

    def intents(self, owner: str) -> Intents:
        """Return what is being done on this site, as one worker sees it."""
        return Intents(self.data / INTENTS, owner)

    async def reconcile(self, known: Collection[str] | None = None) -> Reconciled:
        """Remove what a crash has left half; tell trees that are of no known ticket.

        What another worker is at right now is left alone. Asking twice changes nothing.
        """
        removed = await asyncio.to_thread(lambda: tuple(self._half()))
        await asyncio.to_thread(self._forget_locks)
        trees = self.trees()
        unknown = () if known is None else tuple(one for one in trees if one not in known)
        return Reconciled(removed, unknown)

    def _folders(self) -> Iterator[Path]:
        return (path for path in self.room.iterdir() if not path.name.startswith("."))

    def _half(self) -> Iterator[str]:
        """Remove what is being made, where nobody makes it; yield the names."""
        for path in (*self._folders(), *self.room.glob(f"*/trees/*{MAKING}*")):
            ticket = path.relative_to(self.room).parts[0].partition(MAKING)[0]
            if MAKING not in path.name or not ID.fullmatch(ticket):
                continue
            lock = self.room / LOCKS / ticket
            held = taken(lock)
            if held is not None:
                remove(path)
                drop(lock, held)
                yield path.name

    def _forget_locks(self) -> None:
        there = set(self.trees())
        for path in (self.room / LOCKS).iterdir():
            if path.name not in there:
                drop(path)


def _name(path: Path, clock: Clock) -> str:
    try:
        found = path.read_text(encoding="ascii").strip()
    except OSError:
        found = ""
    if not SITE_ID.fullmatch(found):
        found = clock.new_id("site")
        put(path, f"{found}\n".encode())
    return found
