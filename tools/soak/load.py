"""The load: clients of all doors that call a server at a steady pace, in threads of their own.

Over REST and MCP plans are made, claimed, submitted, read and refused, most of them to their end;
a person proposes missions and cancels them, makes tokens and revokes them; somebody reads the pages
over and over; one follows the stream of events. Connections are opened anew for every plan, as
clients come and go. A call that fails otherwise than it should ends the soak.
"""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from statistics import quantiles
from typing import Any, Final, Self

from tools.bench.mcp_callers import PATIENCE_S, Plain, claim, new_plan, submit
from tools.bench.payload import SUMMARY, brought

STEPS: Final = 16
"""The steps of a plan: long enough that making plans is not the load, short enough to end."""
LEFT_EVERY: Final = 4
"""Of so many plans one is left in the middle, and stays among what is remembered."""
WARM: Final = 3_000
"""Commands before anything is looked at, so that every kind of call was made many times."""
FAST: Final = 10_000.0
LOOK_EVERY: Final = 10
"""Of so many steps one is looked at from all sides, and handed in with a wrong lease first."""
PAGES: Final = (
    "/",
    "/board",
    "/units/{plan}",
    "/units/{plan}/artifacts",
    "/audit",
    "/health",
    "/calls",
)
CONFLICTS: Final = (403, 404, 409)

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Door:
    """Where a server is, and what lets one in: an agent, a reader of pages, a person, a gauge."""

    port: int
    token: str
    cookie: str
    person: str = ""
    gauge: str = ""


class Tally:
    """How many calls were answered, and how long each took since somebody looked."""

    def __init__(self) -> None:
        """Begin with none."""
        self.commands = 0
        self._took: list[float] = []
        self._lock = threading.Lock()

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Time one call."""
        begun = time.perf_counter()
        yield
        took = time.perf_counter() - begun
        with self._lock:
            self.commands += 1
            self._took.append(took)

    def taken(self) -> tuple[int, float, float]:
        """Return the calls so far, and p50 and p99 in milliseconds since this was asked last."""
        with self._lock:
            took, self._took = self._took, []
            commands = self.commands
        if len(took) < 2:  # noqa: PLR2004 (of one there are no quantiles)
            return commands, 0.0, 0.0
        cuts = quantiles(took, n=100, method="inclusive")
        return commands, cuts[49] * 1000, cuts[98] * 1000


class Pace:
    """Lets a caller go on when it is due, and not more often."""

    def __init__(self, per_s: float, stop: threading.Event) -> None:
        """Go on so many times a second, until everybody stops."""
        self._every, self._stop = 1 / per_s, stop
        self._next = time.monotonic()

    def wait(self) -> None:
        """Wait until the next call is due."""
        self._next = max(self._next + self._every, time.monotonic() - 1)
        if self._stop.wait(max(0.0, self._next - time.monotonic())):
            raise Stopped


class Stopped(Exception):
    """The soak is over."""


class Caller:
    """What all callers have: a door, a pace, and a tally."""

    def __init__(self, door: Door, tally: Tally, pace: Pace, plans: list[str]) -> None:
        """Call at a door; ``plans`` are the newest ones, for whoever looks at them."""
        self.door, self.tally, self.pace, self.plans = door, tally, pace, plans
        self._numbers, self._plans = count(1), count(1)
        self.secret = door.token

    def run(self) -> None:
        """Call until everybody stops."""
        raise NotImplementedError

    def began(self, plan: str) -> str:
        """Tell of a new plan."""
        self.plans[:] = [*self.plans[-3:], plan]
        return plan

    def steps(self) -> int:
        """Return how many steps of the next plan are done; one in some is left in the middle."""
        return STEPS // 2 if next(self._plans) % LEFT_EVERY == 0 else STEPS


class OverRest(Caller):
    """Works plans over REST."""

    def run(self) -> None:
        """Work one plan after the other."""
        while True:
            with self._connected():
                self._work()

    def _begin(self) -> str:
        return str(self._ask("POST", "/plans", new_plan(STEPS)[1])["plan_id"])

    def _connected(self) -> "closing[http.client.HTTPConnection]":
        where = ("127.0.0.1", self.door.port)
        self._connection = http.client.HTTPConnection(*where, timeout=PATIENCE_S)
        return closing(self._connection)

    def _work(self) -> None:
        plan = self.began(self._begin())
        for _ in range(self.steps()):
            number = next(self._numbers)
            step = self._ask("POST", f"/plans/{plan}/next", {"request_id": f"{plan}-{number}"})
            self._hand_in(plan, number, step["step"])

    def _hand_in(self, plan: str, number: int, step: Document) -> None:
        place = f"/steps/{step['step_id']}/result"
        told = {"lease": step["lease"]["token"], "result": brought(step["step_id"])}
        told |= {"result_summary": SUMMARY, "request_id": f"{plan}-{number}-s"}
        if number % LOOK_EVERY == 0:
            wrong = {**told, "lease": "0123456789ab.1", "request_id": f"{plan}-{number}-w"}
            self._ask("POST", place, wrong, CONFLICTS)
            for read in (f"/plans/{plan}", f"/plans/{plan}/context", "/plans", "/board"):
                self._ask("GET", read)
        self._ask("POST", place, told)

    def _ask(
        self, method: str, path: str, body: Document | None = None,
        wanted: tuple[int, ...] = (200, 201),
    ) -> Document:  # fmt: skip
        self.pace.wait()
        headers = {"Authorization": f"Bearer {self.secret}", "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        with self.tally.timed():
            self._connection.request(method, f"/v1{path}", text, headers)
            answer = self._connection.getresponse()
            told: Document = json.loads(answer.read())
        if answer.status not in wanted:
            message = f"{method} {path}: {answer.status} {told}"
            raise AssertionError(message)
        found: Document = told.get("data", {})
        return found


class Person(OverRest):
    """Proposes missions and cancels them; makes tokens, which somebody uses, and revokes them."""

    def run(self) -> None:
        """Do one after the other."""
        self.secret = self.door.person
        while True:
            with self._connected():
                self._change_mind()
                self._lend()

    def _change_mind(self) -> None:
        told: Document = {"name": "Soak", "goal": "Know them twice.", "success_criteria": ["done"]}
        told |= {"outputs": [{"name": "last", "schema": {"type": "array"}}]}
        mission = self._ask("POST", "/missions", told)["mission_id"]
        self._ask("GET", f"/missions/{mission}")
        self._ask("POST", "/cancellations", {"id": mission, "reason": "Not wanted."})

    def _lend(self) -> None:
        made = self._ask("POST", "/tokens", {"name": "soak", "expires_in_s": 600})
        self.secret = str(made["token"])
        self._ask("GET", "/plans")
        self.secret = self.door.person
        self._ask("DELETE", f"/tokens/{made['token_id']}")


class OverMcp(Caller):
    """Works plans over MCP."""

    def run(self) -> None:
        """Work one plan after the other."""
        while True:
            with closing(Plain(self.door.port, self.door.token)) as self._plain:
                plan = self.began(str(self._call(*new_plan(STEPS))["plan_id"]))
                for number in range(self.steps()):
                    step = self._call(*claim(plan, number))["step"]
                    self._call(*submit(plan, number, step))

    def _call(self, tool: str, arguments: Document) -> Document:
        self.pace.wait()
        with self.tally.timed():
            found: Document = self._plain.call((tool, arguments))["data"]
        return found


class Reader(Caller):
    """Reads pages, as somebody who is logged in; their times are not counted among the calls."""

    def run(self) -> None:
        """Read one page after the other."""
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.door.port, timeout=PATIENCE_S)
            with closing(connection):
                for path in PAGES:
                    self.pace.wait()
                    self._read(connection, path)

    def _read(self, connection: http.client.HTTPConnection, path: str) -> None:
        if "{plan}" in path and not self.plans:
            return
        where = path.format(plan=self.plans[0] if self.plans else "")
        connection.request("GET", where, headers={"Cookie": self.door.cookie})
        answer = connection.getresponse()
        answer.read()
        if answer.status != http.HTTPStatus.OK:
            message = f"{where}: {answer.status}"
            raise AssertionError(message)


class Follower(Caller):
    """Follows the stream of events for a while, leaves, and comes again."""

    def run(self) -> None:
        """Follow it."""
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.door.port, timeout=PATIENCE_S)
            with closing(connection):
                headers = {"Authorization": f"Bearer {self.door.token}"}
                connection.request("GET", "/v1/events", headers=headers)
                answer = connection.getresponse()
                for _ in range(200):
                    self.pace.wait()
                    if not answer.readline():
                        raise AssertionError("the stream has ended")


class Load:
    """All callers at work; ``per_s`` is how many commands they send together."""

    def __init__(self, door: Door, per_s: float) -> None:
        """Share the pace among those who send commands."""
        self.tally, self._stop = Tally(), threading.Event()
        self.wrong: list[BaseException] = []
        share = per_s / 10
        plans: list[str] = []
        paces = (3 * share, 3 * share, 3 * share, share, 2.0, 100.0)
        crew = (OverRest, OverRest, OverMcp, Person, Reader, Follower)
        runs = [
            kind(door, self.tally, Pace(rate, self._stop), plans).run
            for kind, rate in zip(crew, paces, strict=True)
        ]
        self._threads = [threading.Thread(target=self._guarded, args=(run,)) for run in runs]

    def _guarded(self, run: Callable[[], None]) -> None:
        try:
            run()
        except Stopped:
            return
        except BaseException as error:  # noqa: BLE001 (told by whoever waits for the end)
            self.wrong.append(error)
            self._stop.set()

    def __enter__(self) -> Self:
        for one in self._threads:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for one in self._threads:
            one.join(PATIENCE_S)

    def wait(self, seconds: float) -> None:
        """Let time pass; raise what went wrong meanwhile."""
        self._stop.wait(seconds)
        if self.wrong:
            raise self.wrong[0]


def warm(door: Door, commands: int) -> None:
    """Have every kind of call made, as quickly as a server can take it."""
    with Load(door, FAST) as load:
        while load.tally.commands < commands:
            load.wait(0.2)
