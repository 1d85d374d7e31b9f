"""An assignment on the desk: the ticket it belongs to, its task, and what both hang on.

Read once at one version of the ticket, so that what is handed out and what is taken in speak of
the same. What a task is about is in ``tasks``; documents are read when they are asked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from interlock.commands.row import Call
from interlock.commands.ticket.kept import document_of, drafts_of, session_of
from interlock.service.errors import NotFound
from interlock.service.some import Some, read_some
from interlock.store.rows import PartRow, UnitRow
from interlock.ticketing import canonical, session_json
from interlock.ticketing.checked import Json, rows
from interlock.ticketing.full_answers import filled
from interlock.ticketing.interview import QUESTIONS_MAX, follow_ups_max
from interlock.ticketing.session import Session
from interlock.ticketing.tasks import Task, task_of
from interlock.ticketing.vote import shuffled
from interlock.workflows.ticket.coverage import AUDITS_MAX
from interlock.workflows.ticket.coverage import INTERVIEW as AUDITING_INTERVIEW
from interlock.workflows.ticket.phases import BY_NAME


@dataclass(frozen=True, slots=True)
class Desk:
    """An assignment, and the ticket around it."""

    call: Call
    some: Some
    part: PartRow
    task: Task

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
    def phase(self) -> str:
        """The phase it was offered in; the ticket may have gone on."""
        return str(self.part.part.fields["phase"])

    @property
    def place(self) -> int:
        """The place of the member whose work it is."""
        return cast("int", self.part.part.fields["place"])

    @property
    def member(self) -> Json:
        """The member whose work it is; empty for work of the worker's own hands."""
        if not self.part.part.fields["member"]:
            return {}
        return rows(self.config, "members")[self.place]

    def name_of(self, place: int) -> str:
        """Return what a member is called."""
        return cast("Sequence[str]", self.fields["roster"])[place]

    @property
    def winner(self) -> int:
        """The place of whoever has won the last vote."""
        return cast("int", self.fields["winner"])

    # -- caps ----------------------------------------------------------------------------------

    @property
    def questions_max(self) -> int:
        """How many questions the interview may begin with."""
        return self.limits.get("questions_max") or QUESTIONS_MAX

    @property
    def follow_up_budget(self) -> int:
        """How many questions may follow up."""
        return follow_ups_max(self.questions_max, self.limits.get("follow_up_percent", 20))

    @property
    def audits_max(self) -> int:
        """How many audits there are at most."""
        return AUDITS_MAX.get(self.phase, 0)

    @property
    def audit_number(self) -> int:
        """Which audit this is, from 1."""
        is_interview = self.phase == AUDITING_INTERVIEW
        return cast("int", self.fields["interview_audits" if is_interview else "audits"]) + 1

    @property
    def is_last_audit(self) -> bool:
        """Whether no further audit follows."""
        return self.audit_number >= self.audits_max

    # -- the vote ------------------------------------------------------------------------------

    @property
    def seed(self) -> str:
        """What the order of the drafts follows from that this voter is shown."""
        return f"{self.fields['seed']}/{self.phase}/{self.place}"

    @property
    def drafted(self) -> tuple[int, ...]:
        """The places of the members who have drafted."""
        drafts = cast("Sequence[str]", self.fields["drafts"])
        return tuple(place for place, digest in enumerate(drafts) if digest)

    @property
    def order(self) -> tuple[int, ...]:
        """The drafts as this voter is shown them: the first is "Draft 1"."""
        return shuffled(self.seed, self.drafted)

    # -- documents -----------------------------------------------------------------------------

    async def document(self, name: str) -> dict[str, object]:
        """Read the latest version of a document; raises ``NotFound`` where there is none."""
        text = await document_of(self.call, self.unit, name)
        if not text:
            raise NotFound(f"{self.unit.id}: {name}")
        return dict(canonical.read(text))

    async def text(self, name: str) -> str:
        """Read the latest version of a document as text; empty where there is none."""
        return await document_of(self.call, self.unit, name)

    async def session(self) -> Session:
        """Read the interview as it stands."""
        return session_json.restored(await session_of(self.call, self.unit))

    async def drafts(self) -> dict[int, Json]:
        """Read what members have drafted in this round, by their places."""
        return await drafts_of(self.call, self.unit)

    async def full_answers(self, place: int) -> dict[str, object]:
        """Return the interview with the gaps filled as a member has filled them."""
        draft = (await self.drafts())[place]
        interview = await self.document("interview")
        return filled(interview, rows(draft, "full_answers"), self.unit.changed_at)


async def desk_of(call: Call, name: str) -> Desk:
    """Read an assignment with its ticket; raises ``NotFound`` for any other part."""
    some = await read_some(call.engine, call.tenant, name)
    if some.part is None or some.part.part.kind != "assignment":
        raise NotFound(name)
    phase = BY_NAME[str(some.part.part.fields["phase"])]
    return Desk(call, some, some.part, task_of(phase.group, phase.task))
