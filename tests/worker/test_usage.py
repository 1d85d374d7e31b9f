"""What agents have cost is summed, with what was spent in vain."""

from interlock.worker.agents.agent import AgentFailed, Said, Spent
from interlock.worker.usage import Usage


def test_answers_and_failures_are_counted() -> None:
    usage = Usage()
    usage.add(Said({}, "", 3, 4, cost_micros=5))
    usage.add(AgentFailed("transient", "no", "", Spent(10, 20, 30)).spent)
    usage.add(AgentFailed("failed", "no").spent)

    assert usage.told(1.23456) == {
        "tokens_in": 13,
        "tokens_out": 24,
        "cost_micros": 35,
        "seconds": 1.235,
    }
