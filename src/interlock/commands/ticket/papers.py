"""A ticket with its papers: what it was locked to, and its documents, read when they are asked for.

Read once at one version of the ticket, so that everything that is done with it speaks of the same.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import cast

from interlock.commands.row import Call
from interlock.commands.ticket.words import documents_of
from interlock.service.errors import NotFound
from interlock.service.some import Some, read_some
from interlock.store.errors import CorruptState
from interlock.store.rows import UnitRow
from interlock.ticketing import canonical, interview_document, session_json
from interlock.ticketing.checked import Json, rows
from interlock.ticketing.full_answers import filled
from interlock.ticketing.interview import FOLLOW_UP_PERCENT, QUESTIONS_MAX, follow_ups_max
from interlock.ticketing.session import Session


@dataclass(frozen=True, slots=True)
class Papers:
    """A ticket and what is kept of it."""

    call: Call
    some: Some

    @property
    def unit(self) -> UnitRow:
        """The ticket."""
        return self.some.unit

    @property
    def fields(self) -> Mapping[str, object]:
        """What the ticket holds."""
        return self.unit.unit.fields

    @property
    def config(self) -> Json:
        """What the start of the ticket has locked."""
        return cast("Json", self.fields["config"] or {})

    @property
    def limits(self) -> Mapping[str, int]:
        """How much, how long and how often."""
        return cast("Mapping[str, int]", self.config.get("limits") or {})

    @property
    def is_parallel(self) -> bool:
        """Whether several beads may be built at once."""
        return cast("int", self.fields["parallel"]) > 1

    @property
    def tree(self) -> Json:
        """The ticket's tree: branch, base commit, head, and candidate once there is one."""
        return cast("Json", self.fields["tree"] or {})

    def name_of(self, place: int) -> str:
        """Return what a member is called."""
        return cast("Sequence[str]", self.fields["roster"])[place]

    @property
    def winner(self) -> int:
        """The place of whoever has won the last vote."""
        return cast("int", self.fields["winner"])

    @property
    def questions_max(self) -> int:
        """How many questions the interview may begin with."""
        return self.limits.get("questions_max") or QUESTIONS_MAX

    @property
    def follow_up_budget(self) -> int:
        """How many questions may follow up."""
        percent = self.limits.get("follow_up_percent", FOLLOW_UP_PERCENT)
        return follow_ups_max(self.questions_max, percent)

    # -- documents -----------------------------------------------------------------------------

    async def by_digest(self, digest: str) -> str:
        """Read a text by its digest; empty where none is named, raises where it is not that."""
        if not digest:
            return ""
        content = await self.call.engine.store.content(self.call.tenant, digest)
        if content is None or sha256(content).hexdigest() != digest:
            # Nothing is made of what is left: a line that is gone could be the one that matters.
            how = "gone" if content is None else "damaged"
            raise CorruptState(self.unit.id, f"its document {digest} is {how}")
        return content.decode()

    def text_is_there(self, name: str) -> bool:
        """Say whether there is a document of a name."""
        return name in documents_of(self.unit)

    async def text(self, name: str) -> str:
        """Read the latest version of a document as text; empty where there is none yet."""
        return await self.by_digest(documents_of(self.unit).get(name, ""))

    async def document(self, name: str) -> dict[str, object]:
        """Read the latest version of a document; raises ``NotFound`` where there is none."""
        text = await self.text(name)
        if not text:
            raise NotFound(f"{self.unit.id}: {name}")
        return canonical.read(text)

    async def session(self) -> Session:
        """Read the interview as it stands; raises ``NotFound`` where there is none yet."""
        text = await self.text("session")
        if not text:
            raise NotFound(f"{self.unit.id}: interview")
        return session_json.restored(json.loads(text))

    def interview_text(self, session: Session) -> str:
        """Return the canonical interview, which is always ours."""
        winner = self.name_of(self.winner)
        return canonical.write(interview_document.document(session, self.unit.id, winner))

    async def drafts(self) -> dict[int, Json]:
        """Read what members have drafted in this round, by their places."""
        digests = cast("Sequence[str]", self.fields["drafts"])
        return {
            place: cast("Json", json.loads(await self.by_digest(digest)))
            for place, digest in enumerate(digests)
            if digest
        }

    async def full_answers(self, place: int) -> dict[str, object]:
        """Return the interview with the gaps filled as a member has filled them."""
        draft = (await self.drafts())[place]
        interview = await self.document("interview")
        return filled(interview, rows(draft, "full_answers"), self.unit.changed_at)


async def papers_of(call: Call, name: str) -> Papers:
    """Read a ticket; raises ``NotFound``."""
    return Papers(call, await read_some(call.engine, call.tenant, name))
