"""Ground for tests of forges: a bare repository, a vault that knows it, and a request to be made."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from interlock.worker.forges.forge import Draft
from tests.worker.workspace.repositories import plain, repository

T = TypeVar("T")
BRANCH: Final = "interlock/ticket-1"


class Ground(NamedTuple):
    """A bare repository with one commit on main, and a vault with one more on a branch."""

    bare: Path
    vault: Path
    base: str
    head: str

    def draft(self, head: str = "", branch: str = BRANCH) -> Draft:
        """Return a request for the commit of the vault."""
        return Draft(branch, "main", head or self.head, "Sell pears", "They are ripe.")

    def ref(self, name: str) -> str:
        """Return where a ref of the bare repository is; empty where it is not."""
        rows = plain(self.bare, "for-each-ref", "--format=%(objectname)", name).split()
        return rows[0] if rows else ""

    def commit(self, parent: str, files: dict[str, str], where: str = "vault") -> str:
        """Make a commit in the vault, or in the bare repository, without a working tree."""
        folder = self.vault if where == "vault" else self.bare
        index = {f"{name}": text for name, text in files.items()}
        made = folder.parent / f"work-{len([*folder.parent.iterdir()])}"
        plain(folder.parent, "clone", "--quiet", "--no-checkout", str(folder), str(made))
        plain(made, "checkout", "--quiet", "--detach", parent)
        for name, text in index.items():
            (made / name).write_text(text)
        plain(made, "add", "--all")
        plain(made, "commit", "--quiet", "--message", f"Change {', '.join(files)}")
        commit = plain(made, "rev-parse", "HEAD")
        plain(folder, "fetch", "--quiet", str(made), commit)
        return commit

    def advance(self, files: dict[str, str]) -> str:
        """Have somebody push a commit to the base branch."""
        commit = self.commit(self.ref("refs/heads/main"), files, "bare")
        plain(self.bare, "update-ref", "refs/heads/main", commit)
        return commit


def ground_in(folder: Path) -> Ground:
    """Make the ground."""
    source = repository(folder / "source")
    bare, vault = folder / "bare.git", folder / "vault.git"
    plain(folder, "clone", "--quiet", "--bare", str(source), str(bare))
    plain(folder, "clone", "--quiet", "--bare", str(source), str(vault))
    base = plain(bare, "rev-parse", "main")
    found = Ground(bare, vault, base, "")
    head = found.commit(base, {"pears.py": "def sell(): return 'pears'\n"})
    plain(vault, "update-ref", "refs/heads/" + BRANCH, head)
    return found._replace(head=head)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Wait for something."""
    return asyncio.run(work)
