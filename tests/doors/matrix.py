"""Two tenants, and every command that takes an id: its own, a foreign, an absent, a deleted one.

Made from the rows: whoever adds a command that names something has it tried by all that ask here.
"""

import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpx2

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from tests.doors.rest.calling import on, send, token
from tests.stage import AWAY, Stage
from tests.world import Document, World, settle

EVERYTHING: Final = ("read", "work", "decide", "admin")
OWN_WORDS: Final = frozenset({"request_id", "session_id", "question_id"})
MORE_IDS: Final = {
    "get_content": ("digest",), "link_gate": ("person",), "verify_audit": ("unit",),
}  # fmt: skip
"""Fields that name something and are not called so."""

GIVEN_AS: Final = {"person": "user_id", "unit": "unit_id"}
"""Under which name such a field is given, where it has another one."""

INSTEAD: Final = {"gate_id": "step_id", "artifact_id": "source_text"}
"""What is said in place of what: one of the two."""

SAYS_MORE: Final[dict[tuple[str, str], Document]] = {
    ("modify_plan", "step_id"): {"action": "retry_step", "name": None},
    ("log_skill_execution", "skill_execution_id"): {"status": "completed"},
}
"""What else must be said, so that an id is looked at."""

LONGEST: Final = re.compile(r"[0-9A-Za-z]{6,}")
ANSWERED: Final = ("content-type", "etag", "location", "cache-control", "www-authenticate")


def ids_of(row: AnyCommand) -> Iterator[str]:
    """Yield the fields of a command that name something."""
    for name in row.takes.model_fields:
        if (name == "id" or name.endswith("_id")) and name not in OWN_WORDS:
            yield name
    yield from MORE_IDS.get(row.name, ())


def asking(row: AnyCommand, field: str, told: Document, name: object) -> Document:
    """Return what a command is called with, with another id in one field."""
    found = {**told, **SAYS_MORE.get((row.name, field), {}), field: name}
    if field not in told:
        found.pop(INSTEAD.get(field, ""), None)
    return {key: value for key, value in found.items() if value is not None}


def absent(name: str) -> str:
    """Return an id of the same form that never was: what was drawn stands there backwards."""
    drawn = drawn_of(name)
    assert drawn != drawn[::-1]
    return name.replace(drawn, drawn[::-1])


def drawn_of(name: str) -> str:
    """Return the part of an id that was drawn for it: no two ids have the same."""
    found: list[str] = LONGEST.findall(name)
    return max(found, key=len)


@dataclass(slots=True)
class Matrix:
    """Two tenants, and everything that the first one can be called by."""

    home: World
    away: World
    http: httpx2.AsyncClient
    # The same door for an agent of ours: some things only agents do.
    agents: httpx2.AsyncClient

    def client(self, row: AnyCommand) -> httpx2.AsyncClient:
        """Return by whom a command is called."""
        return self.agents if self.home.is_for_agents(row) else self.http

    async def others(self, row: AnyCommand, field: str) -> dict[str, str]:
        """Return ids that one of ours looks for in vain: of others, of nothing, of the deleted."""
        key = GIVEN_AS.get(field, field)
        await self.away.arguments(row)
        foreign = str(self.away.given[key])
        found = {"foreign": foreign, "absent": absent(foreign)}
        await self.home.arguments(row)
        if await self.delete(row, field):
            found["deleted"] = str(self.home.given[key])
        return found

    async def delete(self, row: AnyCommand, field: str) -> bool:
        """Delete what a field names, where that can be done at all."""
        given, stage, by = self.home.given, self.home.stage, self.home.by
        ways = {
            "invitation_id": "withdraw_invitation", "token_id": "revoke_token",
            "browser_session_id": "end_session", "hook_id": "delete_webhook",
        }  # fmt: skip
        if field in ways:
            await stage.call(ways[field], by, **{field: given[field]})
        elif field == "delivery_id":
            await stage.call("delete_webhook", by, hook_id=given["hook_id"])
        elif field in ("user_id", "person", "skill_execution_id", "project_id"):
            return False  # people are shut out, executions told by their units, projects archived
        else:
            unit = str(given["unit_id"])
            if unit.startswith(("mission-", "ticket-")):
                if row.name == "finish":
                    # What is delivered cannot be cancelled any more.
                    await stage.call("finish", by, ticket_id=unit)
                elif row.name != "reset_mission":
                    await stage.call("cancel", by, id=unit, reason="enough")
            elif row.name != "delete_unit":
                await stage.call("fail_plan", by, plan_id=unit, reason="enough")
            await stage.call("delete_unit", by, id=unit)
        return True


@asynccontextmanager
async def matrix(stage: Stage) -> AsyncIterator[Matrix]:
    """Settle both tenants, and open the door to the first."""
    home, away = await settle(stage), await settle(stage, "quixote", AWAY)
    secret = await token(stage, "user", *EVERYTHING, by=home.by)
    async with on(stage, secret) as http, on(stage, home.secret) as agents:
        yield Matrix(home, away, http, agents)


def answered(answer: httpx2.Response, name: str) -> tuple[object, ...]:
    """Return all that tells answers apart, with the id taken out."""
    text = answer.text.replace(drawn_of(name), "*")
    headers = {key: answer.headers[key] for key in ANSWERED if key in answer.headers}
    return answer.status_code, headers, text


def probes(rows: Iterable[AnyCommand] | None = None) -> Iterator[tuple[AnyCommand, str]]:
    """Yield every command with every field of it that names something."""
    for row in COMMANDS.values() if rows is None else rows:
        for field in ids_of(row):
            yield row, field


async def told_apart(all_of_it: Matrix, row: AnyCommand, field: str) -> tuple[int, list[object]]:
    """Ask for one thing over HTTP in every way; return in how many, and what tells them apart."""
    wrong: list[object] = []
    others = await all_of_it.others(row, field)
    told = await all_of_it.home.arguments(row)
    said = {}
    for case, name in others.items():
        given = asking(row, field, told, name)
        said[case] = answered(await send(all_of_it.client(row), row, given), name)
    if any(one != said["absent"] for one in said.values()):
        wrong.append((row.name, field, said))
    if said["absent"][0] != 404:
        wrong.append((row.name, field, said["absent"]))
    own = await send(all_of_it.client(row), row, told)
    if own.status_code >= 300 and row.name != "extract_data":
        wrong.append((row.name, field, own.text))
    return len(said), wrong
