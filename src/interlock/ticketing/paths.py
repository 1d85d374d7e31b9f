"""Names of files in a repository, as a model or a person writes them: relative, and inside."""

import re
from typing import Final

PATH_MAX: Final = 1000
STRANGE: Final = re.compile(r"[\x00-\x1f\x7f\\:*?\"<>|]")
OURS: Final = frozenset({".git", ".ticket"})
"""Folders that no work may name: git's own, and where a ticket's documents are mirrored."""


def normal_path(said: str) -> str | None:
    """Return a path as we write it; None where it is not relative, leads outside, or is ours."""
    words = [word for word in said.strip().split("/") if word not in ("", ".")]
    path = "/".join(words)
    if not path or len(path) > PATH_MAX or said.strip().startswith("/") or STRANGE.search(path):
        return None
    if ".." in words or path.startswith("~") or path != path.strip():
        return None
    is_ours = words[0].lower() in OURS or ".git" in (word.lower() for word in words)
    return None if is_ours else path
