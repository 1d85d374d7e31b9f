"""Every command of tickets, sent again: one effect and one answer; and on no other version."""

import asyncio
from typing import Any

import pytest

from interlock.commands.row import AnyCommand
from interlock.commands.ticket.rows import COMMANDS
from interlock.commands.verbs import LocalVerbs
from interlock.service.errors import StaleVersion
from interlock.service.verify import verify
from tests.stage import ADA, HOME, PAT, Stage, staged
from tests.ticket_world import MORE, bring

Told = dict[str, Any]
CHANGING = [row for row in COMMANDS if not row.is_read]
OTHERWISE: Told = {
    "reason": "for another reason", "title": "Sell pears", "description": "Green ones.",
    "text": "Otherwise.", "content": "{}", "content_digest": "0" * 64, "note": "Again.", "batch": 9,
}  # fmt: skip
"""What may be said otherwise."""


async def asked(stage: Stage, row: AnyCommand, number: int) -> tuple[str, Told]:
    """Bring a ticket to where a command wants it; return it, and what is said."""
    given = await bring(stage, PAT, ADA, row.name, [f"only-{row.name}-{number}"])
    fields = row.takes.model_fields
    names = {name for name, one in fields.items() if one.is_required()}
    names |= ({"content_digest"} & fields.keys()) | MORE.get(row.name, frozenset())
    return str(given["unit_id"]), {name: given[name] for name in names}


async def marks(stage: Stage) -> list[object]:
    """Return what stands of every ticket."""
    rows = await stage.engine.store.units(HOME, "ticket", None, 200)
    return [(one.row.id, await stage.mark(one.row.id)) for one in rows]


@staged
async def test_the_same_request_has_one_effect_and_one_answer(stage: Stage) -> None:
    for row in CHANGING:
        _, said = await asked(stage, row, 1)
        before = await marks(stage)
        said["request_id"] = f"r-{row.name}"
        first = await stage.call(row.name, PAT, **said)
        after = await marks(stage)
        assert after != before, row.name
        copies = await asyncio.gather(*(stage.call(row.name, PAT, **said) for _ in range(4)))

        assert [one for one in copies if one != first] == [], row.name
        assert await marks(stage) == after, row.name
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_request_id_is_good_for_one_question(stage: Stage) -> None:
    for row in CHANGING:
        _, said = await asked(stage, row, 2)
        said["request_id"] = f"r-{row.name}"
        await stage.call(row.name, PAT, **said)
        before = await marks(stage)
        fields = row.takes.model_fields
        other = {name: value for name, value in OTHERWISE.items() if name in fields}
        if not other:
            continue
        no = await stage.refused(row.name, PAT, **{**said, **other})

        assert no.code == "IDEMPOTENCY_MISMATCH", row.name
        assert await marks(stage) == before, row.name


@staged
async def test_on_a_version_that_has_passed_nothing_is_changed(stage: Stage) -> None:
    for row in CHANGING:
        ticket, said = await asked(stage, row, 3)
        if not ticket:
            continue
        before = await stage.mark(ticket)
        version = (await stage.whole(ticket)).row.version
        with pytest.raises(StaleVersion):
            await LocalVerbs(stage.engine, PAT).call(row.name, said, version - 1)
        assert await stage.mark(ticket) == before, row.name
        await LocalVerbs(stage.engine, PAT).call(row.name, said, version)
        assert await stage.mark(ticket) != before, row.name
