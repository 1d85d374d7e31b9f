"""How the vendors' interfaces say the same things: tools offered, calls made, the next answer.

Only what the clients in these tests read is written; everything else a vendor sends is left out.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, Protocol

from tests.clients.script import Call, Called, own_name

Document = dict[str, Any]
EVENTS: Final = "text/event-stream"


class Dialect(Protocol):
    """One vendor's interface."""

    def serves(self, path: str) -> bool:
        """Say whether a path is one of this interface."""

    def offered(self, body: Document) -> list[str]:
        """Return the names of the tools that a request offers."""

    def calls(self, body: Document) -> list[Called]:
        """Return the calls that the conversation holds, with their answers, in order."""

    def texts(self, body: Document) -> str:
        """Return what was said in the conversation."""

    def written(self, body: Document, path: str, said: Call | str) -> tuple[str, bytes]:
        """Return the kind and the text of an answer."""


class Anthropic:
    """The Messages interface."""

    def serves(self, path: str) -> bool:
        return path.endswith("/v1/messages")

    def offered(self, body: Document) -> list[str]:
        return [tool["name"] for tool in body.get("tools", ()) if "name" in tool]

    def texts(self, body: Document) -> str:
        return "\n".join(_text(message["content"]) for message in body["messages"])

    def calls(self, body: Document) -> list[Called]:
        blocks = [
            block
            for message in body["messages"]
            if isinstance(message["content"], list)
            for block in message["content"]
        ]
        made = {one["id"]: one["name"] for one in blocks if one["type"] == "tool_use"}
        return [
            Called(own_name(made[one["tool_use_id"]]), _text(one.get("content")))
            for one in blocks
            if one["type"] == "tool_result"
        ]

    def written(self, body: Document, path: str, said: Call | str) -> tuple[str, bytes]:
        del path
        number = len(body["messages"])
        content = (
            {"type": "tool_use", "id": f"toolu_{number:04}", "name": said.tool, "input": {}}
            if isinstance(said, Call)
            else {"type": "text", "text": ""}
        )
        delta = (
            {"type": "input_json_delta", "partial_json": json.dumps(said.arguments)}
            if isinstance(said, Call)
            else {"type": "text_delta", "text": said}
        )
        stop = {"stop_reason": "tool_use" if isinstance(said, Call) else "end_turn"}
        message = {
            "id": f"msg_{number:04}", "type": "message", "role": "assistant",
            "model": body["model"], "content": [], "stop_reason": None, "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 1},
        }  # fmt: skip
        if not body.get("stream"):
            whole = {
                **content,
                **({"input": said.arguments} if isinstance(said, Call) else {"text": said}),
            }
            return "application/json", json.dumps({**message, **stop, "content": [whole]}).encode()
        return EVENTS, _named([
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": content},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 20}},
            {"type": "message_stop"},
        ])  # fmt: skip


DIALECTS: Final[tuple[Dialect, ...]] = (Anthropic(),)


def _text(content: object) -> str:
    """Return the text of a tool's answer, which comes as a string or in pieces."""
    if isinstance(content, list):
        return "".join(str(one.get("text", "")) for one in content if isinstance(one, dict))
    return str(content or "")


def _named(events: Iterable[Document]) -> bytes:
    """Write events whose name is their type."""

    def lines() -> Iterator[str]:
        for event in events:
            yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"

    return "".join(lines()).encode()
