"""A diff as git writes it, taken apart: files, and in each of them lines with what became of them.

It was made by git, but what is in it is somebody's: a line that cannot be read as part of a diff is
shown as it is. Large ones are cut, with a word that says so.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

LINES_MAX: Final = 4_000
LONG_MAX: Final = 1_000
"""How many lines of a diff are shown on one page, and how many characters of each."""

OPEN_LINES: Final = 200
OPEN_ALL: Final = 800
"""A file with more lines is folded, and so is what comes after so many lines altogether."""

HEADS: Final = (
    "old mode", "new mode", "new file mode", "deleted file mode", "similarity index",
    "rename from", "rename to", "copy from", "copy to", "index ", "Binary files",
)  # fmt: skip

Kind = Literal["same", "ins", "del", "skip", "head"]
SIGNS: Final[Mapping[str, Kind]] = {"+": "ins", "-": "del", "@": "skip", "\\": "skip"}
"""What a line of a patch is, by how it begins; any other one has stayed."""


class Line(NamedTuple):
    """A line of a diff, without its sign."""

    kind: Kind
    text: str


@dataclass(slots=True)
class Patch:
    """What became of one file."""

    path: str
    lines: list[Line] = field(default_factory=list)
    added: int = 0
    removed: int = 0
    # How many lines there are beyond those that are shown.
    left_out: int = 0
    is_open: bool = True
    # Whose it is, where several are shown together: a bead.
    whose: str = ""


def patches(diff: str) -> list[Patch]:
    """Take a diff apart, file by file."""
    found: list[Patch] = []
    is_inside = False
    for raw in diff.split("\n"):
        if raw.startswith("diff --git "):
            found.append(Patch(_named(raw)))
            is_inside = False
            continue
        if not found:
            if not raw.strip():
                continue
            found.append(Patch("(no file is named)"))
        is_inside = is_inside or raw.startswith("@@")
        _take(found[-1], raw, is_inside=is_inside)
    return found


def _take(patch: Patch, raw: str, *, is_inside: bool) -> None:
    """Add a line to a file's patch."""
    if not raw:
        return
    if not is_inside:
        _head(patch, raw)
        return
    kind = SIGNS.get(raw[0], "same")
    patch.added += kind == "ins"
    patch.removed += kind == "del"
    text = raw if kind == "skip" else raw[1:] if kind != "same" else raw.removeprefix(" ")
    patch.lines.append(Line(kind, _cut(text)))


def _head(patch: Patch, raw: str) -> None:
    """Add a line that stands before the first piece of a patch."""
    if raw.startswith(("--- ", "+++ ")):
        patch.path = _path(raw[4:]) or patch.path
    else:
        patch.lines.append(Line("head" if raw.startswith(HEADS) else "same", _cut(raw)))


def _named(raw: str) -> str:
    """Return the path that the first line of a patch names: both halves say the same."""
    rest = raw.removeprefix("diff --git ")
    half = rest[: len(rest) // 2]
    return _path(half) or rest


def _path(said: str) -> str:
    """Return a path without git's prefix; one that git has quoted stays quoted, to be seen."""
    name = said.rstrip("\t")
    if name == "/dev/null":
        return ""
    for mark in ("a/", "b/"):
        if name.startswith(f'"{mark}'):
            return f'"{name[3:]}'
        if name.startswith(mark):
            return name[2:]
    return name


def _cut(line: str) -> str:
    return line if len(line) <= LONG_MAX else f"{line[:LONG_MAX]}… {len(line) - LONG_MAX:,} more"


def fitted(found: list[Patch], most: int = LINES_MAX) -> list[Patch]:
    """Return patches as a page can show them: folded where they are long, cut where they are many.

    What is cut says how many lines there would be.
    """
    shown = 0
    for patch in found:
        room = max(0, most - shown)
        patch.left_out = max(0, len(patch.lines) - room)
        patch.lines = patch.lines[:room]
        shown += len(patch.lines)
        patch.is_open = 0 < len(patch.lines) <= OPEN_LINES and shown <= OPEN_ALL
    return found


def sides(patch: Patch) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a patch, from line to line, between what is no line of the file."""
    first = None
    for number, line in enumerate(patch.lines):
        is_text = line.kind in ("same", "ins", "del")
        if is_text and first is None:
            first = number
        if not is_text and first is not None:
            yield first, number
            first = None
    if first is not None:
        yield first, len(patch.lines)
