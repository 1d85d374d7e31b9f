"""The MCP door under fire: one well-formed answer or a clean close each, and it still answers.

Whatever is sent, over stdio and over HTTP, in either era: no 5xx, no traceback, no second answer.
Here it goes over real pipes and sockets to a real server; many more messages are sent to the door
in ``tests/fuzz``.
"""

import http.client
import json
import socket
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

import pytest
from mcp_types import JSONRPCRequest, jsonrpc_message_adapter
from pydantic import ValidationError

from tests.doors.mcp.clients import Serving, command, environment, serving
from tests.doors.mcp.judging import strict, wrong_over_http, wrong_with
from tests.doors.mcp.mess import META, NEW, OLD, WRONG, Message, message

STDIO: Final = 400
HTTP: Final = 500
BROKEN: Final = 60
SEED: Final = 20261115
SENTINEL: Final = "the last one"
HEADERS: Final = {
    "Accept": "application/json, text/event-stream", "Content-Type": "application/json",
}  # fmt: skip


def asked(body: bytes) -> JSONRPCRequest | None:
    """Return the request that a body is; raises where it is no message at all."""
    found = jsonrpc_message_adapter.validate_json(body.decode(errors="replace"))
    return found if isinstance(found, JSONRPCRequest) else None


def wanted(bodies: list[bytes]) -> tuple[Counter[str], int]:
    """Return under which ids how many answers must come, and how many complaints besides."""
    names: Counter[str] = Counter()
    complaints = 0
    for body in bodies:
        try:
            found = asked(body)
        except ValidationError:
            complaints += 1
            continue
        names.update([] if found is None else [json.dumps(found.id)])
    return names, complaints


@pytest.mark.parametrize("is_new", [True, False])
def test_stdio_gives_every_message_one_answer_and_goes_on(tmp_path: Path, is_new: bool) -> None:  # noqa: FBT001 (a parameter of the test)
    random = Random(f"{SEED} {is_new}")  # noqa: S311 (a seeded generator is the point)
    sent = [message(random, number, is_new=is_new).body for number in range(STDIO // 2)]
    sent = [body.replace(b"\n", b" ").replace(b"\r", b" ") for body in sent]
    opening, last = (
        ([_call(SENTINEL)] if is_new else _handshake()),
        [_call(SENTINEL, is_new=is_new)],
    )
    done = subprocess.run(
        command(tmp_path, "mcp", "--toolset", "all"),
        input=b"\n".join([*opening, *sent, *last, b""]),
        env=environment(), capture_output=True, timeout=120, check=False,
    )  # fmt: skip

    answers = [strict(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert [wrong for wrong in map(wrong_with, answers) if wrong] == []
    got = Counter(json.dumps(answer.get("id")) for answer in answers)
    names, complaints = wanted([*opening, *sent, *last])
    assert not names - got
    # A complaint comes under the id that was given, where one can be read.
    assert sum((got - names).values()) == complaints


def _call(name: str, *, is_new: bool = True) -> bytes:
    params: dict[str, object] = {"name": "ping", "arguments": {}}
    params |= {"_meta": META} if is_new else {}
    whole = {"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": params}
    return json.dumps(whole).encode()


def _handshake() -> list[bytes]:
    params = {
        "protocolVersion": OLD,
        "capabilities": {},
        "clientInfo": {"name": "f", "version": ""},
    }
    begin = {"jsonrpc": "2.0", "id": SENTINEL, "method": "initialize", "params": params}
    return [
        json.dumps(begin).encode(),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode(),
    ]


def test_http_gives_every_message_one_answer_and_goes_on(tmp_path: Path) -> None:
    random = Random(SEED)  # noqa: S311 (same)
    with serving(tmp_path) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        for number in range(HTTP):
            sent = message(random, number, is_new=bool(number % 2))
            headers = _headers(random, sent, server)
            connection.request("POST", "/mcp/all", sent.body, headers)
            answer = connection.getresponse()
            text, kind = answer.read(), answer.headers.get_content_type()
            wrong = wrong_over_http(answer.status, kind, text, sent.body)
            assert wrong == "", (text, sent.body)
        for number in range(BROKEN):
            _half_closed(random, server, message(random, number, is_new=bool(number % 2)))
        connection.request("POST", "/mcp/all", _call(SENTINEL), _sound(server, "ping", new=True))
        last = strict(connection.getresponse().read())
        connection.close()

        assert last["id"] == SENTINEL
        assert not last["result"]["isError"]
    assert "Traceback" not in "".join(server.said)


def _sound(server: Serving, name: str, *, new: bool, method: str = "tools/call") -> dict[str, str]:
    found = {**HEADERS, "Authorization": f"Bearer {server.token}"}
    if not new:
        return found | {"MCP-Protocol-Version": OLD}
    found |= {"MCP-Protocol-Version": NEW, "Mcp-Method": method}
    return found | ({"Mcp-Name": name} if name else {})


def _headers(random: Random, sent: Message, server: Serving) -> dict[str, str]:
    name = sent.name if sent.name.isascii() and sent.name.isprintable() else ""
    found = _sound(server, name[:200], new=sent.is_new, method=sent.method)
    for _ in range(random.randrange(3) if random.random() < 0.5 else 0):
        key, value = random.choice(WRONG)
        found[key] = value
    return {key: value for key, value in found.items() if value}


def _half_closed(random: Random, server: Serving, sent: Message) -> None:
    """Send less than was promised, or rubbish, and stop speaking; whatever comes must be whole."""
    head = "".join(
        f"{key}: {value}\r\n" for key, value in _sound(server, "x", new=sent.is_new).items()
    )
    start = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{head}Content-Length: {len(sent.body) + 50}\r\n\r\n"
    whole = start.encode() + sent.body
    if random.random() < 0.3:
        whole = random.randbytes(random.randrange(1, 400))
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as stream:
        stream.sendall(whole[: random.randrange(1, len(whole) + 1)])
        stream.shutdown(socket.SHUT_WR)
        got = b""
        while chunk := stream.recv(65_536):
            got += chunk
    assert not got or got.startswith((b"HTTP/1.1 4", b"HTTP/1.1 2")), got
