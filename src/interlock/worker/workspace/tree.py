"""The working tree of a ticket: a vault that is ours, and a tree for agents to work in.

``<room>/<ticket>/`` holds ``vault.git``, ``tree/`` (and ``trees/<number>/`` for parts side by
side), ``home/`` and ``runtime/``. It is made beside and put there in one move. Each thing done here
is done alone: workers on one folder keep out of each other's way.
"""

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple

from interlock.worker.workspace import delivery
from interlock.worker.workspace.changes import Diff, diff
from interlock.worker.workspace.delivery import Squashed
from interlock.worker.workspace.files import put_json, read_json, sync
from interlock.worker.workspace.fresh import make_fresh
from interlock.worker.workspace.git import GitFailed
from interlock.worker.workspace.locks import alone
from interlock.worker.workspace.look import Limits, Look, look
from interlock.worker.workspace.origin import COMMIT, Origin, base_of, base_ref, check_origin, fetch
from interlock.worker.workspace.removal import remove
from interlock.worker.workspace.scan import is_folder, is_there
from interlock.worker.workspace.trouble import CommitFailed, NoWorkspace, ResetFailed
from interlock.worker.workspace.vault import Bench, Vault

ID: Final = re.compile(r"[a-z]+-[A-Za-z0-9_-]{1,64}")
PREFIX: Final = "interlock/"
MAKING: Final = ".making-"
LOCKS: Final = ".locks"
ABOUT: Final = "about.json"


class Place(NamedTuple):
    """Where things of a ticket lie."""

    folder: Path

    @property
    def vault(self) -> Path:
        """The repository that is ours."""
        return self.folder / "vault.git"

    @property
    def about(self) -> Path:
        """Where it came from."""
        return self.folder / ABOUT


class Tree:
    """One ticket's working tree, or a copy of it for one of several parts side by side."""

    def __init__(
        self, room: Path, ticket: str, number: int = 0, limits: Limits | None = None
    ) -> None:
        """Name it; nothing is made or read here. Raises ``NoWorkspace`` for a name that is none."""
        if not ID.fullmatch(ticket):
            raise NoWorkspace(f"{ticket!r} is no name of a ticket.")
        self.ticket = ticket
        self.branch = PREFIX + ticket
        self.place = Place(room / ticket)
        self.folder = self.place.folder / (f"trees/{number}" if number else "tree")
        self.home = self.place.folder / "home"
        self.runtime = self.place.folder / "runtime"
        self._room = room
        self._number = number
        self._limits = limits or Limits()

    def copy(self, number: int) -> "Tree":
        """Return the tree of one of several parts side by side; it is filled when made fresh."""
        return Tree(self._room, self.ticket, number, self._limits)

    async def make(self, origin: Origin) -> str:
        """Make vault and tree, or look at those that are there; return the base commit.

        Raises ``NoWorkspace``. Asking twice changes nothing.
        """
        check_origin(origin)
        async with self._alone():
            if is_there(self.place.folder):
                return await self._looked_at(origin)
            await base_of(origin)
            return await self._made(origin)

    async def fresh(self, commit: str) -> None:
        """Make the tree what a commit says, with a new ``.git`` for the agent.

        Untracked files are gone; ignored ones and ``.ticket`` are kept. The commit is then where
        the tree stands. Raises ``ResetFailed``.
        """
        if not COMMIT.fullmatch(commit):
            raise ResetFailed(f"{commit!r} is no commit.")
        try:
            async with self._vault() as vault:
                if self._number and not is_there(self.folder):
                    await asyncio.to_thread(_filled, self.folder, self.place.folder / "tree")
                await asyncio.to_thread(_laid_out, self.home, self.runtime)
                await make_fresh(vault, self._bench, self.branch, commit)
        except (NoWorkspace, OSError) as no:
            raise ResetFailed(str(no)) from no

    async def look(self) -> Look:
        """Say what was changed in the tree, and what of it is refused; nothing changes.

        Raises ``CommitFailed`` where that cannot be said.
        """
        try:
            async with self._vault() as vault:
                return await look(vault, self._bench, self._limits)
        except (GitFailed, NoWorkspace, OSError) as no:
            raise CommitFailed(f"The working tree cannot be looked at: {no}") from no

    async def commit(self, parent: str, message: str, tree: str) -> str:
        """Write a commit and move to it, if the tree stands at its parent; return it.

        Raises ``CommitFailed``.
        """
        async with self._vault() as vault:
            commit = await delivery.commit_of(vault, tree, message, parent)
            await delivery.move_branch(vault, self._bench.ref, parent, commit)
        return commit

    async def written(self, parent: str, message: str, tree: str) -> str:
        """Write a commit that nothing stands at yet; raises ``CommitFailed``."""
        async with self._vault() as vault:
            return await delivery.commit_of(vault, tree, message, parent)

    async def move(self, before: str, after: str) -> None:
        """Say that the tree stands at another commit than before; raises ``CommitFailed``."""
        async with self._vault() as vault:
            await delivery.move_branch(vault, self._bench.ref, before, after)

    async def head(self) -> str:
        """Return the commit that the tree stands at, or nothing."""
        async with self._vault() as vault:
            return await vault.commit_at(self._bench.ref)

    async def diff(self, before: str, after: str, most: int) -> Diff:
        """Return what lies between two commits; raises ``CommitFailed``."""
        try:
            async with self._vault() as vault:
                return await diff(vault, before, after, most)
        except GitFailed as failed:
            raise CommitFailed(f"The change cannot be shown: {failed.message}") from failed

    async def squash(self, message: str, base_branch: str) -> Squashed:
        """Make one commit of all, on what the branch and its base have in common.

        The base is as it was fetched last. Raises ``SquashFailed``; then nothing has moved.
        """
        async with self._vault() as vault:
            return await delivery.squash(vault, self._bench.ref, message, base_ref(base_branch))

    async def onto(self, head: str, commit: str, message: str) -> str:
        """Return a commit on top of the head that does what another one does.

        Raises ``MergeConflict`` or ``CommitFailed``. Nothing moves.
        """
        async with self._vault() as vault:
            return await delivery.onto(vault, head, commit, message)

    async def sealed(self) -> Path:
        """Return the vault as we have left it, for whoever lets git talk to others from there.

        An agent that has run since could have said there where an address really leads. Raises
        ``NoWorkspace``.
        """
        async with self._vault() as vault:
            return vault.folder

    async def remove(self) -> None:
        """Remove all of it, or the copy alone; raises ``OSError``."""
        async with self._alone():
            target = self.folder if self._number else self.place.folder
            gone = target.with_name(f"{target.name}{MAKING}gone")
            await asyncio.to_thread(remove, gone)
            with suppress(FileNotFoundError):
                await asyncio.to_thread(os.rename, target, gone)
            await asyncio.to_thread(remove, gone)

    @property
    def _bench(self) -> Bench:
        if not self._number:
            return Bench(self.folder, self.place.vault / "index", f"refs/heads/{self.branch}")
        index = self.place.vault / f"index-{self._number}"
        return Bench(self.folder, index, f"refs/interlock/copies/{self._number}")

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[int]:
        """Keep out whoever else works on this ticket on this machine."""
        locks = self._room / LOCKS
        await asyncio.to_thread(locks.mkdir, mode=0o700, parents=True, exist_ok=True)
        async with alone(locks / self.ticket) as lock:
            yield lock

    @asynccontextmanager
    async def _vault(self) -> AsyncIterator[Vault]:
        """Yield the vault as nobody but us has left it; raises ``NoWorkspace``.

        A git that still runs when we are killed holds the lock: all that is done takes a moment.
        """
        async with self._alone() as lock:
            folders = (self.place.folder, self.place.vault)
            if not all(map(is_folder, folders)) or not self.place.about.is_file():
                raise NoWorkspace(f"There is no working tree of {self.ticket} on this machine.")
            vault = Vault(self.place.vault, (lock,))
            await asyncio.to_thread(vault.seal, self.branch)
            yield vault

    async def _made(self, origin: Origin) -> str:
        """Make all of it beside its place, then put it there.

        Each attempt has a folder of its own: the git of a worker that was killed may still run.
        """
        prefix = self.ticket + MAKING
        await asyncio.to_thread(throw_away, self._room, prefix)
        making = Path(await asyncio.to_thread(mkdtemp, "", prefix, self._room))
        beside = Place(making)
        vault = Vault(beside.vault)
        try:
            await asyncio.to_thread(vault.make, self.branch)
            base = await fetch(vault, origin)
            await vault.move(f"refs/heads/{self.branch}", base)
            (making / "tree").mkdir(mode=0o700)
            bench = Bench(making / "tree", beside.vault / "index", f"refs/heads/{self.branch}")
            objects = Vault(self.place.vault).objects
            await make_fresh(vault, bench, self.branch, base, objects)
            told = {**origin._asdict(), "branch": self.branch, "base_commit": base}
            await asyncio.to_thread(put_json, beside.about, told)
            await asyncio.to_thread(os.rename, making, self.place.folder)
        except (GitFailed, ResetFailed) as failed:
            await asyncio.to_thread(remove, making)
            raise NoWorkspace(f"The repository cannot be cloned: {failed}") from failed
        await asyncio.to_thread(sync, self._room)
        return base

    async def _looked_at(self, origin: Origin) -> str:
        """Return the base commit of what is there; raises where it is not the ticket's."""
        about = await asyncio.to_thread(read_json, self.place.about)
        base = str(about.get("base_commit", ""))
        if about.get("branch") != self.branch or not COMMIT.fullmatch(base):
            raise NoWorkspace(self._other("it is not what was made here"))
        if (about.get("repository"), about.get("base_branch")) != origin:
            raise NoWorkspace(self._other("it was made from another repository or branch"))
        vault = Vault(self.place.vault)
        if not is_folder(self.place.vault):
            raise NoWorkspace(self._other("its vault is gone"))
        await asyncio.to_thread(vault.seal, self.branch)
        if await vault.commit_at(base) != base:
            raise NoWorkspace(self._other("its vault is not whole"))
        return base

    def _other(self, why: str) -> str:
        return (
            f"The worker has a folder {self.ticket} already, but {why}."
            " Look at it, move it away, and retry."
        )


def _laid_out(*folders: Path) -> None:
    """Make folders that are not there; a link in place of one is no folder of ours."""
    for folder in folders:
        if not is_folder(folder):
            remove(folder)
            folder.mkdir(mode=0o700)


def throw_away(room: Path, prefix: str) -> list[str]:
    """Remove what was begun and never finished; return the names."""
    found = [path for path in room.iterdir() if path.name.startswith(prefix)]
    for path in found:
        with suppress(OSError):
            remove(path)
    return [path.name for path in found]


def _filled(folder: Path, prepared: Path) -> None:
    """Copy a prepared tree with all that is ignored in it, but its ``.git``."""
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    making = Path(mkdtemp("", MAKING, folder.parent))
    shutil.copytree(
        prepared, making, symlinks=True, dirs_exist_ok=True, ignore=_no_odd_ones,
        ignore_dangling_symlinks=True,
    )  # fmt: skip
    making.rename(folder)


def _no_odd_ones(folder: str, names: list[str]) -> set[str]:
    """Return what is not copied: ``.git``, and what is neither file nor folder nor link."""
    where = Path(folder)
    return {
        name
        for name in names
        if name == ".git"
        or not ((where / name).is_symlink() or (where / name).is_dir() or (where / name).is_file())
    }
