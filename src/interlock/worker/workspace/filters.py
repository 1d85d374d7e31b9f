"""Files that the repository sends through a filter, such as Git LFS: no filter is ever run here.

So what lies in the tree is what is in the commit. A pointer of LFS that is a pointer stays one;
anything else would be committed where the owner expects what their filter makes of it.
"""

import os
from pathlib import Path
from typing import Final

from interlock.worker.workspace.git import Run, said
from interlock.worker.workspace.scan import is_there
from interlock.worker.workspace.vault import CONFIG, LISTING_MAX, Vault

NONE: Final = ("unspecified", "unset", "set", "")
LFS: Final = "lfs"
POINTER: Final = b"version https://git-lfs.github.com/spec/"
BLANK: Final = "blank.git"
"""A repository with nothing in it: there the attributes of the tree are the last word."""


async def filtered(vault: Vault, tree: Path, paths: list[str]) -> list[tuple[str, str]]:
    """Return those of some files that a filter would have made something else of, and why."""
    there = [path for path in paths if is_there(tree / path)]
    if not there:
        return []
    blank = _blank(vault.folder / BLANK)
    told = b"".join(os.fsencode(path) + b"\0" for path in there)
    how = Run(tree, stdin=told, most=LISTING_MAX)
    where = (f"--git-dir={blank}", f"--work-tree={tree}")
    ended = await said(*where, "check-attr", "-z", "--stdin", "filter", how=how)
    rows = [os.fsdecode(one) for one in ended.out.split(b"\0")[:-1]]
    by_path = zip(rows[::3], rows[2::3], strict=True)
    return [
        (path, f"The repository sends it through the filter {name!r}, which is not run here.")
        for path, name in by_path
        if name not in NONE and not (name == LFS and _is_pointer(tree / path))
    ]


def _blank(folder: Path) -> Path:
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, content in {"config": CONFIG, "HEAD": "ref: refs/heads/none\n"}.items():
        (folder / name).write_text(content, encoding="ascii")
    return folder


def _is_pointer(path: Path) -> bool:
    """Say whether a file only says where LFS keeps its content."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.read(file, len(POINTER)) == POINTER
    finally:
        os.close(file)
