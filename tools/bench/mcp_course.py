"""The MCP door beside a tool that does nothing: calls a second over HTTP, round by round.

Both servers are processes of their own on the same SDK, transport and web server. They are called
in two ways: by a client of the SDK, one call after the other, for which there is a goal; and by
plain connections, each in a thread of its own with a plan of its own, which shows what the servers
alone can do, because that client costs more than either of them.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.bench.mcp_callers import CALLS_A_STEP, NOWHERE, Plain, begun, sdk_seconds
from tools.bench.measure import Aim, Figure, beside, interleaved, wall_s
from tools.bench.scale import Scale
from tools.bench.serving import started

BESIDE: Final = Aim(0.65, 0.75)
TOKEN: Final = "agent.token"  # noqa: S105 (the name of a file)


@dataclass(frozen=True, slots=True)
class McpCourse:
    """Two servers that run, and who may call ours."""

    port: int
    floor: int
    token: str
    scale: Scale
    runner: asyncio.Runner

    def by_sdk(self, port: int) -> float:
        """Let a client of the SDK call one of them; return calls a second."""
        steps = self.scale.calls // CALLS_A_STEP
        plan = NOWHERE if port == self.floor else begun(port, self.token, steps)
        return self.scale.calls / self.runner.run(sdk_seconds(port, self.token, plan, steps))

    def by_plain(self, port: int) -> float:
        """Let several connections call one of them at the same time; return calls a second."""
        many = self.scale.callers
        each = self.scale.calls // CALLS_A_STEP // many
        callers = [Plain(port, self.token) for _ in range(many)]
        plans = [NOWHERE if port == self.floor else one.begin(each) for one in callers]
        with ThreadPoolExecutor(many) as pool:
            took = wall_s(lambda: [*pool.map(Plain.play, callers, plans, [each] * many)])
        for caller in callers:
            caller.close()
        return many * each * CALLS_A_STEP / took


@contextmanager
def mcp_course(folder: Path, scale: Scale, runner: asyncio.Runner) -> Iterator[McpCourse]:
    """Start both servers."""
    data = folder / "mcp"
    ours = ("interlock", "--data", str(data), "serve", "--port", "0")
    with started(*ours) as served, started("tools.bench.mcp_floor") as floor:
        token = (data / TOKEN).read_text(encoding="ascii").strip()
        yield McpCourse(served.port, floor.port, token, scale, runner)


def mcp_figures(course: McpCourse) -> list[Figure]:
    """Measure the door."""
    entrants = {
        "floor": lambda: course.by_sdk(course.floor),
        "ours": lambda: course.by_sdk(course.port),
        "floor alone": lambda: course.by_plain(course.floor),
        "ours alone": lambda: course.by_plain(course.port),
    }
    interleaved(entrants, 1)  # both have loaded everything once
    rounds = interleaved(entrants, course.scale.rounds)
    many = course.scale.callers
    return [
        beside("MCP, an SDK client beside a tool that does nothing", rounds, "ours", "floor",
               unit="calls/s", aim=BESIDE),
        beside(f"MCP, {many} plain connections beside such a tool", rounds, "ours alone",
               "floor alone", unit="calls/s"),
    ]  # fmt: skip
