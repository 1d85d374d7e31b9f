"""The scripted agent says what its script says, with every delay and fault."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import pytest

from interlock.worker.agents.agent import AgentFailed, Said
from interlock.worker.agents.script import Script, Turn
from interlock.worker.agents.scripted import NONSENSE, Scripted
from tests.worker.agents.tasks import DRAFT, later

YES = {"questions": ["Why?"]}


def agent(**turns: Turn) -> Scripted:
    """Return an agent that says these things to the first, second, ... piece of work."""
    said: Mapping[str, tuple[Turn, ...]] = {
        f"interview/draft#{place}": (turn,) for place, turn in enumerate(turns.values(), start=1)
    }
    return Scripted(Script("s.yaml", {"ada": said}))


def test_an_answer_is_said_as_it_stands_and_cannot_be_spoiled() -> None:
    one = agent(first=Turn(YES))

    said = asyncio.run(one.run(DRAFT))
    said.answer["questions"] = "spoiled"

    assert asyncio.run(one.run(DRAFT)) == Said(dict(YES), '{"questions": ["Why?"]}')


def test_pieces_of_work_are_counted_and_one_handed_out_again_is_the_same() -> None:
    one = agent(first=Turn({"questions": [1]}), second=Turn({"questions": [2]}))
    parts = [DRAFT, DRAFT, later("ticket-1.9"), DRAFT, later("ticket-2.1", unit="ticket-2")]

    said = [asyncio.run(one.run(task)).answer["questions"] for task in parts]

    assert said == [[1], [1], [2], [1], [1]]


def test_the_number_of_the_server_counts_more_than_our_own() -> None:
    one = agent(first=Turn({"questions": [1]}), second=Turn({"questions": [2]}))

    assert asyncio.run(one.run(replace(DRAFT, number=2))).answer == {"questions": [2]}


def test_text_is_read_as_that_of_a_model() -> None:
    said = asyncio.run(agent(first=Turn(text='Well: {"questions": []}')).run(DRAFT))

    assert (said.answer, said.warnings) == ({"questions": []}, ("there were words around it",))


@pytest.mark.parametrize("text", ["", "hm"])
def test_invalid_says_something_that_is_no_answer(text: str) -> None:
    with pytest.raises(AgentFailed) as no:
        asyncio.run(agent(first=Turn(text=text, fault="invalid")).run(DRAFT))

    assert (no.value.failure, no.value.text) == ("invalid_output", text or NONSENSE)


def test_error_fails_and_crash_was_not_foreseen() -> None:
    with pytest.raises(AgentFailed, match="it hurts") as no:
        asyncio.run(agent(first=Turn(fault="error", text="it hurts")).run(DRAFT))
    assert no.value.failure == "failed"
    with pytest.raises(RuntimeError):
        asyncio.run(agent(first=Turn(fault="crash")).run(DRAFT))


def test_timeout_never_ends_by_itself_and_a_delay_does() -> None:
    async def story() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(agent(first=Turn(fault="timeout")).run(DRAFT), 0.2)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await agent(first=Turn(YES, delay_s=0.2)).run(DRAFT)
        assert loop.time() - begun >= 0.19

    asyncio.run(story())


def test_late_comes_after_its_time_and_is_waited_for() -> None:
    async def story() -> None:
        one = agent(first=Turn(YES, fault="late", delay_s=0.05), second=Turn(YES))
        task = replace(DRAFT, deadline_s=0.1)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        said = await one.run(task)
        assert loop.time() - begun > task.deadline_s
        assert said.answer == YES
        assert one.limit_s(task) > task.deadline_s + 1
        assert one.limit_s(replace(task, part="ticket-1.2")) == task.deadline_s
        assert one.limit_s(replace(task, part="ticket-1.3")) == task.deadline_s

    asyncio.run(story())
