"""The forge of GitHub, through its command line ``gh``; the commits are pushed by git.

A request is found by its branch, so asking twice opens one. It is merged with the head that was
reviewed: GitHub itself refuses any other. That it is merged is believed when git sees the base
branch with it.
"""

import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from interlock.worker.forges.forge import (
    CLOSED,
    CONFLICT,
    DRAFT,
    HEAD_MOVED,
    INTERLOCK,
    MERGED,
    OPEN,
    OUTSIDE,
    REFUSED,
    Draft,
    Forge,
    ForgeFailed,
    Merged,
    NotMerged,
    Request,
)
from interlock.worker.forges.gh import GhFailed, gh_api
from interlock.worker.forges.history import Push, Remote, contains, fetch_base, has, push, refs_of
from interlock.worker.workspace.git import GitFailed

ADDRESS: Final = re.compile(
    r"(?:https://(?:[^/@]+@)?github\.com/|(?:ssh://)?git@github\.com[:/])"
    r"([A-Za-z0-9][A-Za-z0-9-]{0,38})/([A-Za-z0-9._-]{1,100}?)(?:\.git)?/?"
)
UNPROCESSABLE: Final = 422
CONFLICTS: Final = 409
NOT_ALLOWED: Final = 405
READY: Final = (
    "mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id})"
    " { pullRequest { isDraft } } }"
)
LOGIN: Final = ("-c", "credential.helper=!gh auth git-credential")
"""Git comes in as gh does; said on the command line, which no file of a repository can."""

Document = dict[str, Any]


def slug_of(repository: str) -> str:
    """Return owner and name of a repository on GitHub; empty where it is none."""
    found = ADDRESS.fullmatch(repository.strip())
    return f"{found[1]}/{found[2]}" if found else ""


class GitHub(Forge):
    """Requests on GitHub."""

    kind = "github"

    def __init__(self, slug: str, url: str) -> None:
        """Take owner and name of the repository, and where git pushes to."""
        self._slug = slug
        self._remote = Remote(url, LOGIN if url.startswith("https:") else ())

    async def check(self) -> str:
        """Look whether there is a gh that is logged in and may push."""
        if not self._slug:
            message = "The project's repository is not on GitHub: its forge cannot be github."
            raise ForgeFailed(message)
        found = await gh_api("GET", f"repos/{self._slug}")
        if not (found.get("permissions") or {}).get("push"):
            raise ForgeFailed(f"gh may not push to {self._slug}: log in as somebody who may.")
        return f"gh reaches {self._slug} and may push."

    async def open(self, vault: Path, draft: Draft) -> Request:
        """Push the branch if it is ours, then open a draft or bring the open one up to date."""
        await self._push(vault, draft)
        found = await self._of_branch(draft)
        words: Document = {"title": draft.title, "body": draft.body}
        if found is not None:
            path = f"repos/{self._slug}/pulls/{found['number']}"
            return _request(await gh_api("PATCH", path, words))
        words |= {"head": draft.branch, "base": draft.base, "draft": True}
        path = f"repos/{self._slug}/pulls"
        try:
            return _request(await gh_api("POST", path, words))
        except GhFailed as failed:
            if failed.status != UNPROCESSABLE or "raft" not in failed.message:
                raise
        # Not every plan of GitHub has drafts.
        return _request(await gh_api("POST", path, words | {"draft": False}))

    async def merge(self, vault: Path, request: Request) -> Merged:
        """Have GitHub merge it with the head that was reviewed, unless it is merged."""
        done = await self.merged(vault, request)
        if done is not None:
            return done
        found = await self._get(request)
        self._check_open(found, request)
        if found.get("draft"):
            asked = {"query": READY, "variables": {"id": found["node_id"]}}
            await gh_api("POST", "graphql", asked)
        path = f"repos/{self._slug}/pulls/{request.number}/merge"
        try:
            await gh_api("PUT", path, {"sha": request.head, "merge_method": "merge"})
        except GhFailed as failed:
            raise _not_merged(failed) from failed
        done = await self.merged(vault, request)
        if done is None:
            raise NotMerged(REFUSED, "GitHub says it is merged, and the base does not have it.")
        return done._replace(by=INTERLOCK)

    async def merged(self, vault: Path, request: Request) -> Merged | None:
        """Look whether GitHub and git agree that it is merged."""
        found = await self._get(request)
        commit = str(found.get("merge_commit_sha") or "")
        if not found.get("merged") or not commit:
            return None
        if found["head"]["sha"] != request.head:
            message = f"Another head than {request.head[:12]} was merged: look at it."
            raise NotMerged(HEAD_MOVED, message)
        try:
            base = await fetch_base(vault, self._remote, request.base)
            is_there = await has(vault, commit) and await contains(vault, base, commit)
        except GitFailed as failed:
            raise ForgeFailed(f"The base branch cannot be read: {failed.message}") from failed
        return Merged(commit, base, OUTSIDE) if is_there else None

    async def _push(self, vault: Path, draft: Draft) -> None:
        ref = f"refs/heads/{draft.branch}"
        try:
            there = (await refs_of(self._remote, ref)).get(ref, "")
            if there and not await has(vault, there):
                message = f"Somebody else has pushed to {draft.branch}; it is not overwritten."
                raise ForgeFailed(message)
            if there != draft.head:
                await push(vault, self._remote, (Push(ref, draft.head, there),))
        except GitFailed as failed:
            raise ForgeFailed(f"It cannot be pushed: {failed.message}") from failed

    async def _of_branch(self, draft: Draft) -> Document | None:
        """Return the newest request of a branch, if it is open, or merged as it is."""
        owner = self._slug.partition("/")[0]
        asked = {
            "head": f"{owner}:{draft.branch}", "base": draft.base, "state": "all",
            "sort": "created", "direction": "desc", "per_page": "1",
        }  # fmt: skip
        rows = await gh_api("GET", f"repos/{self._slug}/pulls?{urlencode(asked)}")
        newest: Document | None = rows[0] if rows else None
        if newest is None:
            return None
        is_same = bool(newest.get("merged_at")) and newest["head"]["sha"] == draft.head
        return newest if newest["state"] == OPEN or is_same else None

    async def _get(self, request: Request) -> Document:
        found: Document = await gh_api("GET", f"repos/{self._slug}/pulls/{request.number}")
        return found

    def _check_open(self, found: Document, request: Request) -> None:
        if found["state"] != OPEN:
            raise NotMerged(REFUSED, f"Request #{request.number} was closed on GitHub.")
        head = str(found["head"]["sha"])
        if head != request.head:
            message = f"The request is at {head[:12]}, and {request.head[:12]} was reviewed."
            raise NotMerged(HEAD_MOVED, message)


def _request(found: Document) -> Request:
    state = DRAFT if found.get("draft") else OPEN
    if found["state"] != OPEN:
        state = MERGED if found.get("merged_at") else CLOSED
    return Request(
        int(found["number"]), str(found["html_url"]), state,
        str(found["head"]["sha"]), str(found["base"]["ref"]),
        str(found["head"]["ref"]),
    )  # fmt: skip


def _not_merged(failed: GhFailed) -> ForgeFailed:
    if failed.status == CONFLICTS:
        return NotMerged(HEAD_MOVED, failed.message)
    if failed.status == NOT_ALLOWED:
        return NotMerged(CONFLICT, failed.message)
    return failed
