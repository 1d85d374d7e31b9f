"""Repositories for tests: small ones, and ones that would like to run something."""

import os
import subprocess
from pathlib import Path
from shutil import which
from typing import Final

GIT: Final = which("git") or "git"
WHO: Final = {
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
}  # fmt: skip


def plain(folder: Path, *words: str) -> str:
    """Run git as somebody would by hand; it must succeed."""
    told = {"PATH": os.environ["PATH"], "HOME": str(folder), **WHO}
    done = subprocess.run(
        [GIT, "-C", str(folder), *words], env=told, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def repository(folder: Path, branch: str = "main", **files: str) -> Path:
    """Make a repository with one commit."""
    folder.mkdir(parents=True)
    plain(folder, "init", "--quiet", "--initial-branch", branch)
    for name, text in {"shop.py": "def sell(): ...\n", **files}.items():
        (folder / name).write_text(text)
    plain(folder, "add", "--all")
    plain(folder, "commit", "--quiet", "--message", "Begin")
    return folder
