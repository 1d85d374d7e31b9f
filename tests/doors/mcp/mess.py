"""Messages for the fuzz of the MCP door: sound ones, and what can be done to them.

Everything is drawn from a seeded generator, so that a message that made trouble can be made again.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from interlock.doors.mcp.tools import toolset

NEW: Final = "2026-07-28"
OLD: Final = "2025-11-25"
META: Final = {
    "io.modelcontextprotocol/protocolVersion": NEW,
    "io.modelcontextprotocol/clientCapabilities": {},
}
TOOLS: Final = [tool.name for tool in toolset("all").tools if tool.name != "get_next_work"]
NAMES: Final = ("plan_id", "planId", "step_id", "id", "limit", "wait_s", "result", "steps", "name",
                "cursor", "lease", "request_id", "__proto__", "")  # fmt: skip
METHODS: Final = ("tools/call", "tools/list", "resources/list", "resources/read", "prompts/get",
                  "resources/templates/list", "prompts/list", "ping", "server/discover",
                  "completion/complete", "nope/nope", "")  # fmt: skip
VALUES: Final[tuple[object, ...]] = (
    None, True, -1, 0, 0.5, 2**63, 2**200, "", "plan-000000000000", "plan-1.1", "a" * 3_000,
    "\u0000", "\u202e", "é\U0001f600", "interlock://unit/plan-1", [], {}, [[]], {"a": {"b": 1}},
)  # fmt: skip
RAW: Final = ("NaN", "-Infinity", "1e999", "9" * 5_000, '"\\ud800"', '"\\udc00\\ud800"',
              "[" * 3_000 + "]" * 3_000, '{"a":' * 2_000 + "1" + "}" * 2_000, "0x10", "01",
              '"\\u0000"', "'a'")  # fmt: skip
"""Values that no Python object is written as."""

WRONG: Final = (
    ("Accept", ""), ("Accept", "text/plain"), ("Content-Type", "text/plain"), ("Content-Type", ""),
    ("MCP-Protocol-Version", OLD), ("MCP-Protocol-Version", NEW), ("MCP-Protocol-Version", "é"),
    ("MCP-Protocol-Version", "1999-01-01"), ("Mcp-Method", "tools/list"), ("Mcp-Name", "nope"),
    ("Mcp-Method", "\xff"), ("Mcp-Session-Id", "x" * 500), ("Authorization", "Bearer \xff\xfe"),
    ("Authorization", ""), ("Origin", "http://evil.example"), ("Host", "evil.example"),
    ("Mcp-Param-Plan-Id", "nope"), ("Content-Encoding", "gzip"), ("Last-Event-Id", "7"),
)  # fmt: skip
"""Headers that do not fit the body, or nothing at all."""

HOLE: Final = '"<a hole>"'


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent. ``expects`` is the id to be answered under, where it can be read at all."""

    body: bytes
    method: str
    name: str
    is_new: bool


def message(random: Random, number: int, *, is_new: bool) -> Message:
    """Return a message: sound, or with something wrong in its structure or in its bytes."""
    method = random.choice(METHODS) if random.random() < 0.4 else METHODS[0]
    params = _params(random, method)
    if is_new:
        params["_meta"] = {**META}
    whole: dict[str, object] = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    text = _written(random, random.choice(STRUCTURE)(random, whole))
    body = random.choice(BYTES)(random, text.encode())
    return Message(body, method, str(params.get("name", params.get("uri", ""))), is_new)


def _params(random: Random, method: str) -> dict[str, object]:
    if method == "resources/read":
        return {"uri": random.choice([*map(str, VALUES), "interlock://profile"])}
    if method == "prompts/get":
        return {"name": random.choice(["research", "nope"]), "arguments": {"question": "x"}}
    if method != "tools/call":
        return {}
    arguments = {
        random.choice(NAMES): HOLE if random.random() < 0.2 else random.choice(VALUES)
        for _ in range(random.randrange(4))
    }
    return {"name": random.choice(TOOLS), "arguments": arguments}


def _written(random: Random, whole: object) -> str:
    """Write a document, with something that no library would write in each of its holes."""
    text = json.dumps(whole)
    for _ in range(text.count(json.dumps(HOLE))):
        text = text.replace(json.dumps(HOLE), random.choice(RAW), 1)
    return text


# -- what can be wrong with the structure -------------------------------------------------------


def _sound(random: Random, whole: dict[str, object]) -> object:
    return whole


def _without(random: Random, whole: dict[str, object]) -> object:
    missing = random.choice([*whole])
    return {name: value for name, value in whole.items() if name != missing}


def _odd(random: Random, whole: dict[str, object]) -> object:
    return {**whole, random.choice([*whole]): random.choice([*VALUES, HOLE])}


def _batch(random: Random, whole: dict[str, object]) -> object:
    return [whole] * random.randrange(3)


def _reply(random: Random, whole: dict[str, object]) -> object:
    return {"jsonrpc": "2.0", "id": whole["id"], random.choice(["result", "error"]): {}}


def _odd_meta(random: Random, whole: dict[str, object]) -> object:
    return {**whole, "params": {"name": "ping", "_meta": random.choice([*VALUES, HOLE])}}


STRUCTURE: Final[tuple[Callable[[Random, dict[str, object]], object], ...]] = (
    *(_sound,) * 4, _without, _odd, _batch, _reply, _odd_meta,
)  # fmt: skip

# -- what can be wrong with the bytes -----------------------------------------------------------


def _whole(random: Random, body: bytes) -> bytes:
    return body


def _cut(random: Random, body: bytes) -> bytes:
    return body[: random.randrange(len(body))]


def _flipped(random: Random, body: bytes) -> bytes:
    place = random.randrange(len(body))
    return body[:place] + bytes([random.randrange(256)]) + body[place + 1 :]


def _not_utf8(random: Random, body: bytes) -> bytes:
    place = random.randrange(len(body))
    return body[:place] + random.choice([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\0"]) + body[place:]


def _twice(random: Random, body: bytes) -> bytes:
    """Say a key twice."""
    return body.replace(b'"method"', b'"method": "ping", "method"', 1)


BYTES: Final[tuple[Callable[[Random, bytes], bytes], ...]] = (
    *(_whole,) * 6, _cut, _flipped, _not_utf8, _twice,
)  # fmt: skip
