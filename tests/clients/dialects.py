"""How the vendors' interfaces say the same things: tools offered, calls made, the next answer.

Only what the clients in these tests read is written; everything else a vendor sends is left out.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, Protocol

from tests.clients.script import Call, Called, own_name

Document = dict[str, Any]
EVENTS: Final = "text/event-stream"
BETWEEN: Final = "__"
"""What stands between the parts of a tool's name."""


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


class Responses:
    """The Responses interface of OpenAI, where the tools of a server come as a namespace."""

    def serves(self, path: str) -> bool:
        return path.endswith("/responses")

    def offered(self, body: Document) -> list[str]:
        return [
            _joined(space, tool["name"])
            for space, tools in self._spaces(body).items()
            for tool in tools
        ]

    def calls(self, body: Document) -> list[Called]:
        items = [one for one in body["input"] if "call_id" in one]
        made = {one["call_id"]: one["name"] for one in items if one["type"] == "function_call"}
        return [
            Called(own_name(made[one["call_id"]]), _text(one["output"]))
            for one in items
            if one["type"] == "function_call_output"
        ]

    def texts(self, body: Document) -> str:
        return "\n".join(_text(one.get("content")) for one in body["input"])

    def written(self, body: Document, path: str, said: Call | str) -> tuple[str, bytes]:
        del path
        number = len(body["input"])
        item: Document
        if isinstance(said, Call):
            space, _, name = said.tool.rpartition(BETWEEN)
            item = {
                "type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}",
                "namespace": space, "name": name, "arguments": json.dumps(said.arguments),
            }  # fmt: skip
        else:
            content = [{"type": "output_text", "text": said}]
            item = {"type": "message", "id": "m", "role": "assistant", "content": content}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        response = {"id": f"resp_{number}", "usage": usage}
        return EVENTS, _named([
            {"type": "response.created", "response": {"id": response["id"]}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response},
        ])  # fmt: skip

    def _spaces(self, body: Document) -> dict[str, list[Document]]:
        tools = body.get("tools", ())
        spaces = {one["name"]: one["tools"] for one in tools if one["type"] == "namespace"}
        return {"": [one for one in tools if one["type"] == "function"], **spaces}


class Completions:
    """The older interface of OpenAI, which many speak."""

    def serves(self, path: str) -> bool:
        return path.endswith("/chat/completions")

    def offered(self, body: Document) -> list[str]:
        return [tool["function"]["name"] for tool in body.get("tools", ())]

    def calls(self, body: Document) -> list[Called]:
        made = {
            call["id"]: call["function"]["name"]
            for message in body["messages"]
            for call in message.get("tool_calls") or ()
        }
        return [
            Called(own_name(made[one["tool_call_id"]]), _text(one["content"]))
            for one in body["messages"]
            if one["role"] == "tool"
        ]

    def texts(self, body: Document) -> str:
        return "\n".join(_text(message.get("content")) for message in body["messages"])

    def written(self, body: Document, path: str, said: Call | str) -> tuple[str, bytes]:
        del path
        number = len(body["messages"])
        delta: Document = {"role": "assistant"}
        if isinstance(said, Call):
            function = {"name": said.tool, "arguments": json.dumps(said.arguments)}
            call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
            delta["tool_calls"] = [call]
        else:
            delta["content"] = said
        reason = "tool_calls" if isinstance(said, Call) else "stop"
        top = {"id": f"c_{number}", "object": "chat.completion.chunk", "model": body["model"]}
        return EVENTS, _unnamed([
            {**top, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {**top, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        ]) + b"data: [DONE]\n\n"  # fmt: skip


class Gemini:
    """The interface of Google, where the model's name is in the path."""

    def serves(self, path: str) -> bool:
        return path.endswith((":streamGenerateContent", ":generateContent"))

    def offered(self, body: Document) -> list[str]:
        return [
            one["name"]
            for tools in body.get("tools", ())
            for one in tools.get("functionDeclarations", ())
        ]

    def calls(self, body: Document) -> list[Called]:
        return [
            Called(own_name(part["functionResponse"]["name"]), _output(part))
            for content in body["contents"]
            for part in content["parts"]
            if "functionResponse" in part
        ]

    def texts(self, body: Document) -> str:
        return "\n".join(_text(content["parts"]) for content in body["contents"])

    def written(self, body: Document, path: str, said: Call | str) -> tuple[str, bytes]:
        part: Document = (
            {"functionCall": {"name": said.tool, "args": said.arguments}}
            if isinstance(said, Call)
            else {"text": said}
        )
        content = {"role": "model", "parts": [part]}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        document = {
            "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
            "usageMetadata": usage,
        }
        del body
        if path.endswith(":generateContent"):
            return "application/json", json.dumps(document).encode()
        return EVENTS, _unnamed([document])


DIALECTS: Final[tuple[Dialect, ...]] = (Anthropic(), Responses(), Completions(), Gemini())


def _joined(space: str, name: str) -> str:
    return f"{space}{BETWEEN}{name}" if space else name


def _output(part: Document) -> str:
    """Return what a function said, out of what the client wraps it in."""
    return str(part["functionResponse"]["response"].get("output", ""))


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


def _unnamed(events: Iterable[Document]) -> bytes:
    """Write events that have no name."""
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()
