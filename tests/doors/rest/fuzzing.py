"""Requests thought up from the OpenAPI document, sent to the door as four callers.

Half of what is thought up fits the document, half does not. Where ids are asked for, ones that
were seen in earlier answers are often put in their place: else nothing would ever be found.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, cast
from urllib.parse import quote

import httpx2
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import FailureGroup

from interlock.doors.rest.door import RestHttp
from interlock.doors.rest.openapi import document
from interlock.doors.rest.places import EVENTS
from tests.doors.rest.calling import application, token
from tests.stage import PAT, Stage, opened

SEED: Final = 20_261
BASE: Final = "http://localhost/v1"
CHECKED: Final = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "negative_data_rejection",
)  # fmt: skip
REFUSED: Final = ["400", "401", "403", "404", "405", "409", "412", "413", "415", "422", "424"]
"""How what does not fit the document may be answered."""

CALLERS: Final = {
    "none": None,
    "agent": ("agent", "read", "work"),
    "member": ("user", "read", "work", "decide"),
    "owner": ("user", "read", "work", "decide", "admin"),
}
FOUND_OFTEN: Final = 0.7
FILLED: Final = 2
WAIT_S: Final = 0.01
"""How long a caller waits for work here: a fuzzer has none of the time that agents have."""

LONG_BODY: Final = 2 * 1024 * 1024

NAMES: Final = {
    "plan_id": ("plan_id", "id", "unit_id"), "step_id": ("step_id", "part_id"),
    "artifact_id": ("artifact_id",), "digest": ("digest", "content_digest"),
    "token": ("lease",), "gate_id": ("gate_id",), "name": ("name",),
    "skill_execution_id": ("skill_execution_id",),
}  # fmt: skip
"""Under which names something asks for what answers call so."""

Case = Any
Operation = Any
Wanted = tuple[Callable[..., Any], settings]


def operations() -> list[Operation]:
    """Return every operation but the one that never ends, without what it says about tokens."""
    told = document()
    # Who calls is decided here: the generator must not think up tokens of its own.
    del told["security"], cast("dict[str, object]", told["components"])["securitySchemes"]
    schema = schemathesis.openapi.from_dict(told)
    schema.config.update(base_url=BASE)
    schema.config.checks.negative_data_rejection.expected_statuses = REFUSED
    found = [cast("Any", one).ok() for one in schema.get_all_operations()]
    return [one for one in found if one.path != EVENTS]


@dataclass(slots=True)
class Pool:
    """Ids that were seen in answers, by the name under which something asks for them."""

    random: Random
    seen: dict[str, list[str]] = field(default_factory=dict)

    def learn(self, value: object) -> None:
        """Remember the ids in an answer."""
        if isinstance(value, dict):
            for key, one in value.items():
                if isinstance(one, str):
                    for name in NAMES.get(key, ()):
                        self.seen.setdefault(name, []).append(one)
                self.learn(one)
        elif isinstance(value, list):
            for one in value[:20]:
                self.learn(one)

    def fill(self, given: object, spell: Callable[[str], str] = str) -> None:
        """Put ids that were seen in the place of ids that were thought up."""
        if not isinstance(given, dict):
            return
        for name in given:
            if self.seen.get(name) and self.random.random() < FOUND_OFTEN:
                given[name] = spell(self.random.choice(self.seen[name][-50:]))


@dataclass(slots=True)
class Fuzzer:
    """Sends cases to a door, judges the answers, and keeps what was wrong with them."""

    runner: asyncio.Runner
    client: httpx2.AsyncClient
    tokens: dict[str, str]
    pool: Pool
    seed: int = SEED
    counts: Counter[tuple[str, int]] = field(default_factory=Counter)
    wrong: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def sent(self) -> int:
        """How many requests were sent."""
        return sum(self.counts.values())

    def fuzz(self, operation: Operation, examples: int, turn: int = 0) -> None:
        """Think up requests to an operation, and send each as every caller."""
        load_all_checks()
        checks = [CHECKS.get_one(name) for name in CHECKED]

        def send_filled(case: Case) -> None:
            # Thinking one up costs more than sending it: each is sent about several things.
            for _ in range(FILLED):
                self.pool.fill(case.path_parameters, lambda text: quote(text, safe=""))
                self.pool.fill(case.body)
                if isinstance(case.body, dict) and "wait_s" in case.body:
                    case.body["wait_s"] = WAIT_S
                self._send(case, checks)

        def send(case: Case) -> None:
            self._send(case, checks)

        wanted = seed(self.seed + turn), settings(
            max_examples=examples, database=None, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        _explored(operation, GenerationMode.POSITIVE, wanted, send_filled)
        _explored(operation, GenerationMode.NEGATIVE, wanted, send)

    def _send(self, case: Case, checks: list[Any]) -> None:
        given = case.as_transport_kwargs(base_url=BASE)
        headers = {name: value for name, value in given["headers"].items() if value is not None}
        parts = {
            name: given[name] for name in ("params", "json", "data") if given.get(name) is not None
        }
        if "data" in parts:
            parts["content"] = parts.pop("data")
        judged: set[object] = set()
        for who, secret in self.tokens.items():
            known = {**headers, "Authorization": f"Bearer {secret}"} if secret else headers
            try:
                request = self.client.build_request(
                    given["method"], given["url"], headers=known, **parts
                )
                answer = self.runner.run(self.client.send(request))
            except httpx2.InvalidURL:
                return  # longer than this client can send
            self.counts[who, answer.status_code] += 1
            self._look(case, who, answer)
            # Several callers are often told the same, and one look at it is enough.
            told = answer.status_code, answer.text, tuple(sorted(answer.headers))
            if told not in judged:
                judged.add(told)
                self._judge(case, who, answer, checks)

    def _look(self, case: Case, who: str, answer: httpx2.Response) -> None:
        """Look at what is for one caller alone, and learn from it."""
        label = f"{who}: {case.operation.label}"
        if (
            who == "none"
            and answer.status_code not in (400, 401)
            and case.operation.path != "/openapi.json"
        ):
            self.wrong[label, "let in"] = answer.text[:300]
        if answer.is_success and answer.headers["content-type"] == "application/json":
            self.pool.learn(json.loads(answer.text).get("data"))

    def _judge(self, case: Case, who: str, answer: httpx2.Response, checks: list[Any]) -> None:
        """Compare an answer with the document."""
        label = f"{who}: {case.operation.label}"
        try:
            case.validate_response(answer, checks=checks)
        except FailureGroup as found:
            told = [str(one) for one in found.exceptions]
            self.wrong[label, told[0][:60]] = f"{told} {answer.request.url} {answer.text[:300]}"


def _explored(
    operation: Operation, mode: GenerationMode, wanted: Wanted, send: Callable[[Case], None]
) -> None:
    """Have cases thought up; the same ones every time."""
    seeded, how = wanted
    try:
        think: Any = given(operation.as_strategy(generation_mode=mode))
        seeded(how(think(send)))()
    except Unsatisfiable:
        # Some operations take nothing, so nothing can be wrong with it.
        assert mode is GenerationMode.NEGATIVE, operation.label


@contextmanager
def fuzzer(where: Path, begins: int = SEED) -> Iterator[Fuzzer]:
    """Open a door on a new database, with four callers and something to find."""
    stack = AsyncExitStack()

    async def begin() -> tuple[httpx2.AsyncClient, dict[str, str], Pool]:
        stage = await stack.enter_async_context(opened(where))
        made = application(RestHttp(stage.engine, LONG_BODY))
        client = httpx2.AsyncClient(transport=httpx2.ASGITransport(made), base_url=BASE)
        await stack.enter_async_context(client)
        tokens = {}
        for who, wants in CALLERS.items():
            tokens[who] = "" if wants is None else await token(stage, wants[0], *wants[1:])
        pool = Pool(Random(begins))  # noqa: S311  a seed is the point
        await _plant(stage, pool)
        return client, tokens, pool

    with asyncio.Runner() as runner:
        client, tokens, pool = runner.run(begin())
        try:
            yield Fuzzer(runner, client, tokens, pool, begins)
        finally:
            runner.run(stack.aclose())


async def _plant(stage: Stage, pool: Pool) -> None:
    """Make some units in some states, so that there is something to find from the start."""
    pool.learn({"name": "plan"})
    for _ in range(6):
        plan = await stage.plan(3, PAT, max_parallel_steps=3)
        step, lease = await stage.claim(plan, PAT)
        told = {"plan_id": plan, "artifact_type": "notes", "title": "t", "content": "c"}
        kept = await stage.call("store_research", PAT, **told)
        pool.learn([kept.data, {"plan_id": plan, "step_id": step, "token": lease}])
        pool.learn({"step_id": f"{plan}.2"})
