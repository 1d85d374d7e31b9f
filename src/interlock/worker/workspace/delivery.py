"""From the commits of a ticket to what is delivered: one candidate, or a change on top of others.

Whatever is made here is made as objects first; a ref moves last, in one step, or not at all.
"""

from typing import Final, NamedTuple

from interlock.worker.workspace.git import GitFailed
from interlock.worker.workspace.trouble import (
    CommitFailed,
    MergeConflict,
    SquashFailed,
)
from interlock.worker.workspace.vault import Vault

CONFLICT: Final = 1
"""How ``merge-tree`` ends where two changes do not go together."""

BEFORE: Final = "refs/interlock/before"
"""Where the branch was before it was squashed: the single commits can still be looked at."""


class Squashed(NamedTuple):
    """One commit for all of a ticket."""

    candidate: str
    merge_base: str
    before: str
    commits: int


async def commit_of(vault: Vault, tree: str, message: str, *parents: str) -> str:
    """Write a commit that no ref is at yet; raises ``CommitFailed``."""
    over = [word for parent in parents for word in ("-p", parent)]
    try:
        return await vault.git(
            "commit-tree", *over, "-F", "-", tree, stdin=(message.strip() + "\n").encode()
        )
    except GitFailed as failed:
        raise CommitFailed(f"The commit cannot be written: {failed.message}") from failed


async def move_branch(vault: Vault, ref: str, before: str, after: str) -> None:
    """Move a branch from one commit to another; raises ``CommitFailed`` where it is elsewhere."""
    try:
        await vault.move(ref, after, before)
    except GitFailed as failed:
        at = await vault.commit_at(ref)
        if at == after:
            return
        message = f"The branch is at {at[:12] or 'nothing'}, not at {before[:12]}: {failed.message}"
        raise CommitFailed(message) from failed


async def squash(vault: Vault, ref: str, message: str, base_at: str) -> Squashed:
    """Make one commit of all that the branch has beyond the base; raises ``SquashFailed``.

    The branch moves last and in one step: whatever fails before leaves it where it was.
    """
    before = await vault.commit_at(ref)
    try:
        base = await vault.git("merge-base", base_at, before)
        count = int(await vault.git("rev-list", "--count", f"{base}..{before}"))
        trees = (await vault.git("rev-parse", f"{base}^{{tree}}", f"{before}^{{tree}}")).split()
        if trees[0] == trees[1]:
            raise SquashFailed("Nothing was changed against the base branch.")
        candidate = await commit_of(vault, trees[1], message, base)
        await vault.move(BEFORE, before)
        await move_branch(vault, ref, before, candidate)
    except (GitFailed, CommitFailed) as failed:
        raise SquashFailed(f"The commits cannot be made one: {failed}") from failed
    return Squashed(candidate, base, before, count)


async def merged_tree(vault: Vault, ours: str, theirs: str) -> str:
    """Return the tree of both changes; raises ``MergeConflict``, or ``GitFailed``."""
    words = ("merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs)
    ended = await vault.said(*words, fine=(0, CONFLICT))
    tree, *paths = [one.decode(errors="replace") for one in ended.out.split(b"\0") if one]
    if ended.code == CONFLICT:
        told = ", ".join(paths[:5])
        message = f"What was changed meanwhile is in the way: {told}."
        raise MergeConflict(message, tuple(paths))
    return tree


async def onto(vault: Vault, head: str, commit: str, message: str) -> str:
    """Return a commit with the change of another one on top of the head.

    That is the commit itself where it stands there. Raises ``MergeConflict`` or ``CommitFailed``.
    """
    try:
        if await vault.git("rev-parse", "--verify", f"{commit}^") == head:
            return commit
        tree = await merged_tree(vault, head, commit)
    except GitFailed as failed:
        raise CommitFailed(f"The change cannot be put on the head: {failed.message}") from failed
    return await commit_of(vault, tree, message, head)
