"""What a task has to work with."""

import asyncio

from interlock.worker.agents.agent import Said
from interlock.worker.execution.job import Job
from interlock.worker.execution.order import order_of
from interlock.worker.usage import Usage
from tests.worker.execution.test_order import work


def test_what_agents_cost_is_summed() -> None:
    usage = Usage()
    usage.add(Said({}, "", 10, 3, cost_micros=7))
    usage.add(Said({}, "", 1, 1, cost_micros=1))

    assert (usage.tokens_in, usage.tokens_out, usage.cost_micros) == (11, 4, 8)


def test_its_time_is_counted_from_its_beginning() -> None:
    async def story() -> None:
        order = order_of(work(task="check", deadline_s=5))
        nothing: object = None
        job = Job(order, "site", *([nothing] * 7))  # type: ignore[arg-type] # none is asked
        assert job.until_s == job.begun_s + 5
        assert job.spent()["tokens_in"] == 0
        assert isinstance(job.spent()["seconds"], float)

    asyncio.run(story())
