"""What both courses have in common: what a step has written, and growth with the size of a plan."""

import asyncio
from dataclasses import dataclass
from typing import Final

from tools.bench.measure import Aim, Figure, beside, interleaved, wall_s
from tools.bench.ours import Agent
from tools.bench.scale import Scale

GROWTH: Final = Aim(0.85, 0.95)


@dataclass(frozen=True, slots=True)
class Written:
    """What a step has cost: rows, bytes of the database, bytes of its log where that is known."""

    rows: float
    bytes: float
    log: float = 0.0


def growth(name: str, scale: Scale, runner: asyncio.Runner, large: Agent, small: Agent) -> Figure:
    """Compare windows of a large plan with as many steps of small plans."""
    unit = runner.run(large.make(scale.large))

    def in_small() -> float:
        count = scale.window // scale.small
        units = [runner.run(small.make(scale.small)) for _ in range(count)]
        return scale.window / wall_s(lambda: runner.run(_in_turn(small, units, scale.small)))

    def in_large() -> float:
        return scale.window / wall_s(lambda: runner.run(large.play(unit, scale.window)))

    rounds = interleaved({"small": in_small, "large": in_large}, scale.windows)
    told = f"{name}, plan of {scale.large:,} steps beside {scale.small:,}"
    return beside(told, rounds, "large", "small", unit="steps/s", aim=GROWTH)


async def _in_turn(agent: Agent, units: list[str], steps: int) -> None:
    for unit in units:
        await agent.play(unit, steps)
