"""The vault: the repository of a ticket that is ours alone. What it holds is the code's truth.

No agent runs in it, and nothing of a tree is configuration for it: git is told where both are on
every command line. What could make git run something for whoever wrote into it is set anew before
each use. Files are taken byte by byte as they are: no filters, no line ends, no other encodings.
"""

import asyncio
import os
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from interlock.worker.workspace.git import Ended, GitFailed, Run, said
from interlock.worker.workspace.removal import remove

LISTING_MAX: Final = 256_000_000
WHO: Final = {
    "GIT_AUTHOR_NAME": "Interlock", "GIT_AUTHOR_EMAIL": "interlock@localhost",
    "GIT_COMMITTER_NAME": "Interlock", "GIT_COMMITTER_EMAIL": "interlock@localhost",
}  # fmt: skip

CONFIG: Final = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"
ATTRIBUTES: Final = "* -text -ident -filter -working-tree-encoding !eol !diff !merge\n"
"""The last word on attributes: what lies in a tree cannot say otherwise."""

EXCLUDE: Final = "/.ticket\n"
OURS: Final = {"config": CONFIG, "info/attributes": ATTRIBUTES, "info/exclude": EXCLUDE}
NEVER: Final = (
    "config.worktree", "hooks", "info/grafts", "info/sparse-checkout", "objects/info/alternates",
    "objects/info/http-alternates", "refs/replace", "modules", "worktrees", "shallow",
    "packed-refs.lock", "HEAD.lock", "index.lock", "config.lock", "commondir",
)  # fmt: skip
"""What has no place there. A lock lies there only where a git was killed: ours is held outside."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Where a tree is worked on: its folder, its index, and the ref that says where it stands."""

    tree: Path
    index: Path
    ref: str


def copy_index(index: Path, to: Path) -> None:
    """Copy an index, and the time of it.

    What was changed at the very moment that an index was written git finds by reading it again,
    and it knows which files these are by the time of the index: a later one hides them.
    """
    shutil.copy2(index, to)


class Vault:
    """Git on a repository of ours, with or without a tree; ``keeps`` are locks to hand down."""

    def __init__(self, folder: Path, keeps: tuple[int, ...] = ()) -> None:
        self.folder = folder
        self._keeps = keeps

    @property
    def objects(self) -> Path:
        """Where its objects lie."""
        return self.folder / "objects"

    def make(self, branch: str) -> None:
        """Lay out an empty one."""
        for name in ("objects/info", "objects/pack", "refs/heads", "info"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.seal(branch)

    def seal(self, branch: str) -> None:
        """Set anew what could make git do something else than it is told; raises ``OSError``."""
        for name in NEVER:
            if os.path.lexists(self.folder / name):
                remove(self.folder / name)
        for name, content in {**OURS, "HEAD": f"ref: refs/heads/{branch}\n"}.items():
            path = self.folder / name
            if path.is_symlink() or not path.is_file() or path.read_bytes() != content.encode():
                remove(path)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="ascii")

    async def git(self, *words: str, bench: Bench | None = None, stdin: bytes = b"") -> str:
        """Run git there; return what it said, in one piece. Raises ``GitFailed``."""
        ended = await self.said(*words, bench=bench, stdin=stdin)
        return os.fsdecode(ended.out).strip("\n")

    async def paths(self, *words: str, bench: Bench | None = None, stdin: bytes = b"") -> list[str]:
        """Run git there, and return what it lists with ``-z``."""
        ended = await self.said(*words, bench=bench, stdin=stdin)
        return [os.fsdecode(one) for one in ended.out.split(b"\0")[:-1]]

    async def lists(self, *lines: Sequence[str], bench: Bench) -> list[list[str]]:
        """Run several that only read, at once; raises when all of them have ended."""
        works = (self.paths(*line, bench=bench) for line in lines)
        found = await asyncio.gather(*works, return_exceptions=True)
        for one in found:
            if isinstance(one, BaseException):
                raise one
        return [one for one in found if isinstance(one, list)]

    async def said(
        self,
        *words: str,
        bench: Bench | None = None,
        stdin: bytes = b"",
        most: int = LISTING_MAX,
        may_be_cut: bool = False,
        fine: Collection[int] = (0,),
    ) -> Ended:
        """Run git there; return all that it said. Raises ``GitFailed``."""
        where = [f"--git-dir={self.folder}"]
        more = dict(WHO)
        if bench is not None:
            where.append(f"--work-tree={bench.tree}")
            more["GIT_INDEX_FILE"] = str(bench.index)
        folder = self.folder if bench is None else bench.tree
        how = Run(folder, more, stdin, most, self._keeps)
        return await said(*where, *words, how=how, may_be_cut=may_be_cut, fine=fine)

    async def commit_at(self, ref: str) -> str:
        """Return the commit that a ref is at, or nothing where there is none."""
        try:
            return await self.git("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
        except GitFailed:
            return ""

    async def move(self, ref: str, after: str, before: str | None = None) -> None:
        """Move a ref; where ``before`` is named only from there. Raises ``GitFailed``."""
        known = () if before is None else (before,)
        await self.git("update-ref", "--no-deref", ref, after, *known)
