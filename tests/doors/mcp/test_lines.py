"""Lines that are no messages: what is answered, and under which id."""

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from interlock.doors.mcp import lines
from interlock.doors.mcp.lines import Answering, Answers, Item, complaint


def wrong(line: str) -> ValidationError:
    with pytest.raises(ValidationError) as no:
        jsonrpc_message_adapter.validate_json(line)
    return no.value


@pytest.mark.parametrize(
    ("line", "name", "code"),
    [
        ("{", None, -32700),
        ('"\\ud800"', None, -32700),
        ("[]", None, -32600),
        ("7", None, -32600),
        ('{"jsonrpc": "2.0", "id": 7, "method": 8}', 7, -32600),
        ('{"jsonrpc": "2.0", "id": "x", "method": "m", "params": [1]}', "x", -32600),
        ('{"id": 9, "method": "m"}', 9, -32600),
        ('{"jsonrpc": "2.0", "id": true, "method": []}', None, -32600),
    ],
)
def test_a_complaint_says_what_is_wrong_under_the_id_that_was_given(
    line: str, name: str | int | None, code: int
) -> None:
    told = complaint(wrong(line))

    assert (told.id, told.error.code) == (name, code)


def test_any_other_trouble_with_a_line_is_a_parse_error() -> None:
    assert complaint(RecursionError()).error.code == -32700


def test_messages_pass_and_the_rest_is_answered() -> None:
    async def story() -> None:
        send, reads = anyio.create_memory_object_stream[Item](9)
        writes, sent = anyio.create_memory_object_stream[SessionMessage](9)
        good = SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=1, method="ping"))
        note = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="x"))
        async with send, writes, sent:
            for item in (wrong("{"), good, wrong("[]"), note):
                send.send_nowait(item)
            send.close()
            answers = Answers(writes)
            async with Answering(reads, answers) as stream:
                assert await stream.receive() == good
                done = SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=1, result={}))
                await answers.send(done)
                assert [item async for item in stream] == [note]
            assert [sent.receive_nowait() for _ in range(3)][1] == done
            assert sent.statistics().current_buffer_used == 0

    anyio.run(story)


def ending(*, answer: bool) -> list[str]:
    """Read one request and the end; return in which order things happened."""
    order: list[str] = []

    async def story() -> None:
        send, reads = anyio.create_memory_object_stream[Item](9)
        writes, sent = anyio.create_memory_object_stream[SessionMessage](9)
        answers = Answers(writes)

        async def read() -> None:
            async with Answering(reads, answers) as stream:
                async for _ in stream:
                    pass
            order.append("ended")

        async with send, writes, sent, anyio.create_task_group() as tasks:
            send.send_nowait(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")))
            send.close()
            tasks.start_soon(read)
            await anyio.wait_all_tasks_blocked()
            if answer:
                order.append("answered")
                await answers.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=1, result={})))

    anyio.run(story)
    return order


def test_the_end_waits_for_the_last_answer_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert ending(answer=True) == ["answered", "ended"]
    monkeypatch.setattr(lines, "LAST_S", 0.01)
    assert ending(answer=False) == ["ended"]
