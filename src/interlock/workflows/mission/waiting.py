"""What a live mission waits for: one row for each way to wait, who is to do what, and why.

It says what the rules let happen, and decides nothing; a test walks every state that can be
reached, and sends what is named here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from interlock.kernel.seen import Part, PartId
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.why import Wait
from interlock.workflows.mission.machines import ACTIVE_HOP, LIVE, WITH_HOP
from interlock.workflows.waits import AGENTS, ANYONE, PERSON, Row

TITLE_MAX: Final = 80
MESSAGE_MAX: Final = 300


# Where a mission's policy is relay, an agent may bring the decision of a person.
# fmt: off
STATES: Final[Mapping[str, Row]] = {
    "mission proposed":      Row(PERSON, ("accept_mission", "cancel_mission"), "The mission is proposed. Accept it, or cancel it."),
    "no proposal":           Row(AGENTS, ("propose_hop",), "There is no proposal of a next hop. Propose one; the first one wins."),
    "goal reached":          Row(PERSON, ("complete_early", "create_hop"), "Every output is ready. Complete the mission, or write another hop.", is_own=True),
    "proposal pending":      Row(PERSON, ("accept_hop", "reject_hop"), "{hop} is proposed. Accept its concept, or reject it."),
    "changes asked for":     Row(AGENTS, ("claim_hop",), "Changes were asked for in {hop}. Take it up, and revise it with revise_hop."),
    "proposal revised":      Row(PERSON, ("accept_hop", "cancel_hop"), "{hop} was sent back and written anew. Accept its concept, or cancel it with its mission."),
    "revision under way":    Row(AGENTS, ("revise_hop", "release_hop"), "{holder} has {hop}, to revise it. Hand the proposal in, or give it back."),
    "to be resolved":        Row(AGENTS, ("claim_hop",), "{hop} is accepted. Take it up, and hand in its chain of tool steps with submit_resolution."),
    "resolution under way":  Row(AGENTS, ("complete_resolution", "resolution_failed"), "{holder} has {hop}, to resolve it. Hand its chain of tool steps in, or say that there is none."),
    "resolver silent":       Row(AGENTS, ("claim_hop",), "{holder} had {hop} and was not heard from any more. Take it up."),
    "design shown":          Row(PERSON, ("execute_hop", "request_changes"), "The design of {hop} is there. Execute it, or ask for changes."),
    "input missing":         Row(ANYONE, ("set_asset",), "{hop} needs {asset}, which is {status}. Supply its content."),
    "step to be run":        Row(AGENTS, ("claim_tool_step",), "{step} is to be run, and nobody has taken it. Take it; where no worker runs, start one: interlock worker --tools."),
    "step blocked":          Row(ANYONE, ("set_asset",), "{step} takes {asset}, which is {status}. Supply its content, else the step fails when it is to start."),
    "step runs":             Row(AGENTS, ("submit_tool_result", "release_tool_step"), "{holder} runs {step}, attempt {attempt} of {tries_max}. Hand in what comes of it."),
    "step tried again":      Row(AGENTS, ("submit_tool_result", "release_tool_step"), "{holder} tries {step} again, attempt {attempt} of {tries_max}, after {error}. Hand in what comes of it."),
    "runner lost":           Row(AGENTS, ("claim_tool_step",), "{step} runs, but nobody has it any more: {error}. Take it up for attempt {attempt} of {tries_max}; where no worker runs, start one: interlock worker --tools."),
    "held":                  Row(PERSON, ("fix_hop", "abandon_recovery"), "{failed} failed: {error}. Have {hop} resolved anew, or give it up, and the mission fails."),
}
# fmt: on
"""Every way in which a live mission can wait."""


def waiting(snapshot: Snapshot) -> tuple[Wait, ...]:
    """Return what a mission waits for; nothing once it has ended."""
    if snapshot.unit.status not in LIVE:
        return ()
    return tuple(_Told(snapshot).all())


@dataclass(slots=True)
class _Told:
    """Tells what one mission waits for."""

    snapshot: Snapshot

    def all(self) -> Iterator[Wait]:
        """Return everything; what lets it go on comes first."""
        if self.snapshot.unit.status in WITH_HOP and not self._has_current():
            return iter(())  # a snapshot that somebody has written, and no mission
        if self.fields["held"]:
            return self._held()
        stands: Mapping[str, Callable[[], Iterator[Wait]]] = {
            "PROPOSED": self._proposed,
            "READY_FOR_NEXT_HOP": self._ready,
            "BUILDING_HOP": self._building,
            "HOP_READY_TO_EXECUTE": self._designed,
            "EXECUTING_HOP": self._executing,
        }
        return stands[self.snapshot.unit.status]()

    @property
    def fields(self) -> Mapping[str, object]:
        """What the mission knows."""
        return self.snapshot.unit.fields

    def _has_current(self) -> bool:
        return self.fields["current"] in [self.snapshot.name(p) for p in self._places("hop")]

    @property
    def _current(self) -> PartId:
        return cast("PartId", self.fields["current"])

    # -- one for each status -------------------------------------------------------------------

    def _proposed(self) -> Iterator[Wait]:
        yield self._wait("mission proposed", None)

    def _ready(self) -> Iterator[Wait]:
        pending = [p for p in self._places("hop") if self._at(p).status in ACTIVE_HOP]
        if pending:
            name = self.snapshot.name(pending[0])
            yield self._wait("proposal pending", name, hop=self._hop(name))
            return
        yield self._wait("no proposal", None)
        is_done = any(self._at(p).status == "COMPLETED" for p in self._places("hop"))
        outputs, ready = (set(cast("tuple[object, ...]", self.fields[n])) for n in _GOAL)
        if is_done and outputs <= ready:
            yield self._wait("goal reached", None)

    def _building(self) -> Iterator[Wait]:
        name = self._current
        part = self.snapshot.part(name)
        holder, hop = part.fields["holder"], self._hop(name)
        if part.status == "READY_TO_RESOLVE":
            state = "resolution under way" if holder else "to be resolved"
        elif part.fields["is_asked"]:
            state = "revision under way" if holder else "changes asked for"
        else:
            state = "proposal revised"
        if holder and part.fields["lapsed"]:
            state = "resolver silent"
        yield self._wait(state, name, hop=hop, holder=str(holder))
        yield from self._inputs(part, hop)

    def _designed(self) -> Iterator[Wait]:
        name = self._current
        hop = self._hop(name)
        # A design whose inputs are not there goes back when it is executed.
        yield from self._inputs(self.snapshot.part(name), hop)
        yield self._wait("design shown", name, hop=hop)

    def _executing(self) -> Iterator[Wait]:
        steps = [p for p in self._places("tool_step") if self._at(p).parent == self._current]
        running = [p for p in steps if self._at(p).status == "EXECUTING"]
        left = [p for p in steps if self._at(p).status == "READY_TO_EXECUTE"]
        for place in (running or left)[:1]:
            name, part = self.snapshot.name(place), self._at(place)
            told = {"step": self._step(name, steps), **_attempt(part, self.fields)}
            if part.status == "EXECUTING":
                yield self._wait(_running(part), name, **told)
                continue
            yield from self._blocked(part, told["step"])
            yield self._wait("step to be run", name, **told)

    def _held(self) -> Iterator[Wait]:
        name = self._current
        steps = [p for p in self._places("tool_step") if self._at(p).parent == name]
        failed, error = self._hop(name), self.snapshot.part(name).fields["error"]
        for place in steps:
            if self._at(place).status == "FAILED":
                failed = self._step(self.snapshot.name(place), steps)
                error = self._at(place).fields["error"] or error
                break
        yield self._wait("held", name, failed=failed, hop=self._hop(name), error=_error(error))

    # -- what is missing -----------------------------------------------------------------------

    def _inputs(self, hop: Part, told: str) -> Iterator[Wait]:
        """Tell the assets that a hop needs and that are not ready."""
        for name in cast("tuple[PartId, ...]", hop.fields["inputs"]):
            yield from self._asset("input missing", name, {"hop": told})

    def _blocked(self, step: Part, told: str) -> Iterator[Wait]:
        """Tell the assets that a tool step takes and that nobody is about to make."""
        for name in step.needs:
            if self.snapshot.part(name).kind == "asset":
                yield from self._asset("step blocked", name, {"step": told})

    def _asset(self, state: str, name: PartId, told: Mapping[str, str]) -> Iterator[Wait]:
        asset = self.snapshot.part(name)
        if asset.status not in ("READY", "IN_PROGRESS"):
            title = _quoted(asset) or str(name)
            yield self._wait(state, name, asset=f"asset {title}", status=asset.status, **told)

    # -- words ---------------------------------------------------------------------------------

    def _wait(self, state: str, part: PartId | None, **told: str) -> Wait:
        return STATES[state].wait(state, part, self.fields["policy"], told)

    def _hop(self, name: PartId) -> str:
        part = self.snapshot.part(name)
        return f"hop {part.fields['sequence'] or name} {_quoted(part)}".rstrip()

    def _step(self, name: PartId, steps: list[int]) -> str:
        part = self.snapshot.part(name)
        number = [self.snapshot.name(place) for place in steps].index(name) + 1
        tool = part.fields["tool"]
        said = f" ({str(tool)[:TITLE_MAX]})" if tool else ""
        return f"tool step {number}{said} of {self._hop(self._current)}"

    def _places(self, kind: str) -> tuple[int, ...]:
        return self.snapshot.of_kind(kind)

    def _at(self, place: int) -> Part:
        return self.snapshot.parts[place]


_GOAL: Final = ("outputs", "ready")


def _running(part: Part) -> str:
    if not part.fields["holder"]:
        return "runner lost"
    return "step tried again" if part.fields["tries"] else "step runs"


def _attempt(part: Part, unit: Mapping[str, object]) -> dict[str, str]:
    tries = cast("int", part.fields["tries"])
    return {
        "holder": str(part.fields["holder"]),
        "attempt": str(tries + 1),
        "tries_max": str(unit["tries_max"]),
        "error": _error(part.fields["error"]),
    }


def _quoted(part: Part) -> str:
    title = part.fields["name"]
    return f"“{str(title)[:TITLE_MAX]}”" if title else ""


def _error(error: object) -> str:
    """Say what failed, of which class it was first."""
    if not isinstance(error, Mapping):
        return str(error or "no reason was given")[:MESSAGE_MAX]
    message = str(error.get("message") or "no reason was given")[:MESSAGE_MAX].rstrip(".")
    return f"{error['class']}: {message}" if error.get("class") else message
