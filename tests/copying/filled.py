"""A database with something in every table, of two tenants: made by the commands of all workflows.

Which commands are sent is drawn from a seed; those that fill a table nobody else fills are always
among them. A table that is added later and stays empty here is told by ``test_filled``.
"""

import random
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from interlock.commands.all import COMMANDS
from interlock.outside.model import ModelNotConfigured
from interlock.service.deliver import Notebook, note_happened
from interlock.service.engine import Principal
from interlock.service.index import index_due
from interlock.service.people import invite
from interlock.store.library import UsageRow
from interlock.store.port import CallRow
from tests.stage import AWAY, HOME, Stage, opened
from tests.world import World, settle

NEEDED: Final = (
    "append_log", "create_login_link", "create_webhook", "decide_gate", "delete_unit", "execute_hop",
    "link_gate", "list_sessions", "end_session", "log_skill_execution", "submit_feedback",
    "report_merge", "test_webhook", "submit_work",
)  # fmt: skip
"""Commands without which a table stays empty."""

TENANTS: Final = ((HOME, "pam"), (AWAY, "eva"))


async def fill(stage: Stage, chance: random.Random, commands: int, word: str = "apple") -> None:
    """Send so many commands for each tenant beside those that are needed; some say a word."""
    for tenant, name in TENANTS:
        world = await settle(stage, name, tenant)
        others = sorted(COMMANDS.keys() - set(NEEDED))
        for command in (*NEEDED, *chance.sample(others, commands)):
            await _send(world, command)
        await _beside(stage, world.by, f"{word}{tenant}")
    notebook = Notebook()
    await note_happened(stage.engine, notebook)
    # What comes after it is still to be told to the hooks.
    for tenant, _ in TENANTS:
        await stage.plan(2, Principal(tenant, "agent", "ada", frozenset({"read", "work"})))


async def _send(world: World, name: str) -> None:
    row = COMMANDS[name]
    by = world.agent if world.is_for_agents(row) else world.by
    told = await world.arguments(row)
    if "request_id" in row.takes.model_fields:
        told["request_id"] = f"request-{name}"
    # Some commands want a model, which nobody here has.
    with suppress(ModelNotConfigured):
        await world.stage.call(name, by, **told)


async def _beside(stage: Stage, by: Principal, word: str) -> None:
    """Fill what no command fills: indexes, logs, logins, counters."""
    store, now = stage.engine.store, stage.engine.store.now()
    first, second = {"instructions": "look"}, {"instructions": "tell", "depends_on": [1]}
    branch = {"after_step_order": 1, "expression": "result.go === true", "action": "skip_to"}
    plan = await stage.plan(
        2, by, name=word, steps=[first, second],
        branching_conditions=[{**branch, "target_step_order": 2}],
    )  # fmt: skip
    kept = {"plan_id": plan, "artifact_type": "notes", "title": word, "content": f"{word} is red"}
    await stage.call("store_research", by, **kept)
    while await index_due(stage.engine):
        pass
    # One more, which nobody has indexed yet.
    await stage.call("store_research", by, **{**kept, "title": "later"})
    await invite(stage.engine, by, f"{word}@example.org", "viewer")
    usage = UsageRow(f"usage-{word}", by.id, "embed", "m", 1, 2, now)
    await store.library.spend(by.tenant, usage, None, "")
    call = CallRow(by.tenant, now, f"call-{word}", "t", "user", by.id, "s", "mcp", word, word, 1, 0)
    await store.add_calls(by.tenant, [call])
    await store.people.count_try(sha256(word.encode()).hexdigest(), now // 60_000)


async def filled(path: Path, seed: int, commands: int) -> Path:
    """Make a file with something in every table."""
    chance = random.Random(seed)  # noqa: S311 (repeatable on purpose)
    async with opened(path) as stage:
        await fill(stage, chance, commands)
    return path
