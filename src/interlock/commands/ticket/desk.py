"""Work on the desk, an assignment or a bead: its ticket, its task, and where the ticket stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from interlock.commands.row import Call
from interlock.commands.ticket.papers import Papers
from interlock.service.errors import NotFound
from interlock.service.read import read_unit
from interlock.service.some import read_some
from interlock.store.rows import PartRow
from interlock.ticketing.checked import Json, rows
from interlock.ticketing.tasks import Task, task_of
from interlock.ticketing.vote import shuffled
from interlock.workflows.ticket.coverage import AUDITS_MAX
from interlock.workflows.ticket.coverage import INTERVIEW as AUDITING_INTERVIEW
from interlock.workflows.ticket.phases import BY_NAME

CODING: Final = "CODING"
BEAD: Final = "bead"
WORKED_ON: Final = ("assignment", BEAD)
"""The kinds of parts that are handed out."""


@dataclass(frozen=True, slots=True)
class Desk(Papers):
    """An assignment or a bead, and the ticket around it."""

    part: PartRow
    task: Task

    @property
    def phase(self) -> str:
        """The phase it was offered in; the ticket may have gone on."""
        return str(self.part.part.fields.get("phase", CODING))

    @property
    def place(self) -> int:
        """The place of the member whose work it is."""
        return cast("int", self.part.part.fields.get("place", 0))

    @property
    def member(self) -> Json:
        """The member whose work it is; empty for work of the worker's own hands."""
        if not self.part.part.fields["member"]:
            return {}
        members = rows(self.config, "members")
        return members[self.place] if self.place < len(members) else {}

    @property
    def attempt(self) -> int:
        """Which attempt this is, from 1."""
        return cast("int", self.part.part.fields["tries"]) + 1

    @property
    def notes(self) -> tuple[Json, ...]:
        """What was learnt from attempts that failed."""
        return tuple(cast("Sequence[Json]", self.part.part.fields["notes"]))

    async def bead(self) -> Json:
        """Return what the blueprint says of the bead; raises ``NotFound``."""
        key = self.part.part.fields.get("key")
        found = rows(await self.document("beads"), "beads")
        for row in found:
            if row["id"] == key:
                return row
        raise NotFound(f"{self.unit.id}: bead {key}")

    async def green(self) -> Json | None:
        """Return the bead whose green attempt is only to be committed, with its tree, if any."""
        if self.part.part.kind == BEAD:
            return self._green_of(self.part)
        read = await read_unit(self.call.engine, self.call.tenant, self.unit.id)
        failed = [one for one in read.whole.parts if one.part.status == "error"]
        return self._green_of(failed[0]) if len(failed) == 1 else None

    def _green_of(self, bead: PartRow) -> Json | None:
        found = cast("Json", bead.part.fields["green"] or {})
        # Built on another commit than the ticket's head it is green no more.
        if not found.get("tree") or found.get("parent") != self.tree.get("head"):
            return None
        return {"bead": bead.part.fields["key"], "tree": found["tree"]}

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
    """Read an assignment or a bead with its ticket; raises ``NotFound`` for any other part."""
    some = await read_some(call.engine, call.tenant, name)
    if some.part is None or some.part.part.kind not in WORKED_ON:
        raise NotFound(name)
    if some.part.part.kind == BEAD:
        return Desk(call, some, some.part, task_of("", "code"))
    phase = BY_NAME[str(some.part.part.fields["phase"])]
    return Desk(call, some, some.part, task_of(phase.group, phase.task))
