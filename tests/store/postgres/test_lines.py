"""One at a time has a name; who waits gets it in turn, and who gives up stands in nobody's way."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from interlock.store.postgres.lines import Lines

Story = Callable[["Lines[str]", list[str]], Awaitable[None]]


async def have(lines: "Lines[str]", name: str, told: list[str], who: str) -> None:
    """Have a name for two rounds of the event loop."""
    if not lines.has_taken(name):
        await lines.wait(name)
    try:
        told.append(f"{who} has it")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        told.append(f"{who} leaves")
    finally:
        lines.leave(name)


def played(story: Story) -> list[str]:
    """Play a story; afterwards every name is free again."""
    told: list[str] = []

    async def play() -> None:
        lines: Lines[str] = Lines()
        await story(lines, told)
        assert lines.has_taken("a")

    asyncio.run(asyncio.wait_for(play(), 10))
    return told


def test_who_comes_while_somebody_has_it_waits_and_gets_it_in_turn() -> None:
    async def story(lines: "Lines[str]", told: list[str]) -> None:
        await asyncio.gather(*(have(lines, "a", told, str(who)) for who in range(3)))

    turns = [f"{who} {does}" for who in range(3) for does in ("has it", "leaves")]
    assert played(story) == turns


def test_names_do_not_wait_for_each_other() -> None:
    async def story(lines: "Lines[str]", told: list[str]) -> None:
        await asyncio.gather(have(lines, "a", told, "one"), have(lines, "b", told, "other"))

    assert played(story)[:2] == ["one has it", "other has it"]


@pytest.mark.parametrize("rounds", range(8))
def test_who_gives_up_is_passed_over_whether_it_was_their_turn_or_not(rounds: int) -> None:
    """After some rounds the second still waits, is just being called, or has it."""

    async def story(lines: "Lines[str]", told: list[str]) -> None:
        tasks = [asyncio.create_task(have(lines, "a", told, str(who))) for who in range(3)]
        for _ in range(rounds):
            await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    told = played(story)

    assert told[:2] == ["0 has it", "0 leaves"]
    assert told[-2:] == ["2 has it", "2 leaves"]


def test_who_is_called_and_gives_up_in_the_same_round_calls_the_next() -> None:
    async def story(lines: "Lines[str]", told: list[str]) -> None:
        assert lines.has_taken("a")
        tasks = [asyncio.create_task(have(lines, "a", told, str(who))) for who in (1, 2)]
        await asyncio.sleep(0)
        lines.leave("a")
        tasks[0].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    assert played(story) == ["2 has it", "2 leaves"]


def test_who_is_gone_for_good_calls_nobody_and_is_not_called() -> None:
    async def story(lines: "Lines[str]", told: list[str]) -> None:
        assert lines.has_taken("a")
        first = asyncio.create_task(have(lines, "a", told, "first"))
        await asyncio.sleep(0)
        second = lines.wait("a")
        second.send(None)
        second.close()
        await asyncio.sleep(0)
        assert not told
        lines.leave("a")
        await first

    assert played(story) == ["first has it", "first leaves"]
