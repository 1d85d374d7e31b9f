"""What lies between two trees in the vault: files with their counts, and the text of it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from interlock.worker.workspace.names import shown
from interlock.worker.workspace.vault import Vault

PLAIN: Final = ("--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none")
WORDS: Final = {
    "A": "added", "D": "deleted", "M": "modified", "T": "modified", "R": "renamed", "C": "added",
}  # fmt: skip
REPOSITORY: Final = "160000"


class Changed(NamedTuple):
    """A file that is not what it was; lines of what is no text are not counted."""

    path: str
    status: str
    added: int = 0
    removed: int = 0
    was: str = ""
    """Where it lay before, if it was renamed."""

    mode: str = ""

    def told(self) -> dict[str, object]:
        """Return it as a report tells it."""
        return {
            "path": shown(self.path), "status": self.status,
            "added": self.added, "removed": self.removed,
        }  # fmt: skip


class Diff(NamedTuple):
    """What was changed: its text, whether that is all of it, and the files."""

    text: str
    is_cut: bool
    files: tuple[Changed, ...]


async def files_between(vault: Vault, before: str, after: str) -> tuple[Changed, ...]:
    """Return the files that differ; raises ``GitFailed``."""
    rows = await vault.paths(
        "diff-tree", "-r", "-z", "-M", "--raw", "--numstat", *PLAIN, before, after, "--"
    )
    return tuple(_files(rows))


async def diff(vault: Vault, before: str, after: str, most: int) -> Diff:
    """Return what was changed, as text of at most so many characters; raises ``GitFailed``."""
    files = await files_between(vault, before, after)
    words = ("diff-tree", "-r", "-p", "-M", *PLAIN, before, after, "--")
    # At most four bytes are one character.
    ended = await vault.said(*words, most=4 * most + 4, may_be_cut=True)
    text = ended.out.decode(errors="replace")
    is_cut = ended.is_cut or len(text) > most
    if is_cut:
        text = text[:most]
        text = text[: text.rfind("\n") + 1] or text
    return Diff(text, is_cut, files)


def _files(rows: list[str]) -> Iterator[Changed]:
    """Read two lists one after the other: what was done to which file, then its lines."""
    found: dict[str, Changed] = {}
    left = iter(rows)
    for row in left:
        if row.startswith(":"):
            _, mode, _, _, letter = row.split(" ")
            was = next(left) if letter[0] in "RC" else ""
            path = next(left)
            found[path] = Changed(path, WORDS.get(letter[0], "modified"), 0, 0, was, mode)
            continue
        added, removed, path = row.split("\t", 2)
        if not path:
            next(left)
            path = next(left)
        found[path] = found[path]._replace(added=_count(added), removed=_count(removed))
    yield from found.values()


def _count(text: str) -> int:
    return 0 if text == "-" else int(text)
