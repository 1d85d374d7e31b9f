"""What git says of requests: where refs of a repository are, what contains what, and a merge.

All of it happens in the vault, a bare repository that no agent can write to.
"""

from pathlib import Path
from typing import Final, NamedTuple

from interlock.worker.forges.forge import CONFLICT, INTERLOCK, OUTSIDE, Merged, NotMerged
from interlock.worker.workspace.git import GitFailed, git

MAIL: Final = "interlock@localhost"
IDENTITY: Final = ("-c", "user.name=Interlock", "-c", f"user.email={MAIL}")
BASES: Final = "refs/interlock/base/"
"""Where the vault keeps what base branches were at when they were last looked at."""


class Remote(NamedTuple):
    """A repository of others, and settings of git that are needed to reach it."""

    url: str
    settings: tuple[str, ...] = ()


class Push(NamedTuple):
    """One ref that is to be at a commit, and where it must be before; nothing: not there."""

    ref: str
    commit: str
    expected: str = ""


async def refs_of(remote: Remote, *patterns: str) -> dict[str, str]:
    """Return the commits of the refs of a repository that match."""
    said = await git(*remote.settings, "ls-remote", "--", remote.url, *patterns)
    rows = (row.partition("\t") for row in said.splitlines())
    return {name: commit for commit, _, name in rows if name}


async def push(vault: Path, remote: Remote, pushes: tuple[Push, ...]) -> None:
    """Push all of it or nothing; raises ``GitFailed`` where a ref is not where it must be."""
    leases = (f"--force-with-lease={one.ref}:{one.expected}" for one in pushes)
    specs = (f"{one.commit}:{one.ref}" for one in pushes)
    words = ("push", "--quiet", "--atomic", "--no-verify", "--no-signed")
    await git(*remote.settings, *words, *leases, "--", remote.url, *specs, folder=vault)


async def fetch_base(vault: Path, remote: Remote, base: str) -> str:
    """Bring the base branch into the vault; return where it is."""
    kept = f"{BASES}{base}"
    words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")
    spec = f"+refs/heads/{base}:{kept}"
    await git(*remote.settings, *words, "--", remote.url, spec, folder=vault)
    return await git("rev-parse", "--verify", "--quiet", f"{kept}^{{commit}}", folder=vault)


async def has(vault: Path, commit: str) -> bool:
    """Whether the vault holds a commit."""
    try:
        await git("cat-file", "-e", f"{commit}^{{commit}}", folder=vault)
    except GitFailed:
        return False
    return True


async def contains(vault: Path, head: str, commit: str) -> bool:
    """Whether a commit is part of the history of another one."""
    try:
        await git("merge-base", "--is-ancestor", commit, head, folder=vault)
    except GitFailed as failed:
        if failed.code == 1:
            return False
        raise
    return True


async def merged_in(vault: Path, head: str, commit: str) -> Merged:
    """Return how a commit came into a base branch that contains it."""
    words = ("rev-list", "--first-parent", "--ancestry-path", "--reverse", f"{commit}..{head}")
    rows = (await git(*words, folder=vault)).split()
    if not rows:
        return Merged(commit, head, OUTSIDE)  # the branch itself was moved there
    said = await git("show", "--no-patch", "--format=%ce %P", rows[0], folder=vault)
    mail, *parents = said.split()
    if commit not in parents:
        return Merged(commit, head, OUTSIDE)
    by = INTERLOCK if mail == MAIL else OUTSIDE
    return Merged(rows[0], head, by)


async def merge(vault: Path, base: str, head: str, message: str) -> str:
    """Make a merge commit of a head onto a base; raises ``NotMerged`` where they do not fit."""
    words = ("merge-tree", "--write-tree", "--name-only", "--no-messages", base, head)
    try:
        tree = await git(*words, folder=vault)
    except GitFailed as failed:
        if failed.code != 1:
            raise
        raise NotMerged(CONFLICT, "The base branch has changed the same places.") from failed
    order = ("commit-tree", tree, "-p", base, "-p", head, "-m", message)
    return await git(*IDENTITY, *order, folder=vault)
