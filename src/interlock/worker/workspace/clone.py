"""The working tree of a ticket: a clone of its own, on a branch named after the ticket.

It is made beside the place where it will be and put there in one move, so what lies there is whole:
what a crash has left of another one is thrown away. One that is there is looked at and kept, so
asking twice changes nothing.
"""

import asyncio
import fcntl
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple

from interlock.worker.workspace.git import GitFailed, git

ID: Final = re.compile(r"[a-z]+-[A-Za-z0-9_-]{1,64}")
BASE: Final = re.compile(r"[A-Za-z0-9][\w./+-]{0,199}")
PREFIX: Final = "interlock/"
MAKING: Final = ".making-"
LOCK: Final = ".lock"
TRIED_AGAIN_S: Final = 0.1
NO_SUCH_REF: Final = 2
"""How ``ls-remote --exit-code`` ends where nothing matches."""


class NoWorkspace(Exception):
    """There is no working tree, and why; the message may be shown to anybody."""


class Origin(NamedTuple):
    """Where the code comes from."""

    repository: str
    base_branch: str


class Workspace(NamedTuple):
    """A working tree, its branch, and the commit of the base branch that it begins with."""

    folder: Path
    branch: str
    base_commit: str


async def make_workspace(room: Path, ticket: str, origin: Origin) -> Workspace:
    """Make the working tree of a ticket, or look at the one that is there."""
    _check_words(ticket, origin)
    await asyncio.to_thread(room.mkdir, mode=0o700, parents=True, exist_ok=True)
    async with _alone(room / f"{ticket}{LOCK}"):
        folder = room / ticket
        branch = PREFIX + ticket
        if folder.exists():
            return await _looked_at(folder, branch, origin)
        base = await _base_of(origin)
        await _make(folder, branch, origin, base)
        return Workspace(folder, branch, base)


def _check_words(ticket: str, origin: Origin) -> None:
    """Raise where a word could be taken for something else than what it is."""
    if not ID.fullmatch(ticket):
        raise NoWorkspace(f"{ticket!r} is no name of a ticket.")
    if not BASE.fullmatch(origin.base_branch) or ".." in origin.base_branch:
        raise NoWorkspace(f"{origin.base_branch!r} is no name of a branch.")
    if not origin.repository or origin.repository.startswith("-") or "\0" in origin.repository:
        raise NoWorkspace("The project names no repository that could be cloned.")


@asynccontextmanager
async def _alone(path: Path) -> AsyncIterator[None]:
    """Keep out other workers on this folder; the lock is gone with whoever held it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while not _has(lock):  # noqa: ASYNC110 (another process has it, and tells nobody)
            await asyncio.sleep(TRIED_AGAIN_S)
        yield
    finally:
        os.close(lock)


def _has(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _base_of(origin: Origin) -> str:
    """Return the commit that the base branch is at; raises where it cannot be had."""
    wanted = f"refs/heads/{origin.base_branch}"
    try:
        said = await git("ls-remote", "--exit-code", "--", origin.repository, wanted)
    except GitFailed as failed:
        if failed.code == NO_SUCH_REF:
            message = f"The repository has no branch {origin.base_branch!r}."
            raise NoWorkspace(message) from failed
        message = f"The repository cannot be reached from this worker: {failed.message}"
        raise NoWorkspace(message) from failed
    # A pattern matches at the end of a name, too: refs/heads/x/refs/heads/main is none of ours.
    found = {name: commit for commit, _, name in (row.partition("\t") for row in said.split("\n"))}
    if wanted not in found:
        raise NoWorkspace(f"The repository has no branch {origin.base_branch!r}.")
    return found[wanted]


async def _make(folder: Path, branch: str, origin: Origin, base: str) -> None:
    """Clone beside the place, then put it there.

    Each attempt has a folder of its own: the git of a worker that was killed may still run, and
    removes what it has begun when it fails.
    """
    prefix = folder.name + MAKING
    await asyncio.to_thread(_throw_away, folder.parent, prefix)
    making = await asyncio.to_thread(mkdtemp, "", prefix, folder.parent)
    try:
        await git(
            "clone", "--quiet", "--no-local", "--no-checkout", "--no-tags", "--single-branch",
            "--no-recurse-submodules", "--template=", "--branch", origin.base_branch,
            "--", origin.repository, making,
        )  # fmt: skip
        words = ("checkout", "--quiet", "--no-track", "-b", branch, base, "--")
        await git(*words, folder=Path(making))
    except GitFailed as failed:
        await asyncio.to_thread(_throw_away, folder.parent, prefix)
        raise NoWorkspace(f"The repository cannot be cloned: {failed.message}") from failed
    await asyncio.to_thread(os.rename, making, folder)


def _throw_away(room: Path, prefix: str) -> None:
    """Remove what was begun and never finished."""
    for folder in room.iterdir():
        if folder.name.startswith(prefix):
            shutil.rmtree(folder, ignore_errors=True)


async def _looked_at(folder: Path, branch: str, origin: Origin) -> Workspace:
    """Return the working tree that is there; raises where it is not the ticket's."""
    try:
        head = await git("symbolic-ref", "--quiet", "HEAD", folder=folder)
        url = await git("config", "--local", "--get", "remote.origin.url", folder=folder)
        above = await git("rev-parse", "--show-prefix", folder=folder)
        known = f"refs/remotes/origin/{origin.base_branch}"
        base = await git("rev-parse", "--verify", "--quiet", f"{known}^{{commit}}", folder=folder)
    except GitFailed as failed:
        why = failed.message or "it is not what was made here"
        raise NoWorkspace(_other(folder, why)) from failed
    if above:
        raise NoWorkspace(_other(folder, "it is no repository of its own"))
    if url != origin.repository:
        raise NoWorkspace(_other(folder, "it was cloned from another repository"))
    if head != f"refs/heads/{branch}":
        raise NoWorkspace(_other(folder, f"it is not on the branch {branch}"))
    return Workspace(folder, branch, base)


def _other(folder: Path, why: str) -> str:
    return (
        f"The worker has a folder {folder.name} already, but {why}."
        " Look at it, move it away, and retry."
    )
