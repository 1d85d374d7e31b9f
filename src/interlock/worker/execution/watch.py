"""Requests that wait for a review are looked at now and then: somebody may merge one elsewhere.

Only requests that were opened from here are watched, so each is watched by one site. That it was
merged is said by git and not by the forge alone; then the server is told, which decides what it
means.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from interlock.errors import InterlockError
from interlock.worker.forges.chosen import forge_of
from interlock.worker.forges.forge import ForgeFailed, Merged, NotMerged, Request
from interlock.worker.journal import Once
from interlock.worker.told import Told, section
from interlock.worker.workspace.files import put_json, read_json
from interlock.worker.workspace.room import Site
from interlock.worker.workspace.tree import Tree
from interlock.worker.workspace.trouble import NoWorkspace

NAME: Final = "request.json"
REVIEW: Final = "WAITING_PR_REVIEW"
ENDED: Final = ("COMPLETED", "CANCELED")
FIRST_S: Final = 30.0
MOST_S: Final = 300.0

log: Final = logging.getLogger("interlock.worker")


@dataclass(slots=True)
class Patient:
    """How long a ticket is left alone before it is looked at again."""

    due_s: float = 0.0
    pause_s: float = FIRST_S


def remember(tree: Tree, forge: str, repository: str) -> None:
    """Write down that there is a request of a ticket to look after, and where."""
    put_json(_path(tree), {"forge": forge, "repository": repository})


def _path(tree: Tree) -> Path:
    return tree.place.folder / NAME


@asynccontextmanager
async def watched(watch: "Watch") -> AsyncIterator[None]:
    """Have requests looked after beside what is done meanwhile."""
    running = asyncio.create_task(watch.run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@dataclass(slots=True)
class Watch:
    """Looks after the requests of one site."""

    site: Site
    once: Once
    first_s: float = FIRST_S
    most_s: float = MOST_S
    _known: dict[str, Patient] = field(default_factory=dict)

    async def run(self) -> None:
        """Look for as long as the worker works."""
        while True:
            await asyncio.sleep(self.first_s)
            await self.look()

    async def look(self) -> int:
        """Look at what is due; return how many merges were told."""
        now = asyncio.get_running_loop().time()
        told = 0
        for ticket in await asyncio.to_thread(self.site.trees):
            patient = self._known.setdefault(ticket, Patient(0.0, self.first_s))
            told_of = await asyncio.to_thread(read_json, _path(self.site.tree(ticket)))
            if patient.due_s > now or not told_of:
                continue
            told += await self._look_at(ticket, told_of)
            patient.due_s = now + patient.pause_s
            patient.pause_s = min(2 * patient.pause_s, self.most_s)
        return told

    async def _look_at(self, ticket: str, told: Mapping[str, object]) -> bool:
        try:
            answer = await self.once("ticket_status", {"ticket_id": ticket})
            if answer.status in ENDED:
                await asyncio.to_thread(_path(self.site.tree(ticket)).unlink, missing_ok=True)
            if answer.status != REVIEW:
                return False
            return await self._merged(ticket, told, section(answer.data, "pull_request"))
        except (InterlockError, ForgeFailed, NoWorkspace) as no:
            log.debug("%s cannot be looked after now: %s", ticket, no)
            return False

    async def _merged(self, ticket: str, told: Told, pull: Told) -> bool:
        tree = self.site.tree(ticket)
        request = Request(
            int(pull.get("number") or 0), str(pull.get("url", "")), str(pull.get("state", "")),
            str(pull.get("head", "")), str(pull.get("base", "")), tree.branch,
        )  # fmt: skip
        forge = forge_of(str(told.get("forge", "")), str(told.get("repository", "")))
        try:
            done = await forge.merged(await tree.sealed(), request)
        except NotMerged as no:
            log.warning("%s: %s", ticket, no.message)
            return False
        return done is not None and await self._tell(ticket, request, done)

    async def _tell(self, ticket: str, request: Request, done: Merged) -> bool:
        await self.once(
            "report_merge",
            {
                "ticket_id": ticket, "merge_commit": done.merge_commit,
                "base_head": done.base_head, "head": request.head,
            },
        )  # fmt: skip
        log.info("%s was merged outside, by %s", ticket, done.merge_commit[:12])
        return True
