"""What a working tree has: its files by name, the scripts of its manifests, targets of make.

It is read from the commit and not from the folder: a link in there could lead anywhere. Bounded in
all directions; what was cut is told as cut, and what cannot be known is left out.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from interlock.worker.workspace.git import GitFailed, git

FILES_MAX: Final = 4_000
BYTES_MAX: Final = 200_000
"""How long the names of files may be together, as they are sent."""

PATH_MAX: Final = 1_000
MANIFESTS_MAX: Final = 50
NAMES_MAX: Final = 1_000
NAME_MAX: Final = 200

NODE: Final = "package.json"
MAKE: Final = ("GNUmakefile", "makefile", "Makefile")
"""In the order in which make looks for them."""

RULE: Final = re.compile(r"^([^\s#:=][^:=#]*?)\s*::?(?![:=])(.*)$", re.MULTILINE)
UNSURE: Final = re.compile(
    r"^\s*-?s?include\s|^\.DEFAULT\s*:|^[^\t#\n]*[%$][^:=\n]*:(?!=)", re.MULTILINE
)
"""What makes targets that nobody can name by reading: other files, patterns, variables."""

STRANGE: Final = re.compile(r"[\x00-\x1f\x7f\ufffd]")


async def listing_of(folder: Path, commit: str = "HEAD") -> dict[str, object]:
    """List what a commit has, the files next to the root first; raises ``GitFailed``."""
    said = await git("ls-tree", "-r", "-z", "--full-tree", "--name-only", commit, folder=folder)
    # What ends with no mark was cut off in the middle.
    *every, rest = said.split("\0")
    files = list(_within(sorted(every, key=_order)))
    told: dict[str, object] = {"files": files, "is_whole": not rest and len(files) == len(every)}
    if (scripts := await _scripts(folder, commit, every)) is not None:
        told["scripts"] = scripts
    if (targets := await _targets(folder, commit, every)) is not None:
        told["targets"] = targets
    return told


def _order(path: str) -> tuple[int, str]:
    return path.count("/"), path


def _within(paths: Sequence[str]) -> Iterator[str]:
    """Yield as many paths as there is room for; one with strange characters cannot be told."""
    left = BYTES_MAX
    for path in paths[:FILES_MAX]:
        left -= len(json.dumps(path))
        if left < 0:
            return
        if path.strip() == path and len(path) <= PATH_MAX and not STRANGE.search(path):
            yield path


async def _scripts(folder: Path, commit: str, paths: Sequence[str]) -> list[str] | None:
    """Return the scripts of all manifests of node together; None where one cannot be read."""
    manifests = [path for path in paths if path.rpartition("/")[2] == NODE]
    if not manifests or len(manifests) > MANIFESTS_MAX:
        return None
    found: set[str] = set()
    for path in manifests:
        try:
            told = json.loads(await _text(folder, commit, path))
        except (GitFailed, ValueError, RecursionError):
            return None
        scripts = told.get("scripts", {}) if isinstance(told, dict) else None
        if not isinstance(scripts, dict):
            return None
        found |= scripts.keys()
    return _named(found)


async def _targets(folder: Path, commit: str, paths: Sequence[str]) -> list[str] | None:
    """Return the targets of the Makefile at the root; None where there may be others."""
    name = next((one for one in MAKE if one in paths), None)
    if name is None:
        return None
    try:
        text = await _text(folder, commit, name)
    except GitFailed:
        return None
    if UNSURE.search(text):
        return None
    found: set[str] = set()
    for words, needs in RULE.findall(text):
        found |= {*words.split(), *(needs.split() if words == ".PHONY" else ())}
    return _named(found)


def _named(found: set[str]) -> list[str] | None:
    """Return names in order; None where there are too many, or one that cannot be told."""
    is_odd = any(not one.strip() or len(one) > NAME_MAX or STRANGE.search(one) for one in found)
    return None if is_odd or len(found) > NAMES_MAX else sorted(found)


async def _text(folder: Path, commit: str, path: str) -> str:
    return await git("cat-file", "blob", f"{commit}:{path}", folder=folder)
