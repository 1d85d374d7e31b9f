"""Looking at what was done in a tree: which files changed, and what of it may not be committed.

Nothing changes by looking. What may not be committed is told with its reason, and then there is no
tree to commit; nothing is dropped in silence but what the repository ignores.
"""

import asyncio
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from interlock.worker.workspace.changes import REPOSITORY, Changed, files_between
from interlock.worker.workspace.filters import filtered
from interlock.worker.workspace.fresh import ignored
from interlock.worker.workspace.git import GitFailed
from interlock.worker.workspace.guarded import guarded_part
from interlock.worker.workspace.names import (
    RULES,
    collisions,
    folders_of,
    is_dot_git,
    shown,
    wrong_with,
)
from interlock.worker.workspace.scan import DOT_GIT, TICKET, Scan, is_empty, is_folder, scan
from interlock.worker.workspace.vault import Bench, Vault, copy_index

MIB: Final = 1_048_576
TOLD_MAX: Final = 100
GONE: Final = b"0 " + b"0" * 40 + b"\t"
"""How an index is told that a path is in it no more."""

OTHER: Final = "It is another repository; files of one are not committed in another."


class Limits(NamedTuple):
    """How much may be committed at once."""

    file_bytes: int = 20 * MIB
    all_bytes: int = 100 * MIB
    files: int = 5_000


class Refused(NamedTuple):
    """What may not be committed, and why."""

    path: str
    why: str

    def told(self) -> dict[str, object]:
        """Return it as a report tells it."""
        return {"path": shown(self.path), "why": self.why}


class Look(NamedTuple):
    """What a tree holds against where it stands; ``tree`` is empty where something is refused."""

    head: str
    tree: str = ""
    files: tuple[Changed, ...] = ()
    refused: tuple[Refused, ...] = ()
    left_out: tuple[str, ...] = ()
    """Configuration of agents that lies there: it is not committed."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was changed."""
        return not self.files and not self.refused


async def look(vault: Vault, bench: Bench, limits: Limits) -> Look:
    """Look at a tree; raises ``GitFailed`` where git cannot."""
    head = await vault.commit_at(bench.ref)
    if not is_folder(bench.tree):
        return Look(head, refused=(Refused("", "The working tree is gone, or is a link."),))
    found = await asyncio.to_thread(scan, bench.tree)
    hard = (*_hard(found),)
    if hard:
        return Look(head, refused=_few(hard), left_out=found.guarded)
    changed, new, there = await vault.lists(
        ("diff-files", "-z", "--name-only", "--ignore-submodules=all"),
        ("ls-files", "-z", "--others", "--exclude-standard"),
        ("ls-files", "-z", "--stage"),
        bench=bench,
    )
    added = [path for path in new if not guarded_part(path)]
    told = _Told.of(bench.tree, found, (*dict.fromkeys(changed), *added), added, there)
    refused = await _refused(vault, bench, told, limits)
    if refused:
        files = tuple(Changed(path, "modified") for path in told.candidates[: limits.files])
        return Look(head, "", files, _few(refused), found.guarded)
    return await _taken(vault, bench, head, told)


class _Told(NamedTuple):
    """What git says of a tree: what may have changed, what is new, and what it knows already."""

    found: Scan
    candidates: list[str]
    added: list[str]
    there: list[str]
    beyond: list[str]
    """What is gone because a folder of it has become a link: git does not look there."""

    @classmethod
    def of(
        cls, tree: Path, found: Scan, paths: Iterable[str], added: list[str], there: list[str]
    ) -> "_Told":
        """Tell apart what lies beyond a link."""
        every = list(paths)
        folders = {above for path in every for above in folders_of(path)}
        links = {above for above in folders if (tree / above).is_symlink()}
        beyond = [path for path in every if not links.isdisjoint(folders_of(path))]
        gone = set(beyond)
        return cls(found, [path for path in every if path not in gone], added, there, beyond)

    def known(self) -> Iterator[str]:
        """Yield the paths that stay as they are."""
        changed = {*self.candidates, *self.beyond}
        paths = (row.partition("\t")[2] for row in self.there)
        return (path for path in paths if path not in changed)

    def within(self) -> Iterator[str]:
        """Yield the repositories within that the commit knows."""
        return (row.partition("\t")[2] for row in self.there if row.startswith(REPOSITORY))


async def _taken(vault: Vault, bench: Bench, head: str, told: _Told) -> Look:
    """Put what was changed into an index of its own, and see what tree comes of it."""
    found = told.found
    if not told.candidates and not told.beyond:
        tree = await vault.git("rev-parse", "--verify", f"{head}^{{tree}}")
        return Look(head, tree, left_out=found.guarded)
    own = replace(bench, index=bench.index.with_name(f"{bench.index.name}.look"))
    await asyncio.to_thread(copy_index, bench.index, own.index)
    try:
        await _put(vault, own, told)
        tree = await vault.git("write-tree", bench=own)
    except GitFailed as failed:
        refused = (Refused("", f"Git does not take it: {failed.message}"),)
        return Look(head, refused=refused, left_out=found.guarded)
    files = await files_between(vault, head, tree)
    others = [one for one in files if one.mode == REPOSITORY]
    if others:
        told_of = tuple(Refused(one.path, OTHER) for one in others)
        return Look(head, "", files, told_of, found.guarded)
    return Look(head, tree, files, left_out=found.guarded)


async def _put(vault: Vault, bench: Bench, told: _Told) -> None:
    """Put what was changed into an index."""
    if told.beyond:
        gone = b"".join(GONE + os.fsencode(path) + b"\0" for path in told.beyond)
        await vault.git("update-index", "-z", "--index-info", bench=bench, stdin=gone)
    paths = b"".join(os.fsencode(path) + b"\0" for path in told.candidates)
    if paths:
        words = ("add", "--all", "--force", "--pathspec-from-file=-", "--pathspec-file-nul")
        await vault.git("--literal-pathspecs", *words, bench=bench, stdin=paths)


def _few(refused: Iterable[Refused]) -> tuple[Refused, ...]:
    """Return as many as can be told, and how many more there are."""
    every = tuple(refused)
    if len(every) <= TOLD_MAX:
        return every
    return (*every[:TOLD_MAX], Refused("", f"And {len(every) - TOLD_MAX:,} more."))


def _hard(found: Scan) -> Iterator[Refused]:
    """Yield what git must not even meet."""
    for path in found.rules:
        yield Refused(path, "Git reads this for itself, and it is no file.")
    for path, why in found.closed:
        yield Refused(path, f"This folder cannot be looked into: {why}.")


async def _refused(vault: Vault, bench: Bench, told: _Told, limits: Limits) -> tuple[Refused, ...]:
    if len(told.candidates) > limits.files:
        why = f"{len(told.candidates):,} files were changed; at most {limits.files:,} may be."
        return (Refused("", why),)
    found = told.found
    kept = await ignored(vault, bench, [*(path for path, _ in found.special), *found.nested])
    refused = [
        Refused(path, why)
        for path, why in (
            *((path, f"It is {what}, and no file.") for path, what in found.special),
            *((path, _nested(path)) for path in found.nested),
        )
        if path not in kept
    ]
    refused += await asyncio.to_thread(lambda: [*_contents(bench.tree, told, limits)])
    if found.has_attributes:
        refused += [Refused(*one) for one in await filtered(vault, bench.tree, told.candidates)]
    # One reason for each is enough: the first.
    return tuple({one.path: one for one in reversed(refused)}.values())[::-1]


def _nested(path: str) -> str:
    is_plain = path.rpartition("/")[2] == DOT_GIT
    return OTHER if is_plain else "Some system would take its name for .git."


def _contents(tree: Path, told: _Told, limits: Limits) -> Iterator[Refused]:
    """Yield what has a name that others misread, is too large, or leads out of the tree."""
    yield from _names(told)
    yield from _sizes(tree, told.candidates, limits)
    for path in told.within():
        if is_folder(tree / path) and not is_empty(tree / path):
            yield Refused(path, OTHER)


def _names(told: _Told) -> Iterator[Refused]:
    for path in told.added:
        if why := wrong_with(path.rstrip("/")):
            yield Refused(path, why)
    if told.added:
        for path, other in collisions(told.added, (*told.known(), *told.added)):
            why = f"It differs from {shown(other)} in upper and lower case alone."
            yield Refused(path, why)


def _sizes(tree: Path, candidates: list[str], limits: Limits) -> Iterator[Refused]:
    total = 0
    for path in candidates:
        try:
            about = (tree / path).lstat()
        except OSError:
            continue  # It is gone: that is a change as any other.
        if why := _wrong_with_content(tree, path, about, limits):
            yield Refused(path, why)
        total += about.st_size if stat.S_ISREG(about.st_mode) else 0
    if total > limits.all_bytes:
        yield Refused("", f"It is {total:,} bytes in all; at most {limits.all_bytes:,} may be.")


def _wrong_with_content(tree: Path, path: str, about: os.stat_result, limits: Limits) -> str:
    if stat.S_ISDIR(about.st_mode):
        return OTHER if path.endswith("/") else ""
    if stat.S_ISLNK(about.st_mode):
        return _wrong_with_link(path, str((tree / path).readlink()))
    if about.st_size > limits.file_bytes:
        return f"It has {about.st_size:,} bytes; at most {limits.file_bytes:,} may be."
    if not os.access(tree / path, os.R_OK, follow_symlinks=False):
        return "It cannot be read."
    return ""


def _wrong_with_link(path: str, target: str) -> str:
    """Say what is wrong with a link, or nothing."""
    if path.rpartition("/")[2] in RULES:
        return "Git reads this for itself, and it is a link."
    if target.startswith("/"):
        return "It is a link that leads out of the tree."
    place = os.path.normpath(f"{path}/../{target}")
    first = place.partition("/")[0]
    if first in {"..", TICKET} or is_dot_git(first):
        return "It is a link that leads out of the tree."
    return ""
