"""A ticket that is sent through its phases, call by call, with the same ``decide`` as the engine."""

from interlock.kernel.decide import decide
from interlock.kernel.entries import Move
from interlock.kernel.look import look, next_part
from interlock.kernel.replay import apply
from interlock.kernel.seen import Actor, Event, PartId
from interlock.kernel.snapshot import Snapshot
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.story import Story, given

AGENT = Actor("agent", "me", "me")
PERSON = Actor("user", "ann", "ann")
CLOCK = Actor("system", "clock", "clock")


class Journey:
    """A ticket under way. ``signals`` are the ticket's own events so far."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Begin where the snapshot stands."""
        self.snapshot = snapshot
        self.signals: list[str] = []
        self._made = 0

    @classmethod
    def at(cls, phase: str, *, beads: str = "", work: str = "", **fields: object) -> "Journey":
        """Begin in a phase, with parts and fields as a story gives them."""
        return cls(given(WORKFLOW, Story("", phase, "", beads=beads, work=work, fields=fields)))

    @property
    def phase(self) -> str:
        """Where the ticket is."""
        return self.snapshot.unit.status

    def send(
        self, call: str, actor: Actor, part: PartId | None = None, **args: object
    ) -> "Journey":
        """Send one call; a refusal is raised."""
        event = Event(call, actor, part, args)
        decision = decide(WORKFLOW, look(WORKFLOW, self.snapshot, event), event)
        moves = (e for e in decision.entries if isinstance(e, Move) and e.who == "unit")
        self.signals += [move.signal for move in moves]
        self.snapshot = apply(WORKFLOW, self.snapshot, decision, self._name)
        return self

    def person(self, call: str, **args: object) -> "Journey":
        """Send what a person decides."""
        return self.send(call, PERSON, None, **args)

    def clock(self, call: str, **args: object) -> "Journey":
        """Send what the clock says."""
        return self.send(call, CLOCK, None, **args)

    def take(self, kind: str) -> PartId:
        """Claim what the queue of a kind hands out."""
        row = WORKFLOW.kind(kind)
        part = next_part(WORKFLOW, self.snapshot, row)
        assert part is not None, f"nothing to claim in {self.phase}"
        self.send(row.claim, AGENT, part)
        return part

    def answer(self, **args: object) -> "Journey":
        """Claim the next assignment and answer it."""
        part = self.take("assignment")
        return self.send("submit_work", AGENT, part, **args)

    def code(self) -> "Journey":
        """Claim the next bead and make it green."""
        part = self.take("bead")
        return self.send("submit_bead", AGENT, part)

    def _name(self, kind: str, _: int) -> str:
        self._made += 1
        return f"{kind} {self._made}"
