"""Names of files in a repository, as a model or a person writes them: relative, and inside."""

import re
from typing import Final

PATH_MAX: Final = 1000
STRANGE: Final = re.compile(r"[\x00-\x1f\x7f\\:*?\"<>|]")
OURS: Final = frozenset({".git", ".ticket"})
"""Folders that no work may name: git's own, and where a ticket's documents are mirrored."""


def normal_path(said: str) -> str | None:
    """Return a path as we write it; None where it is not relative, leads outside, or is ours."""
    bare = said.strip()
    if not bare or len(bare) > PATH_MAX or bare.startswith(("/", "~")) or STRANGE.search(bare):
        return None
    words = [word for word in bare.split("/") if word not in ("", ".")]
    if not words or ".." in words or words[0].lower() in OURS:
        return None
    return "/".join(words)
