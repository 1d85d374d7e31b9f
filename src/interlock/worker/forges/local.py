"""The local forge: the repository itself, usually a bare one, with requests as refs.

A request is ``refs/pull/N/head``, and beside it a ref with the name of its branch, so that it is
found again whoever looks; its words are kept by the server. It is merged by a real merge commit
that is made in the vault and pushed to the base branch, if that is still where it was.
"""

import asyncio
from pathlib import Path
from typing import Final

from interlock.worker.forges.forge import (
    DRAFT,
    HEAD_MOVED,
    REFUSED,
    Draft,
    Forge,
    ForgeFailed,
    Merged,
    NotMerged,
    Request,
)
from interlock.worker.forges.history import (
    Push,
    Remote,
    contains,
    fetch_base,
    has,
    merge,
    merged_in,
    push,
    refs_of,
)
from interlock.worker.workspace.git import GitFailed

TRIES: Final = 5
"""How often somebody else may be faster."""

PAUSE_S: Final = 0.05
PULLS: Final = "refs/pull/"


class Local(Forge):
    """Requests in a repository."""

    kind = "local"

    def __init__(self, url: str) -> None:
        """Take where the repository is."""
        self._remote = Remote(url)

    async def check(self) -> str:
        """Look whether the repository answers."""
        try:
            heads = await refs_of(self._remote, "refs/heads/*")
        except GitFailed as failed:
            raise ForgeFailed(f"The repository cannot be reached: {failed.message}") from failed
        return f"The repository answers, with {len(heads)} branches."

    async def open(self, vault: Path, draft: Draft) -> Request:
        """Push branch and request together: both are there, or neither is."""
        branch = f"refs/heads/{draft.branch}"
        for attempt in range(TRIES):
            refs = await self._refs(branch, f"{PULLS}*")
            await self._check_ours(vault, refs.get(branch, ""), draft.branch)
            number = _number(refs, draft.branch)
            wanted = (branch, f"{PULLS}{number}/head", f"{PULLS}{number}/{draft.branch}")
            try:
                pushes = tuple(Push(ref, draft.head, refs.get(ref, "")) for ref in wanted)
                await push(vault, self._remote, pushes)
            except GitFailed as failed:
                if attempt == TRIES - 1:
                    raise ForgeFailed(f"It cannot be pushed: {failed.message}") from failed
                await asyncio.sleep(PAUSE_S * (attempt + 1))  # another ticket has that number
                continue
            url = f"{PULLS}{number}/head"
            return Request(number, url, DRAFT, draft.head, draft.base, draft.branch)
        raise AssertionError  # pragma: no cover (the last attempt returns or raises)

    async def merge(self, vault: Path, request: Request) -> Merged:
        """Merge in the vault, and push it if the base branch is where it was."""
        message = f"Merge request #{request.number} from {request.branch}"
        for attempt in range(TRIES):
            done = await self.merged(vault, request)
            if done is not None:
                return done
            await self._check_head(request)
            try:
                base = await fetch_base(vault, self._remote, request.base)
                made = await merge(vault, base, request.head, message)
                await push(vault, self._remote, (Push(f"refs/heads/{request.base}", made, base),))
            except GitFailed as failed:
                if attempt == TRIES - 1:
                    text = f"The merge cannot be pushed: {failed.message}"
                    raise NotMerged(REFUSED, text) from failed
                await asyncio.sleep(PAUSE_S * (attempt + 1))
        done = await self.merged(vault, request)
        if done is None:
            raise NotMerged(REFUSED, "The base branch does not contain the merge.")
        return done

    async def merged(self, vault: Path, request: Request) -> Merged | None:
        """Look whether the base branch contains the head."""
        try:
            head = await fetch_base(vault, self._remote, request.base)
            if not await contains(vault, head, request.head):
                return None
            return await merged_in(vault, head, request.head)
        except GitFailed as failed:
            raise ForgeFailed(f"The base branch cannot be read: {failed.message}") from failed

    async def _refs(self, *patterns: str) -> dict[str, str]:
        try:
            return await refs_of(self._remote, *patterns)
        except GitFailed as failed:
            raise ForgeFailed(f"The repository cannot be reached: {failed.message}") from failed

    async def _check_ours(self, vault: Path, commit: str, branch: str) -> None:
        """Raise where the branch holds something that we do not know: it would be lost."""
        if commit and not await has(vault, commit):
            message = f"Somebody else has pushed {commit[:12]} to {branch}; it is not overwritten."
            raise ForgeFailed(message)

    async def _check_head(self, request: Request) -> None:
        """Raise where branch or request are at another commit than the one that was reviewed."""
        wanted = (f"refs/heads/{request.branch}", f"{PULLS}{request.number}/head")
        refs = await self._refs(*wanted)
        for ref in wanted:
            found = refs.get(ref, "")
            if found and found != request.head:
                message = f"{ref} is at {found[:12]}, and {request.head[:12]} was reviewed."
                raise NotMerged(HEAD_MOVED, message)


def _number(refs: dict[str, str], branch: str) -> int:
    """Return the number of the request of a branch; a new one if it has none."""
    taken: set[int] = set()
    for ref in refs:
        number, _, rest = ref.removeprefix(PULLS).partition("/")
        if ref.startswith(PULLS) and number.isdecimal():
            if rest == branch:
                return int(number)
            taken.add(int(number))
    return max(taken, default=0) + 1
