"""An assignment on the desk: the ticket it belongs to, its task, and where the ticket stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from interlock.commands.row import Call
from interlock.commands.ticket.papers import Papers
from interlock.service.errors import NotFound
from interlock.service.some import read_some
from interlock.store.rows import PartRow
from interlock.ticketing.checked import Json, rows
from interlock.ticketing.tasks import Task, task_of
from interlock.ticketing.vote import shuffled
from interlock.workflows.ticket.coverage import AUDITS_MAX
from interlock.workflows.ticket.coverage import INTERVIEW as AUDITING_INTERVIEW
from interlock.workflows.ticket.phases import BY_NAME


@dataclass(frozen=True, slots=True)
class Desk(Papers):
    """An assignment, and the ticket around it."""

    part: PartRow
    task: Task

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
        members = rows(self.config, "members")
        return members[self.place] if self.place < len(members) else {}

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


async def desk_of(call: Call, name: str) -> Desk:
    """Read an assignment with its ticket; raises ``NotFound`` for any other part."""
    some = await read_some(call.engine, call.tenant, name)
    if some.part is None or some.part.part.kind != "assignment":
        raise NotFound(name)
    phase = BY_NAME[str(some.part.part.fields["phase"])]
    return Desk(call, some, some.part, task_of(phase.group, phase.task))
