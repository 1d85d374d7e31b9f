"""A mission as an agent and a person play it: every hop proposed, accepted, resolved and run.

Every command goes through its row, as behind a door, with a request id of its own. A hop makes an
asset that the next one takes. What a tool returns is said here; nothing runs one.
"""

import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar, Final, NamedTuple, cast

from interlock.clock import SystemClock
from interlock.commands.verbs import LocalVerbs
from interlock.kernel.rules import AGENT, USER
from interlock.service.access import SCOPES
from interlock.service.engine import Engine, Principal, running
from interlock.store.port import Store
from interlock.toolbox.tool import Described
from interlock.workflows.built_in import WORKFLOWS
from tools.bench.ours import TENANT

ME: Final = Principal(TENANT, AGENT, "agent-1", frozenset({"read", "work"}))
PERSON: Final = Principal(TENANT, USER, "person-1", frozenset(SCOPES))
NUMBERS: Final = {"type": "array", "items": {"type": "number"}}
ROWS: Final = {"type": "object", "properties": {"rows": NUMBERS}, "required": ["rows"]}
DOUBLE: Final = Described("double", "Twice each number.", ROWS, ROWS)
VALUE: Final = [1, 2, 3]

STATUS: Final = "mission_status"
Told = dict[str, Any]


class Cost(NamedTuple):
    """What one command has cost; ``work`` is what its database counts of the rows it reads."""

    seconds: float
    statements: int
    work: int


Counter = Callable[[], Awaitable[tuple[int, int]]]
"""Says how many statements there were so far, and how much was read for them."""


async def _tools() -> Mapping[str, Described]:
    return {DOUBLE.name: DOUBLE}


class Crew:
    """An agent and a person who work on missions; each command they send is counted."""

    _requests: ClassVar[Iterator[int]] = count(20_000_000)

    def __init__(self, store: Store, counter: Counter) -> None:
        """Work on a store; the counter knows what it does."""
        self.store = store
        self.costs: list[Cost] = []
        self._counter = counter
        engine = replace(Engine(store, SystemClock(), running(WORKFLOWS)), tools=_tools)
        self._verbs = {one: LocalVerbs(engine, one) for one in (ME, PERSON)}

    async def call(self, by: Principal, command: str, **arguments: object) -> Told:
        """Send a command, and keep what it has cost."""
        if command != STATUS:
            arguments["request_id"] = f"request-{next(self._requests)}"
        statements, work = await self._counter()
        begun = time.perf_counter()
        answer = await self._verbs[by].call(command, arguments)
        took = time.perf_counter() - begun
        then, more = await self._counter()
        self.costs.append(Cost(took, then - statements, more - work))
        return cast("Told", answer.data)

    async def begin(self) -> str:
        """Make a mission that is given numbers and may have its first hop; return its name."""
        made = await self.call(
            ME, "propose_mission", name="Bench", goal="Know them twice.", success_criteria=["done"],
            inputs=[{"name": "numbers", "schema": NUMBERS, "content": VALUE}],
            outputs=[{"name": "last", "schema": NUMBERS}],
        )  # fmt: skip
        await self._decide(made, "accept_mission")
        return str(made["mission_id"])

    async def launch(self, mission: str, given: str, steps: int) -> str:
        """Bring a hop of so many chained steps to where it runs; return the asset it makes."""
        made = await self.call(
            ME, "propose_hop", mission_id=mission, name="Double", goal="Twice each of them.",
            rationale="Nothing else is missing.", inputs=[given], output="twice",
            assets=[{"name": "twice", "schema": NUMBERS}],
        )  # fmt: skip
        taken = (await self._decide(made, "accept_hop"))["hop"]
        hop, output = str(taken["hop_id"]), str(taken["output"])
        lease = (await self._take("hop"))["lease"]["token"]
        made = await self.call(
            ME,
            "submit_resolution",
            hop_id=hop,
            lease=lease,
            steps=_chain(str(taken["inputs"][0]), output, steps),
        )
        await self._decide(made, "execute_hop")
        return output

    async def _decide(self, made: Told, decision: str) -> Told:
        """Let the person decide at the gate that a command has opened."""
        gate = made["gate"]
        return await self.call(
            PERSON, "decide_gate", gate_id=gate["gate_id"], decision=decision,
            content_digest=gate["content_digest"],
        )  # fmt: skip

    async def hop(self, mission: str, given: str) -> tuple[str, list[Cost]]:
        """Play a hop of one step to its end; return what it makes and what its commands cost."""
        before = len(self.costs)
        output = await self.launch(mission, given, 1)
        await self.step()
        return output, self.costs[before:]

    async def status(self, mission: str) -> Cost:
        """Ask how a mission stands; return what that has cost."""
        await self.call(ME, STATUS, mission_id=mission)
        return self.costs[-1]

    async def step(self) -> None:
        """Take the next step and hand in what came of it."""
        part = await self._take("tool_step")
        await self.call(
            ME, "submit_tool_result", part_id=part["part_id"], lease=part["lease"]["token"],
            outputs={"rows": part["call"]["arguments"]["rows"]},
        )  # fmt: skip

    async def _take(self, kind: str) -> Told:
        answer = await self.call(ME, "get_next_work", workflow="mission", kind=kind)
        return cast("Told", answer["part"])


def _chain(given: str, output: str, steps: int) -> list[Told]:
    """Return a chain in which each step takes what the one before it has made."""
    chain: list[Told] = []
    for place in range(steps):
        source: Told = {"step": place} if place else {"asset": given}
        target: Told = {"scratch": True} if place < steps - 1 else {"asset": output}
        chain.append({
            "tool": DOUBLE.name, "parameter_mapping": {"rows": source},
            "result_mapping": {"rows": target},
        })  # fmt: skip
    return chain
