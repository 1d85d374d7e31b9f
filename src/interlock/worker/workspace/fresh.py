"""A tree made what a commit says: what was changed is undone, what was added is gone.

What the repository ignores is kept, and so are the documents in ``.ticket``: a prepared tree stays
prepared. Configuration of agents is taken out. Nothing that lies in the tree is asked or followed.
"""

import asyncio
import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from interlock.worker.workspace.changes import REPOSITORY
from interlock.worker.workspace.git import GitFailed
from interlock.worker.workspace.guarded import guarded_part
from interlock.worker.workspace.removal import remove
from interlock.worker.workspace.scan import (
    TICKET,
    Scan,
    is_empty,
    is_folder,
    is_there,
    scan,
)
from interlock.worker.workspace.skeleton import make_anew
from interlock.worker.workspace.trouble import ResetFailed
from interlock.worker.workspace.vault import Bench, Vault

NONE: Final = 1
"""How ``check-ignore`` ends where nothing is ignored."""

CLOSED_TRIES: Final = 50
"""A folder that was opened may hold another one that is closed."""


async def make_fresh(
    vault: Vault, bench: Bench, branch: str, commit: str, objects: Path | None = None
) -> None:
    """Make a tree what a commit says, with a ``.git`` of its own; raises ``ResetFailed``.

    ``objects``: where those of the vault will lie, if that is not where they lie now.
    """
    try:
        await _content(vault, bench, commit)
        await asyncio.to_thread(
            make_anew, bench.tree, branch, commit, objects or vault.objects, bench.index
        )
        await vault.move(bench.ref, commit)
    except GitFailed as failed:
        message = f"The working tree cannot be reset to {commit[:12]}: {failed.message}"
        raise ResetFailed(message) from failed
    except OSError as error:
        message = f"The working tree cannot be reset: {error.strerror or error}"
        raise ResetFailed(message) from error


async def ignored(vault: Vault, bench: Bench, paths: Iterable[str]) -> set[str]:
    """Return those of some paths that the repository ignores; raises ``GitFailed``."""
    # With a dot before it no name is taken for a pattern.
    told = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    if not told:
        return set()
    words = ("check-ignore", "--no-index", "-z", "--stdin")
    ended = await vault.said(*words, bench=bench, stdin=told, fine=(0, NONE))
    return {os.fsdecode(one).removeprefix("./") for one in ended.out.split(b"\0")[:-1]}


async def _content(vault: Vault, bench: Bench, commit: str) -> None:
    found = await asyncio.to_thread(_cleared, bench.tree)
    await _read(vault, bench, commit)
    await vault.git("clean", "-ffdq", bench=bench)
    # What lay behind a link in place of a folder was taken for the file itself; the link is gone.
    await vault.git("checkout-index", "--force", "--all", "--quiet", "-u", bench=bench)
    odd = (*found.nested, *(path for path, _ in found.special))
    left = [path for path in odd if is_there(bench.tree / path)]
    kept = await ignored(vault, bench, left)
    tracked = await vault.paths("ls-files", "-z", "--stage", bench=bench)
    rows = [(row.partition(" ")[0], row.partition("\t")[2]) for row in tracked]
    away = [path for mode, path in rows if mode != REPOSITORY and guarded_part(path)]
    others = [path for mode, path in rows if mode == REPOSITORY]
    await asyncio.to_thread(_take_out, bench.tree, away, others, set(left) - kept)
    if away or others:
        told = b"".join(os.fsencode(path) + b"\0" for path in (*away, *others))
        words = ("update-index", "-z", "--skip-worktree", "--stdin")
        await vault.git(*words, bench=bench, stdin=told)


async def _read(vault: Vault, bench: Bench, commit: str) -> None:
    """Let git write the files of a commit; with a new index where the old one is no good."""
    words = ("read-tree", "--reset", "-u", "--no-recurse-submodules", commit)
    try:
        await vault.git(*words, bench=bench)
    except GitFailed:
        if not bench.index.exists():
            raise
        await asyncio.to_thread(remove, bench.index)
        await vault.git(*words, bench=bench)


def _cleared(tree: Path) -> Scan:
    """Remove what git must not meet; return what else lies there."""
    if not is_folder(tree):
        remove(tree)
        tree.mkdir(mode=0o700)
    tree.chmod(0o700)
    if not is_folder(tree / TICKET):
        remove(tree / TICKET)
    found = scan(tree)
    for _ in range(CLOSED_TRIES):
        if not found.closed:
            break
        for path, _why in found.closed:
            _open_up(tree, path)
        found = scan(tree)
    for path in (*found.rules, *found.guarded):
        remove(tree / path)
    return found


def _open_up(tree: Path, path: str) -> None:
    """Let us into a folder; where that cannot be, it goes: git writes again what it knows."""
    try:
        (tree / path).chmod(0o700)
        next((tree / path).iterdir(), None)
    except OSError as error:
        if error.errno != errno.ENOENT:
            remove(tree / path.partition("/")[0])


def _take_out(tree: Path, away: list[str], others: list[str], odd: Iterable[str]) -> None:
    for path in (*dict.fromkeys(guarded_part(path) for path in away), *odd):
        remove(tree / path)
    for path in others:
        # A repository within: we have none of its files, and an agent's are not kept.
        if is_empty(tree / path):
            continue
        remove(tree / path)
        (tree / path).mkdir(parents=True)
