"""Names that may not be committed: what git or another system would take for something else."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

DOT_GIT: Final = re.compile(r"\.git(?:[ .]*|:.*)|git~[0-9]+[ .]*", re.IGNORECASE)
"""How Windows would say ``.git``; the Mac drops what cannot be seen, see ``UNSEEN``."""

UNSEEN: Final = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
RULES: Final = frozenset({".gitignore", ".gitattributes", ".gitmodules", ".mailmap"})
"""What git reads for itself; by a link it could be read from anywhere."""

LONG: Final = 255
PATH_LONG: Final = 1_024


def is_dot_git(name: str) -> bool:
    """Say whether a system would take a name for ``.git``."""
    return DOT_GIT.fullmatch(UNSEEN.sub("", name)) is not None


def wrong_with(path: str) -> str:
    """Say why a path may not be committed, or nothing."""
    if not _is_text(path):
        return "Its name is not UTF-8."
    if any(unicodedata.category(one) == "Cc" for one in path):
        return "Its name has control characters, such as a new line."
    if UNSEEN.search(path):
        return "Its name has characters that cannot be seen."
    parts = path.split("/")
    if any(is_dot_git(part) for part in parts):
        return "Some system would take its name for .git."
    if len(path) > PATH_LONG or any(len(part.encode()) > LONG for part in parts):
        return "Its name is too long."
    return ""


def shown(path: str) -> str:
    """Return a path as it can be told: what is not text becomes a question mark."""
    return path.encode(errors="replace").decode() if not _is_text(path) else path


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def folded(path: str) -> str:
    """Return what systems that do not tell case apart make of a path."""
    return unicodedata.normalize("NFC", path).casefold()


def collisions(added: Iterable[str], there: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each added path with another one that differs in case alone, in any folder of it."""
    named: dict[str, set[str]] = {}
    for path in there:
        for part in (path, *folders_of(path)):
            named.setdefault(folded(part), set()).add(part)
    for path in added:
        for part in (path, *folders_of(path)):
            others = named.get(folded(part), set()) - {part}
            if others:
                yield path, min(others)
                break


def folders_of(path: str) -> Iterator[str]:
    """Yield every folder that a path lies in, from the inside out."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
