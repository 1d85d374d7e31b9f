"""Where the code comes from: checked before anything is made, fetched, and looked at for warnings.

The repository is somebody's, and is only read here. What would be awkward later is said early:
a branch that is checked out cannot be pushed to, and what is not committed is in no ticket.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

from interlock.worker.workspace.git import GitFailed, git
from interlock.worker.workspace.scan import is_folder
from interlock.worker.workspace.trouble import NoWorkspace
from interlock.worker.workspace.vault import Vault

BRANCH: Final = re.compile(r"[A-Za-z0-9][\w./+-]{0,199}")
BASES: Final = "refs/interlock/base/"
COMMIT: Final = re.compile(r"[0-9a-f]{40}")
NO_SUCH_REF: Final = 2
"""How ``ls-remote --exit-code`` ends where nothing matches."""

FILTERS: Final = r"^filter\..*\.(clean|smudge|process|required)$"


class Origin(NamedTuple):
    """Where the code comes from."""

    repository: str
    base_branch: str


def check_origin(origin: Origin) -> None:
    """Raise where a word could be taken for something else than what it is."""
    if not is_branch(origin.base_branch):
        raise NoWorkspace(f"{origin.base_branch!r} is no name of a branch.")
    if not origin.repository or origin.repository.startswith("-") or "\0" in origin.repository:
        raise NoWorkspace("The project names no repository that could be cloned.")


def is_branch(name: str) -> bool:
    """Say whether a name can be a branch's, and nothing else."""
    has_odd_part = any(
        not part or part.startswith(".") or part.endswith((".lock", "."))
        for part in name.split("/")
    )
    return bool(BRANCH.fullmatch(name)) and ".." not in name and not has_odd_part


async def base_of(origin: Origin) -> str:
    """Return the commit that the base branch is at; raises where it cannot be had."""
    wanted = f"refs/heads/{origin.base_branch}"
    try:
        said = await git("ls-remote", "--exit-code", "--", origin.repository, wanted)
    except GitFailed as failed:
        if failed.code == NO_SUCH_REF:
            message = f"The repository has no branch {origin.base_branch!r}."
            raise NoWorkspace(message) from failed
        message = f"The repository cannot be reached from this worker: {failed.message}"
        raise NoWorkspace(message) from failed
    # A pattern matches at the end of a name, too: refs/heads/x/refs/heads/main is none of ours.
    found = {name: commit for commit, _, name in (row.partition("\t") for row in said.split("\n"))}
    if wanted not in found:
        raise NoWorkspace(f"The repository has no branch {origin.base_branch!r}.")
    return found[wanted]


def base_ref(branch: str) -> str:
    """Return where the vault keeps a base branch as it was fetched last."""
    return f"{BASES}{branch}"


async def fetch(vault: Vault, origin: Origin) -> str:
    """Bring the base branch into the vault; return its commit. Raises ``GitFailed``."""
    ref = base_ref(origin.base_branch)
    await vault.git(
        "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
        "--no-auto-maintenance", "--", origin.repository,
        f"+refs/heads/{origin.base_branch}:{ref}",
    )  # fmt: skip
    return await vault.commit_at(ref)


async def warnings_of(origin: Origin) -> tuple[str, ...]:
    """Return what would be awkward later about a repository on this machine; never raises."""
    folder = Path(origin.repository)
    if not is_folder(folder):
        return ()
    try:
        is_bare = await git("rev-parse", "--is-bare-repository", folder=folder) == "true"
        if is_bare:
            return ()
        branch = await git("symbolic-ref", "--quiet", "--short", "HEAD", folder=folder)
    except GitFailed:
        return ()
    found = []
    if branch == origin.base_branch:
        found.append(
            f"{origin.base_branch!r} is checked out in the repository: a merge cannot be pushed to"
            " it. Use a bare repository, or check out another branch there."
        )
    if await _is_dirty(folder):
        found.append("The repository has changes that are not committed: no ticket will see them.")
    return tuple(found)


async def _is_dirty(folder: Path) -> bool:
    """Say whether files were changed; the filters of its owner are not run for that."""
    try:
        names = await git("config", "--name-only", "--get-regexp", FILTERS, folder=folder)
    except GitFailed:
        names = ""
    off = [word for name in names.split("\n") if name for word in ("-c", f"{name}=")]
    words = ("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
    try:
        return bool(await git(*off, *words, folder=folder))
    except GitFailed:
        return False
