"""A ticket's working tree for tests: a small repository, its site, and a person who looks on."""

import asyncio
import os
import stat
import subprocess
from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from interlock.clock import SystemClock
from interlock.worker.workspace.look import Limits, Look
from interlock.worker.workspace.origin import Origin
from interlock.worker.workspace.room import Site
from interlock.worker.workspace.tree import Tree
from tests.worker.workspace.repositories import GIT, plain, repository

T = TypeVar("T")
TICKET: Final = "ticket-0123456789ab"
SMALL: Final = Limits(file_bytes=100_000, all_bytes=300_000, files=500)


def done(work: Coroutine[Any, Any, T]) -> T:
    """Do something that is awaited, within our patience."""

    async def within() -> T:
        async with asyncio.timeout(60):
            return await work

    return asyncio.run(within())


@dataclass(frozen=True, slots=True)
class Ground:
    """A repository, and the tree of one ticket made from it."""

    there: Path
    site: Site
    tree: Tree
    base: str

    @property
    def folder(self) -> Path:
        """Where agents work."""
        return self.tree.folder

    @property
    def vault(self) -> Path:
        """The repository that is ours."""
        return self.tree.place.vault

    def fresh(self, commit: str = "") -> None:
        """Make the tree what a commit says; the base, if none is named."""
        done(self.tree.fresh(commit or self.base))

    def look(self) -> Look:
        """Look at the tree."""
        return done(self.tree.look())

    def commit(self, message: str = "Change") -> str:
        """Commit what was changed; nothing may be refused."""
        found = self.look()
        assert found.refused == ()
        return done(self.tree.commit(found.head, message, found.tree))

    def refused(self) -> dict[str, str]:
        """Return what may not be committed, and why."""
        return {one.path: one.why for one in self.look().refused}

    def files(self) -> dict[str, str]:
        """Return which files were changed, and how."""
        return {one.path: one.status for one in self.look().files}

    def in_commit(self, commit: str) -> dict[str, bytes]:
        """Return what git has in a commit, by hand."""
        return contents_of(self.vault, commit)


def contents_of(repository: Path, commit: str) -> dict[str, bytes]:
    """Return the files of a commit with what is in them; a link is its target."""
    found = {}
    words = [GIT, "-C", str(repository), "ls-tree", "-r", "-z", commit]
    rows = subprocess.run(words, check=True, capture_output=True).stdout.split(b"\0")[:-1]
    for row in rows:
        about, _, path = row.partition(b"\t")
        mode, _, name = about.decode().split(" ")
        if mode != "160000":
            show = [GIT, "-C", str(repository), "cat-file", "blob", name]
            content = subprocess.run(show, check=True, capture_output=True).stdout
            found[os.fsdecode(path)] = content
    return found


def contents_in(folder: Path) -> dict[str, bytes]:
    """Return the files that lie in a tree with what is in them, by plain reading."""
    found = {}
    for above, folders, files in os.walk(folder):
        if Path(above) == folder:
            folders[:] = [name for name in folders if name not in {".git", ".ticket"}]
        links = [name for name in folders if (Path(above) / name).is_symlink()]
        for name in (*files, *links):
            path = Path(above) / name
            mode = path.lstat().st_mode
            content = (
                os.fsencode(path.readlink()) if stat.S_ISLNK(mode)
                else path.read_bytes() if stat.S_ISREG(mode) else b"?"
            )  # fmt: skip
            found[str(path.relative_to(folder))] = content
    return found


def ground(tmp_path: Path, **files: str) -> Ground:
    """Make a repository, and a ticket's tree of it."""
    there = repository(tmp_path / "there", **files)
    return ground_of(tmp_path, there)


def ground_of(tmp_path: Path, there: Path, limits: Limits = SMALL) -> Ground:
    """Make a ticket's tree of a repository."""

    async def made() -> Ground:
        site = await Site.open(tmp_path / "data", SystemClock(), limits)
        tree = site.tree(TICKET)
        base = await tree.make(Origin(str(there), "main"))
        return Ground(there, site, tree, base)

    return done(made())


def committed(there: Path, message: str = "More") -> str:
    """Commit all that lies in a repository, by hand."""
    plain(there, "add", "--all")
    plain(there, "commit", "--quiet", "--allow-empty", "--message", message)
    return plain(there, "rev-parse", "HEAD")


def gathered(*works: Awaitable[T]) -> list[T]:
    """Do things at once."""

    async def within() -> list[T]:
        async with asyncio.timeout(60):
            return list(await asyncio.gather(*works))

    return asyncio.run(within())
