"""A campaign: start a child, kill it, start the next on the same data, and judge in the end.

What varies is drawn from a seed. When a kill hits is up to the machine all the same, so a seed
repeats what was tried, not what happened.
"""

import os
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from interlock.clock import SystemClock
from interlock.service.engine import Engine, running
from interlock.workflows.built_in import WORKFLOWS
from tests.crash.child import AT_WORK, Spec
from tests.crash.journal import Line, read
from tests.crash.judge import judge
from tests.crash.nursery import Child, Nursery
from tests.crash.places import open_store
from tests.crash.points import BY_LOOP, CHECKPOINT, MIGRATE, MIGRATING, SERVICE, VERSION

CLIENTS = tuple(f"client{number}" for number in range(6))
LATEST_S = 0.25
EARLY_SHARE = 0.1
TURNS = {MIGRATE: 12, VERSION: 4, CHECKPOINT: 30}
TURNS |= {"before the heartbeat": 3, "before the heartbeat, alone": 3}
TURNS_ELSE = 25
# Nothing above the service may be loaded in the process that is killed.
NOT_LOADED = ("interlock.cli", "interlock.doors", "interlock.app", "interlock.commands")


@dataclass(slots=True)
class Report:
    """What a campaign came to."""

    seed: int
    kills: int = 0
    # Kills that left at least one intent without an answer.
    in_flight: int = 0
    points: Counter[str] = field(default_factory=Counter)
    journal: dict[str, Line] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        """Say it in one line."""
        outcomes = [line.outcome for line in self.journal.values() if line.outcome]
        acked = sum(not outcome.refused for outcome in outcomes)
        unheard = sum(outcome.is_replay for outcome in outcomes)
        return (
            f"seed {self.seed}: {self.kills} kills, {self.in_flight} with open intents, points"
            f" {dict(self.points)}, {len(self.journal)} intents, {acked} acked,"
            f" {len(outcomes) - acked} refused, {unheard} committed and not heard of,"
            f" {len(self.findings)} findings, {self.seconds:.1f} s"
        )


@dataclass(slots=True)
class Campaign:
    """Kills on one place, one after the other."""

    nursery: Nursery
    folder: Path
    place: str
    seed: int
    bug: str = ""
    chance: random.Random = field(init=False)
    report: Report = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 (repeatable on purpose)
        self.report = Report(self.seed)

    @property
    def journal(self) -> Path:
        """Where the children write down what they do."""
        return self.folder / "journal"

    def kill(self, point: str = "") -> None:
        """Start a child and kill it: at a point, or at any moment."""
        spec = self.spec(point)
        begun = len(read(self.journal))
        child = self.nursery.start(spec)
        hello = child.told()
        assert hello is not None
        assert not [name for name in hello["modules"] if name.startswith(NOT_LOADED)]
        is_at_work = self._wait(child, point)
        assert child.kill() == -signal.SIGKILL
        lines = read(self.journal)
        is_open = any(line.outcome is None for line in lines.values())
        self.report.kills += 1
        self.report.in_flight += is_open and (is_at_work or len(lines) > begun)
        self.report.points[point or "any moment"] += 1

    def _wait(self, child: Child, point: str) -> bool:
        """Wait until the child stands where it is to be killed; say if its clients are at work."""
        is_early = not point and self.chance.random() < EARLY_SHARE
        told = None if is_early else child.told()
        is_at_work = told == AT_WORK
        if not point:
            assert child.told(self.chance.uniform(0, LATEST_S)) in (None, AT_WORK)
        else:
            assert (child.told() if is_at_work else told) == {"point": point}
        return is_at_work

    def spec(self, point: str = "", seconds: float = 0.0, rest_s: float = 0.0) -> Spec:
        """Say what the next child is to do."""
        turn = self.chance.randint(1, TURNS.get(point, TURNS_ELSE))
        # A command comes alone where there is nobody else.
        clients = CLIENTS[:1] if point in BY_LOOP else CLIENTS
        return Spec(
            self.place, str(self.journal), str(self.folder / "told"),
            self.chance.getrandbits(32), clients, (), seconds, point, turn, self.bug, rest_s=rest_s,
        )  # fmt: skip

    def finish(self) -> None:
        """Let a last child answer what is open, and end in peace."""
        child = self.nursery.start(self.spec(seconds=0.01))
        messages = [child.told(), child.told(), child.told()]
        assert child.end() == 0
        assert messages[2] is not None
        assert messages[2]["done"]["failures"] == []

    async def judge(self) -> Report:
        """Compare what was written down with what the store holds."""
        clock = SystemClock()
        store = await open_store(self.place, clock)
        self.report.journal = read(self.journal)
        engine = Engine(store, clock, running(WORKFLOWS))
        self.report.findings = await judge(engine, self.report.journal)
        await store.close()
        return self.report


def order_of_points(kills: int, chance: random.Random) -> list[str]:
    """Return where each kill hits: every point of a service once in fifty, then any moment, mixed.

    Migrations come first: later there is nothing left to migrate.
    """
    often = max(1, kills // 50)
    labelled = [point for point in SERVICE if point not in MIGRATING] * often
    migrating = [*MIGRATING] * often
    rest = [""] * max(0, kills - len(labelled) - len(migrating))
    mixed = labelled + rest
    chance.shuffle(mixed)
    return migrating + mixed


def wanted(name: str, usual: int) -> int:
    """Return a figure from the environment, so that a long run can ask for more."""
    return int(os.environ.get(name, usual))


def stopwatch() -> float:
    """Return seconds since whenever."""
    return time.monotonic()
