"""The fuzz of MCP messages: the whole door over HTTP in this process, and a look at its database.

Whatever is sent, in either era: no 5xx, no stack trace, nothing unanswered; and what is refused
has changed nothing. Bytes on real pipes and sockets are for ``tests/doors/mcp/test_fuzz.py``.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, MutableMapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, cast

import apsw
import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp

from interlock.commands import verbs
from interlock.doors import http as shared
from interlock.doors.http import Doors, Guard
from interlock.doors.mcp import call, http
from interlock.doors.mcp.call import Desk
from interlock.doors.mcp.http import PATH, McpHttp
from interlock.doors.mcp.tools import toolset
from interlock.errors import InterlockError
from interlock.service.engine import Principal
from interlock.service.late import LATE
from interlock.wire.envelope import Envelope
from tests.doors.mcp.judging import is_refused, strict, wrong_over_http
from tests.doors.rest.calling import token
from tests.fuzz.messages import Known, Sent, sent
from tests.stage import ADA, PAT, Stage, new_plan, opened
from tests.torture.frame import Campaign, Leg, Tried

SMALL: Final = 5_000
LONG: Final = 1_000_000
PATIENCE_S: Final = 60.0
BODY_MAX: Final = 200_000
FINDINGS_MAX: Final = 5
DEPTH_ALLOWED: Final = verbs.DEPTH_MAX


@dataclass(slots=True)
class Heard:
    """What came back."""

    status: int = 0
    kind: str = ""
    text: bytes = b""


class Stories(logging.Handler):
    """Keeps the stack traces that the server writes down."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what has a stack trace."""
        if record.exc_info:
            self.told.append(f"{record.getMessage()}: {record.exc_info[1]!r}")


class Ledger:
    """Sees every commit to a database from outside, and what is in it but late results."""

    def __init__(self, path: Path) -> None:
        """Look from a connection of its own."""
        self.file = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        tables = self.file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        names = {str(name) for (name,) in tables} - {"units", "parts", "artifacts", "contents"}
        counts = [f'(SELECT count(*) FROM "{name}")' for name in sorted(names)]  # noqa: S608 (names of our tables)
        counts += [
            "(SELECT count(*) || ':' || sum(version) FROM units)",
            "(SELECT count(*) || ':' || sum(coalesce(due, 0)) FROM parts)",
            f"(SELECT count(*) FROM artifacts WHERE mark <> '{LATE}')",  # noqa: S608 (a word of ours)
        ]
        self.question = f"SELECT {', '.join(counts)}"
        self.commits = self._commits()
        self.state = self._state()

    def changed(self) -> tuple[bool, bool]:
        """Say whether anything was committed since, and whether it was more than a late result."""
        commits = self._commits()
        if commits == self.commits:
            return False, False
        before, self.state, self.commits = self.state, self._state(), commits
        return True, before != self.state

    def _commits(self) -> int:
        return int(self.file.pragma("data_version"))

    def _state(self) -> tuple[object, ...]:
        return tuple(self.file.execute(self.question).fetchone() or ())


@dataclass(slots=True)
class Fuzz:
    """A door, what was sent to it, and what was wrong with how it answered."""

    app: ASGIApp
    token: str
    known: Known
    ledger: Ledger
    stories: Stories
    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    async def send(self, one: Sent) -> str:
        """Send a request; return what is wrong with the answer."""
        self.faults.update(one.faults)
        self.counts["messages"] += 1
        try:
            async with asyncio.timeout(PATIENCE_S):
                heard = await post(self.app, one)
        except TimeoutError:
            return "no end of it"
        except Exception as exc:  # noqa: BLE001  a web server would answer 500
            return f"{type(exc).__name__} is let out: {exc}"
        if self.stories.told:
            return f"a stack trace is written down: {self.stories.told.pop()}"
        if heard.status == 0:
            return "" if one.kept is not None else "no answer at all"
        whole = one.body if one.kept is None else one.body[: one.kept]
        return wrong_over_http(heard.status, heard.kind, heard.text, whole) or self._weigh(
            one, heard
        )

    def _weigh(self, one: Sent, heard: Heard) -> str:
        """Compare what was told with what is there."""
        is_done, data = _done(heard)
        self.counts["done" if is_done else "refused"] += 1
        is_written, is_more = self.ledger.changed()
        self.counts["written"] += is_written
        if is_more and not is_done:
            return f"refused with {heard.status}, and yet something has changed"
        if is_done and one.depth > DEPTH_ALLOWED:
            return f"taken although it is nested {one.depth} deep"
        self.known.learn(data)
        return ""


def _done(heard: Heard) -> tuple[bool, dict[str, Any]]:
    """Say whether a tool was called and not refused, and return what it told."""
    if heard.status != 200 or heard.kind != "application/json":
        return False, {}
    told = strict(heard.text)
    if is_refused(told):
        return False, {}
    return True, told["result"].get("structuredContent", {}).get("data", {})


async def post(app: ASGIApp, one: Sent) -> Heard:
    """Send a request as a web server would hand it on; one that is cut off ends in silence."""
    heard = Heard()
    parts = [one.body] if one.kept is None else [one.body[: one.kept]]

    async def receive() -> dict[str, object]:
        if not parts:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": parts.pop(), "more_body": one.kept is not None}

    async def send(event: MutableMapping[str, Any]) -> None:
        if event["type"] == "http.response.start":
            heard.status = event["status"]
            kinds = [value for name, value in event["headers"] if name.lower() == b"content-type"]
            heard.kind = kinds[0].decode().partition(";")[0] if kinds else ""
        else:
            heard.text += event.get("body", b"")

    headers = [(name.encode(), value.encode("latin-1")) for name, value in one.headers.items()]
    headers.append((b"content-length", str(len(one.body)).encode()))
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": one.method,
        "scheme": "http", "path": one.path, "raw_path": one.path.encode(), "query_string": b"",
        "root_path": "", "headers": headers, "client": ("127.0.0.1", 1), "server": ("localhost", 80),
    }  # fmt: skip
    await app(scope, receive, send)
    return heard


@asynccontextmanager
async def fuzz(path: Path) -> AsyncIterator[Fuzz]:
    """Open the door on a new database, with a few units to speak of."""
    stories = Stories()
    logging.getLogger().addHandler(stories)
    try:
        async with opened(path) as stage:
            door = McpHttp(Desk(stage.engine, toolset("all")), BODY_MAX)
            async with door.running():
                app = Guard(Doors({PATH: door}, Starlette()), [])
                known = await _settled(stage)
                yield Fuzz(app, await token(stage, by=PAT), known, Ledger(path), stories)
    finally:
        logging.getLogger().removeHandler(stories)


async def _settled(stage: Stage) -> Known:
    known = Known()
    for _ in range(6):
        made = await stage.call("create_research_plan", ADA, **new_plan(3))
        known.learn(dict(made.data))
        known.held.append(await stage.claim(known.plans[-1], ADA))
    return known


def run(leg: Leg) -> Tried:
    """Send so many messages."""
    chance = Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    findings: list[str] = []

    async def story() -> Fuzz:
        async with fuzz(leg.folder / "fuzzed.db") as door:
            with planted(leg.bug):
                for number in range(leg.amount):
                    one = sent(chance, number, door.known, door.token)
                    if wrong := await door.send(one):
                        findings.append(f"message {number}, {one.body[:300]!r}: {wrong}")
                    if len(findings) >= FINDINGS_MAX:
                        break
        return door

    door = asyncio.run(story())
    return Tried(dict(door.counts), dict(door.faults), findings)


# -- bugs --------------------------------------------------------------------------------------


def _no_zero(_: Mapping[str, object], value: object) -> object:
    """Fail of a character that nobody thought of, where nothing catches it."""
    if "\\x00" in repr(value):
        raise ValueError("embedded null character")
    return value


async def _ascii_alone(*given: Any) -> Principal:  # noqa: ANN401 (engine and request)
    """Fail of a token that is no plain text, where nothing catches it."""
    given[1].headers.get("authorization", "").encode("ascii")
    return await found_who(*given)


async def _written_first(
    self: Desk, caller: Principal, command: str, arguments: Mapping[str, object]
) -> Envelope:
    """Note a call in the books before it is looked at."""
    try:
        return await run_desk(self, caller, command, arguments)
    except InterlockError:
        await self.engine.store.add_tenant(self.engine.clock.new_id("t"), "t", 1)
        raise


found_who: Final = shared.who
run_desk: Final = Desk.run
Planted = tuple[object, str, object]
BUGS: Final[dict[str, Planted]] = {
    "a value that breaks the MCP door": (call, "in_snake_case", _no_zero),
    "a token that breaks the MCP door": (http, "who", _ascii_alone),
    "a refused message that still writes": (Desk, "run", _written_first),
    "inputs nested without limit": (verbs, "DEPTH_MAX", 10**6),
}


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """Plant a bug for as long as this lasts; no name plants nothing."""
    with pytest.MonkeyPatch.context() as patch:
        if bug:
            patch.setattr(*cast("tuple[Any, str, object]", BUGS[bug]))
        yield


MCP: Final = Campaign("fuzz-mcp", ("P11", "P28"), "messages", SMALL, LONG, 20_000, run)
