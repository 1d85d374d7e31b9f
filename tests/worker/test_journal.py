"""Lines about a piece of work reach the server in batches, and never hold the work up."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from interlock.client.errors import Unreachable
from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.wire.envelope import Envelope
from interlock.worker import journal
from interlock.worker.journal import BATCH_BYTES_MAX, HELD_BYTES_MAX, LINES_MAX, OURS, SAID, Journal
from interlock.worker.work import Work

WORK = Work("ticket-1", "ticket-1.3", "assignment", "a.1", 1.0, {})


@dataclass
class Server:
    """Takes lines, is away, or says no; it keeps what it has heard."""

    away: int = 0
    no: bool = False
    heard: list[Mapping[str, object]] = field(default_factory=list)
    tried: list[object] = field(default_factory=list)

    async def call(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        assert command == "append_log"
        self.tried.append(arguments["request_id"])
        if self.no:
            raise InterlockError("There is no such command.")
        if self.away:
            self.away -= 1
            raise Unreachable("It does not answer.")
        self.heard.append(arguments)
        return Envelope(status="ok")

    def texts(self) -> list[str]:
        lines = [line for one in self.heard for line in one["lines"]]  # type: ignore[attr-defined] # a list
        return [str(line["text"]) for line in lines]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "EVERY_S", 0.02)
    monkeypatch.setattr(journal, "LAST_S", 0.2)


def told(server: Server, *texts: str, secrets: tuple[str, ...] = ()) -> None:
    async def story() -> None:
        async with Journal(server.call, WORK, SystemClock(), secrets) as lines:
            for text in texts:
                lines.note(OURS, text)

    asyncio.run(story())


def test_lines_are_told_with_part_and_lease_when_and_by_whom() -> None:
    async def story() -> None:
        async with Journal(server.call, WORK, SystemClock()) as lines:
            lines.note(OURS, "begun")
            lines.note(SAID, "hello")
            lines.note(SAID, "")

    server = Server()
    asyncio.run(story())

    (heard,) = server.heard
    lines = heard["lines"]
    assert isinstance(lines, list)
    assert (heard["part_id"], heard["lease"]) == ("ticket-1.3", "a.1")
    assert [(one["stream"], one["text"]) for one in lines] == [
        ("note", "begun"),
        ("out", "hello"),
    ]
    assert all(isinstance(one["at"], int) for one in lines)


def test_they_are_told_while_the_work_goes_on() -> None:
    async def story() -> None:
        async with Journal(server.call, WORK, SystemClock()) as lines:
            lines.note(OURS, "one")
            async with asyncio.timeout(60):
                while not server.heard:  # noqa: ASYNC110 (told by nobody)
                    await asyncio.sleep(0.01)
            lines.note(OURS, "two")

    server = Server()
    asyncio.run(story())

    assert len(server.heard) == 2
    assert server.texts() == ["one", "two"]


def test_no_batch_is_too_large_and_long_texts_become_lines() -> None:
    server = Server()
    text = "ä😀" * 50_000

    told(server, text)

    assert "".join(server.texts()) == text
    assert len(server.heard) > 1
    assert all(len(json.dumps(one["lines"])) <= BATCH_BYTES_MAX for one in server.heard)


def test_no_batch_has_too_many_lines() -> None:
    server = Server()

    told(server, *map(str, range(1200)))

    assert server.texts() == [str(number) for number in range(1200)]
    assert max(len(one["lines"]) for one in server.heard) == LINES_MAX  # type: ignore[arg-type] # a list


def test_while_the_server_is_away_the_same_batch_is_sent_again_once() -> None:
    async def story() -> None:
        async with Journal(server.call, WORK, SystemClock()) as lines:
            lines.note(OURS, "one")
            async with asyncio.timeout(60):
                while not server.heard:  # noqa: ASYNC110 (told by nobody)
                    await asyncio.sleep(0.01)

    server = Server(away=3)
    asyncio.run(story())

    assert server.texts() == ["one"]
    assert len(server.tried) == 4
    assert len(set(server.tried)) == 1


def test_what_is_too_much_to_be_kept_is_dropped_with_a_note() -> None:
    async def story() -> None:
        async with Journal(server.call, WORK, SystemClock()) as lines:
            for number in range(500):
                lines.note(OURS, f"{number} " + "x" * 3000)

    server = Server()
    asyncio.run(story())

    texts = server.texts()
    dropped = 500 - (len(texts) - 1)
    assert texts[0] == f"{dropped} lines were left out: they were too many at once."
    assert dropped >= 500 - HELD_BYTES_MAX // 3000
    assert texts[-1].startswith("499 ")


def test_after_a_no_nothing_more_is_told() -> None:
    async def story() -> None:
        async with Journal(server.call, WORK, SystemClock()) as lines:
            lines.note(OURS, "one")
            async with asyncio.timeout(60):
                while not server.tried:  # noqa: ASYNC110 (told by nobody)
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            lines.note(OURS, "two")

    server = Server(no=True)
    asyncio.run(story())

    assert len(server.tried) == 1


def test_the_end_of_the_work_is_not_held_up_by_a_server_that_hangs() -> None:
    async def hang(_: str, __: Mapping[str, object]) -> Envelope:
        await asyncio.Event().wait()
        return Envelope(status="ok")

    async def story() -> None:
        async with asyncio.timeout(60), Journal(hang, WORK, SystemClock()) as lines:
            lines.note(OURS, "one")

    asyncio.run(story())


def test_who_is_cancelled_tells_nothing_more() -> None:
    server = Server()

    async def story() -> None:
        async with Journal(server.call, WORK, SystemClock()) as lines:
            lines.note(OURS, "one")
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(story())

    assert server.tried == []


def test_no_line_holds_a_secret() -> None:
    server = Server()

    told(server, "the key is sk-1, really sk-1", secrets=("sk-1",))

    assert server.texts() == ["the key is ***, really ***"]
