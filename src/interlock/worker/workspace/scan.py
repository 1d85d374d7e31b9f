"""Looking through a tree that is not believed, before git does: nothing is followed or opened.

Git would wait for ever at a pipe that is called ``.gitignore``, would pass over in silence what is
no file, and would ask a repository in the tree what it thinks. So we know what lies there first.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from interlock.worker.workspace.guarded import is_guarded_name
from interlock.worker.workspace.names import RULES, is_dot_git

DOT_GIT: Final = ".git"
TICKET: Final = ".ticket"
"""Documents for the agent: ours, and never committed."""

ATTRIBUTES: Final = ".gitattributes"
KINDS: Final = {
    stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device", stat.S_IFCHR: "a device",
}  # fmt: skip


class Scan(NamedTuple):
    """What lies in a tree and is no plain file, folder or link; paths are as git writes them."""

    special: tuple[tuple[str, str], ...] = ()
    """Pipes, sockets and devices, and what they are."""

    nested: tuple[str, ...] = ()
    """Whatever some system takes for ``.git``, but the one of the tree itself."""

    closed: tuple[tuple[str, str], ...] = ()
    """Folders that could not be looked into, and why."""

    rules: tuple[str, ...] = ()
    """What git reads for itself, and is neither a file nor a link: it would not get further."""

    guarded: tuple[str, ...] = ()
    """Configuration of agents."""

    has_attributes: bool = False


def is_there(path: Path) -> bool:
    """Say whether anything is there, be it a link to nowhere."""
    return os.path.lexists(path)


def is_empty(path: Path) -> bool:
    """Say whether there is a folder with nothing in it."""
    return is_folder(path) and next(path.iterdir(), None) is None


def is_folder(path: Path) -> bool:
    """Say whether there is a real folder: a link to one is none."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def scan(tree: Path) -> Scan:
    """Look through a tree; raises nothing for what lies in it."""
    found = _Found()
    folders = [""]
    while folders:
        above = folders.pop()
        try:
            entries = list(_entries(tree, above))
        except OSError as error:
            found.closed.append((above, error.strerror or str(error)))
            continue
        folders += [path for path, entry in entries if found.goes_into(path, entry, above)]
    return Scan(
        tuple(found.special), tuple(found.nested), tuple(found.closed), tuple(found.rules),
        tuple(found.guarded), found.has_attributes,
    )  # fmt: skip


class _Found:
    """What was found so far."""

    def __init__(self) -> None:
        self.special: list[tuple[str, str]] = []
        self.nested: list[str] = []
        self.closed: list[tuple[str, str]] = []
        self.rules: list[str] = []
        self.guarded: list[str] = []
        self.has_attributes = False

    def goes_into(self, path: str, entry: os.DirEntry[str], above: str) -> bool:
        """Note what is no plain thing; say whether to look further in there."""
        kind = _kind(entry)
        name = entry.name
        if is_dot_git(name):
            self.nested.append(path)
        elif name in RULES:
            self.has_attributes |= name == ATTRIBUTES
            if kind not in (stat.S_IFREG, stat.S_IFLNK):
                self.rules.append(path)
        elif is_guarded_name(name, above):
            self.guarded.append(path)
        elif kind in KINDS:
            self.special.append((path, KINDS[kind]))
        else:
            return kind == stat.S_IFDIR
        return False


def _entries(tree: Path, above: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    with os.scandir(tree / above) as found:
        for entry in found:
            if above or entry.name not in (DOT_GIT, TICKET):
                yield (f"{above}/{entry.name}" if above else entry.name), entry


def _kind(entry: os.DirEntry[str]) -> int:
    if entry.is_symlink():
        return stat.S_IFLNK
    if entry.is_dir(follow_symlinks=False):
        return stat.S_IFDIR
    if entry.is_file(follow_symlinks=False):
        return stat.S_IFREG
    try:
        return stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode)
    except OSError:
        return 0
