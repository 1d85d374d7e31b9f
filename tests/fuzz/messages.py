"""Messages for the MCP door: calls that could be meant, with something done to them, and rubbish.

Rubbish is from ``tests.doors.mcp.mess``. Calls that could be meant speak of units that are there,
so that some succeed: only then it means something that the others change nothing.
"""

import json
from collections import deque
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from interlock.commands.verbs import DEPTH_MAX
from tests.doors.mcp.mess import META, NEW, OLD, RAW, VALUES, WRONG, message
from tests.stage import new_plan

Headers = dict[str, str]
Arguments = dict[str, Any]

PATHS: Final = (*("/mcp/all",) * 8, "/mcp", "/mcp/nope")
METHODS: Final = (*("POST",) * 20, "GET", "DELETE")
DEPTHS: Final = (1, DEPTH_MAX - 4, DEPTH_MAX, DEPTH_MAX + 8, 200, 3_000)


@dataclass(slots=True)
class Known:
    """What is there to be spoken of, the latest only."""

    plans: deque[str] = field(default_factory=lambda: deque(maxlen=20))
    held: deque[tuple[str, str]] = field(default_factory=lambda: deque(maxlen=20))

    def learn(self, data: Arguments) -> None:
        """Remember a plan that was made, or a step that was claimed."""
        step = data.get("step")
        if isinstance(step, dict) and "lease" in step:
            self.held.append((step["step_id"], step["lease"]["token"]))
        elif isinstance(data.get("plan_id"), str):
            self.plans.append(data["plan_id"])


@dataclass(slots=True)
class Sent:
    """One request: what is sent, what was done to it, and how deep its arguments are nested."""

    method: str
    path: str
    headers: Headers
    body: bytes
    faults: list[str]
    depth: int = 0
    # How much of the body comes before the caller is gone; all of it, mostly.
    kept: int | None = None


def sent(chance: Random, number: int, known: Known, token: str) -> Sent:
    """Return a request to the door."""
    is_new = chance.random() < 0.5
    faults: list[str] = []
    depth = 0
    if chance.random() < 0.5:
        made = message(chance, number, is_new=is_new)
        body, method, name = made.body, made.method, made.name
        faults.append("rubbish")
    else:
        method, (name, arguments, depth) = "tools/call", _meant(chance, known, faults)
        body = _written(number, name, arguments, depth, is_new=is_new)
    headers = _headers(chance, method, name, token, faults, is_new=is_new)
    found = Sent(chance.choice(METHODS), chance.choice(PATHS), headers, body, faults, depth)
    if chance.random() < 0.04:
        found.kept = chance.randrange(len(body) + 1)
        faults.append("half a body")
    return found


def _written(number: int, name: str, arguments: Arguments, depth: int, *, is_new: bool) -> bytes:
    params: Arguments = {"name": name, "arguments": arguments}
    params |= {"_meta": META} if is_new else {}
    whole = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    deep = "[" * depth + "1" + "]" * depth
    return json.dumps(whole).replace('"<deep>"', deep).encode()


def _meant(chance: Random, known: Known, faults: list[str]) -> tuple[str, Arguments, int]:
    """Return a call that could be meant, mostly with something wrong; and how deep it is."""
    name, arguments = _call(chance, known)
    if arguments and chance.random() < 0.5:
        faults.append("arguments")
        key = chance.choice([*arguments])
        change = chance.randrange(4)
        if change == 0:
            del arguments[key]
        elif change == 1:
            arguments[key] = chance.choice(VALUES)
        elif change == 2:
            arguments[chance.choice(["__proto__", "planid", "Lease", "x" * 200])] = 1
        else:
            arguments[key] = chance.choice(
                [*known.plans, *(step for step, _ in known.held), RAW[0]]
            )
    depth = 0
    if "result" in arguments and chance.random() < 0.3:
        faults.append("depth")
        depth = chance.choice(DEPTHS)
        arguments["result"] = {"text": "<deep>"}
    return name, arguments, depth


def _call(chance: Random, known: Known) -> tuple[str, Arguments]:
    plan = chance.choice(known.plans)
    step, lease = chance.choice(known.held)
    request = {"request_id": f"again-{chance.randrange(30)}"} if chance.random() < 0.2 else {}
    calls: list[tuple[str, Arguments]] = [
        ("create_research_plan", {**new_plan(chance.randrange(1, 4)), **request}),
        ("get_next_step", {"plan_id": plan}),
        ("get_plan_status", {"plan_id": plan}),
        ("submit_step_result", {
            "step_id": step, "lease": lease, "result_summary": "s", "result": {"a": 1}, **request,
        }),
        ("store_research", {
            "plan_id": plan, "artifact_type": "notes", "title": "t", "content": "c", **request,
        }),
        ("fail_step", {"step_id": step, "lease": lease, "reason": "no"}),
    ]  # fmt: skip
    return chance.choice(calls)


def _headers(
    chance: Random, method: str, name: str, token: str, faults: list[str], *, is_new: bool
) -> Headers:
    found = {
        "host": "localhost", "accept": "application/json, text/event-stream",
        "content-type": "application/json", "authorization": f"Bearer {token}",
        "mcp-protocol-version": NEW if is_new else OLD,
    }  # fmt: skip
    if is_new:
        found["mcp-method"] = method
        if name and name.isascii() and name.isprintable():
            found["mcp-name"] = name[:200]
    if chance.random() < 0.2:
        faults.append("headers")
        for _ in range(chance.randrange(1, 3)):
            key, value = chance.choice(WRONG)
            found[key.lower()] = value
    return {key: value for key, value in found.items() if value}
