"""Safe resume: what was tampered with while nobody looked is rebuilt or blocked, and named."""

import logging
from typing import Any

import pytest

from interlock.kernel.trouble import CODE
from interlock.service.resume import make_sound, require_sound, resume_all
from interlock.service.verify import verify
from tests.service.tampering import (
    DRAFTING,
    Tampers,
    alter,
    blueprint,
    break_chain,
    drafting,
    make_chain_garbage,
    part_set,
    unchain,
    unit_set,
)
from tests.stage import ADA, AWAY, HOME, PAT, Stage, opened, staged
from tests.tickets import claim, phase_of, started, status_of, ticket, work

Told = dict[str, Any]


async def error_of(stage: Stage, name: str) -> Told:
    told = await status_of(stage, name)
    assert told["phase"]["name"] == "BLOCKED_ERROR", told
    return dict(told["error"])


# -- rebuilt -----------------------------------------------------------------------------------


@staged
@pytest.mark.parametrize("left", ["", "{}", "null", "[1", '"x"', "\\x00{"])
async def test_fields_that_are_gone_are_rebuilt_and_written_back(
    stage: Stage, caplog: pytest.LogCaptureFixture, left: str
) -> None:
    name = await drafting(stage)
    before = (await stage.whole(name)).row.unit.fields
    await unit_set(f"fields = '{left}'")(stage, name)

    with caplog.at_level(logging.WARNING, "interlock.resume"):
        async with opened(stage.where) as later:
            assert await phase_of(later, name) == DRAFTING
            assert dict((await later.whole(name)).row.unit.fields) == dict(before)
            assert (await verify(later.engine, HOME)).findings == []
            (note,) = [one for one in await later.audit(name) if one["event"] == "rebuild"]
            assert note["change"] == "note"
            # It goes on as if nothing had happened.
            await work(later, name, members=("cleo",))
            assert (await status_of(later, name))["council"]["drafted"] == ["ann", "cleo"]
    assert f"{name} was rebuilt from its audit" in caplog.text


# -- blocked -----------------------------------------------------------------------------------

WRONG: dict[str, tuple[Tampers, str, str]] = {
    "unknown phase": (unit_set("status = 'DREAMING'"), "no status 'DREAMING'", DRAFTING),
    "missing context": (
        unit_set("""fields = replace(fields, '"quorum"', '"quorun"')"""),
        "its quorum is missing", DRAFTING,
    ),
    "context of another kind": (
        unit_set("""fields = replace(fields, '"quorum":2', '"quorum":"two"')"""),
        "its quorum is 'two'", DRAFTING,
    ),
    "another phase": (
        unit_set("status = 'COUNCIL_VOTING_INTERVIEW'"), "the unit's status",
        "COUNCIL_VOTING_INTERVIEW",
    ),
    "ended, but not": (unit_set("status = 'COMPLETED'"), "the unit's status", DRAFTING),
    "wrong tally": (unit_set("""tally = '{"bead":{"done":1}}'"""), "the tally is wrong", DRAFTING),
    "garbage tally": (unit_set("tally = '{'"), "cannot be read", DRAFTING),
    "impossible assignment": (
        part_set("assignment", "status = 'dreaming'"), "assignment dreaming", DRAFTING,
    ),
    "garbage in a part": (part_set("assignment", "fields = '{'"), "cannot be read", DRAFTING),
    "broken chain": (break_chain, "entry 2: the hash does not fit", DRAFTING),
    "garbage in the chain": (make_chain_garbage, "entry 3: the hash does not fit", DRAFTING),
}  # fmt: skip


@staged
@pytest.mark.parametrize("case", WRONG)
async def test_what_is_corrupt_is_blocked_and_named_and_nothing_else_is_touched(
    stage: Stage, case: str
) -> None:
    tamper, named, previous = WRONG[case]
    name, other = await drafting(stage), await ticket(stage)
    before = await stage.mark(other)
    await tamper(stage, name)

    async with opened(stage.where) as later:
        error = await error_of(later, name)
        assert error["code"] == CODE
        assert named in error["message"]
        assert (error["previous_status"], error["occurrence"]) == (previous, 1)
        assert await phase_of(later, other) == "DRAFT"
        assert await later.mark(other) == before
        whole = await later.whole(name)
        assert name not in whole.due
        assert [row.part.status for row in whole.parts] == ["submitted", "cancelled", "cancelled"]
        gates = await later.engine.store.gates.of_unit(HOME, name)
        assert [one.status for one in gates if one.is_open] == ["BLOCKED_ERROR"]
        found = [str(one) for one in (await verify(later.engine, HOME)).findings]
        # A chain that is broken stays so where it broke; all else is in order again.
        assert len(found) == ("chain" in case)
        assert all(named in one for one in found)
        # It goes back to exactly where it was, unless the audit can prove nothing any more, or
        # no ticket could be where the row said.
        if "chain" in case:
            no = await later.refused("retry", PAT, ticket_id=name)
            assert (no.code, named in no.message) == (CODE, True)
            await later.call("cancel", PAT, id=name, reason="no longer trusted")
            assert await phase_of(later, name) == "CANCELED"
        else:
            await later.call("retry", PAT, ticket_id=name)
            assert await phase_of(later, name) == previous
            assert (await verify(later.engine, HOME)).findings == []


@staged
async def test_a_bead_that_cannot_be_like_that_is_named(stage: Stage) -> None:
    name = await blueprint(stage)
    await part_set("bead", "status = 'in_progress'")(stage, name)

    async with opened(stage.where) as later:
        error = await error_of(later, name)
        assert "expected bead pending, found bead in_progress" in error["message"]
        assert error["previous_status"] == "WAITING_BEADS_APPROVAL"
        await later.call("retry", PAT, ticket_id=name)
        told = await status_of(later, name)
        assert told["phase"]["name"] == "WAITING_BEADS_APPROVAL"
        assert [one["status"] for one in told["beads"]] == ["pending", "pending"]


@staged
async def test_a_part_that_is_gone_comes_back_and_one_too_many_goes(stage: Stage) -> None:
    name = await drafting(stage)
    last = (await stage.whole(name)).parts[-1].number
    await stage.sql(f"DELETE FROM parts WHERE unit = '{name}' AND number = {last}")  # noqa: S608 (same)
    await alter(stage, "parts", "gone_at = NULL", f"unit = '{name}' AND number = 1")

    async with opened(stage.where) as later:
        assert "the order of the parts" in (await error_of(later, name))["message"]
        assert (await verify(later.engine, HOME)).findings == []
        await later.call("retry", PAT, ticket_id=name)
        assert await phase_of(later, name) == DRAFTING


@staged
async def test_a_ticket_whose_past_is_lost_can_only_be_cancelled(stage: Stage) -> None:
    name = await drafting(stage)
    await unchain(stage)
    await alter(stage, "audit", "body = '{'", f"unit = '{name}'")
    await unit_set("status = 'DREAMING', fields = '{'")(stage, name)

    async with opened(stage.where) as later:
        error = await error_of(later, name)
        assert (error["code"], error["previous_status"]) == (CODE, None)
        assert (await later.whole(name)).row.unit.fields["is_lost"] is True
        assert (await later.refused("retry", PAT, ticket_id=name)).code == CODE
        await later.call("cancel", PAT, id=name, reason="lost")
        assert await phase_of(later, name) == "CANCELED"


@staged
async def test_of_a_broken_audit_the_last_phase_that_can_be_read_is_believed(stage: Stage) -> None:
    name = await drafting(stage)
    await break_chain(stage, name)
    await unit_set("status = 'DREAMING', fields = '{'")(stage, name)

    async with opened(stage.where) as later:
        assert (await error_of(later, name))["previous_status"] == DRAFTING


@staged
async def test_a_blocked_ticket_keeps_where_it_came_from(stage: Stage) -> None:
    name = await started(stage)
    part = await claim(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"], "reason": "no model"}
    await stage.call("fail_work", ADA, **told)
    await unit_set("""fields = replace(fields, '"quorum"', '"quorun"')""")(stage, name)

    async with opened(stage.where) as later:
        error = await error_of(later, name)
        assert (error["code"], error["occurrence"]) == (CODE, 2)
        assert error["previous_status"] == "SCANNING_RELEVANT_FILES"
        assert (await verify(later.engine, HOME)).findings == []
        await later.call("retry", PAT, ticket_id=name)
        assert await phase_of(later, name) == "SCANNING_RELEVANT_FILES"


@staged
async def test_a_corrupt_draft_is_blocked_by_init_failed(stage: Stage) -> None:
    name = await ticket(stage)
    await unit_set("""fields = replace(fields, '"quorum"', '"quorun"')""")(stage, name)

    async with opened(stage.where) as later:
        assert (await error_of(later, name))["previous_status"] == "DRAFT"
        (moved,) = [one for one in await later.audit(name) if one["change"] == "move"]
        assert moved["signal"] == "INIT_FAILED"
        await later.call("retry", PAT, ticket_id=name)
        assert await phase_of(later, name) == "DRAFT"


@staged
async def test_what_has_ended_is_left_alone(stage: Stage) -> None:
    name = await drafting(stage)
    await stage.call("cancel", PAT, id=name, reason="enough")
    await break_chain(stage, name)

    async with opened(stage.where) as later:
        before = await later.mark(name)
        assert await resume_all(later.engine) == 0
        assert await phase_of(later, name) == "CANCELED"
        assert await later.mark(name) == before


# -- when it is looked at ----------------------------------------------------------------------


@staged
async def test_every_open_ticket_is_looked_at_in_the_background(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    names = [await ticket(stage) for _ in range(3)]
    await unit_set("fields = '{'")(stage, names[1])
    await unit_set("status = 'DREAMING'")(stage, names[2])

    async with opened(stage.where) as later:
        with caplog.at_level(logging.WARNING, "interlock.resume"):
            assert await resume_all(later.engine) == 3
        told = {one.id: one.status for one in await later.engine.store.bare_open(
            HOME, "ticket", None, 10
        )}  # fmt: skip
        assert told == dict(zip(names, ("DRAFT", "DRAFT", "BLOCKED_ERROR"), strict=True))
        assert f"{names[2]} was blocked: there is no status" in caplog.text
        assert (await later.call("list_tickets", PAT)).data["tickets"]


@staged
async def test_a_list_is_not_broken_off_by_what_is_corrupt(stage: Stage) -> None:
    names = [await ticket(stage) for _ in range(4)]
    await unit_set("fields = '{'")(stage, names[1])
    await unit_set("status = 'DREAMING'")(stage, names[2])
    await unit_set("tally = '{'")(stage, names[3])

    async with opened(stage.where) as later:
        told = (await later.call("list_tickets", PAT)).data["tickets"]
        assert isinstance(told, list)
        assert {one["ticket_id"]: one["phase"]["name"] for one in told} == dict(
            zip(names, ("DRAFT", "DRAFT", "BLOCKED_ERROR", "BLOCKED_ERROR"), strict=True)
        )


@staged
async def test_open_units_are_listed_page_by_page_with_whatever_they_hold(stage: Stage) -> None:
    names = {await ticket(stage) for _ in range(3)}
    await unit_set("fields = '{'")(stage, min(names))
    store = stage.engine.store

    found: list[str] = []
    place: tuple[int, str] | None = None
    while page := await store.bare_open(HOME, "ticket", place, 1):
        (row,) = page
        place = (row.changed_at, row.id)
        found.append(row.id)
    assert sorted(found) == sorted(names)
    odd = await store.bare(HOME, min(names))
    assert odd is not None
    assert (odd.fields, odd.status, odd.version) == ("{", "DRAFT", 1)
    assert await store.bare(AWAY, min(names)) is None
    assert await store.bare_open(AWAY, "ticket", None, 9) == ()
    assert await store.bare_open(HOME, "plan", None, 9) == ()


@staged
async def test_it_is_looked_at_once_and_blocked_once(stage: Stage) -> None:
    name = await drafting(stage)
    await break_chain(stage, name)

    async with opened(stage.where) as later:
        await make_sound(later.engine, HOME, name)
        before = await later.mark(name)
        assert (HOME, name) in later.engine.sound
        await make_sound(later.engine, HOME, name)
        assert (await later.refused("retry", PAT, ticket_id=name)).code == CODE
        assert await later.mark(name) == before
    async with opened(stage.where) as again:
        assert await resume_all(again.engine) == 1
        assert await again.mark(name) == before


@staged
async def test_nobody_goes_on_with_what_they_have_not_seen(stage: Stage) -> None:
    name = await started(stage)
    part = await claim(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"], "reason": "no model"}
    await stage.call("fail_work", ADA, **told)
    await unit_set("tally = '{}'")(stage, name)

    async with opened(stage.where) as later:
        no = await later.refused("retry", PAT, ticket_id=name)
        assert (no.code, "the tally is wrong" in no.message) == (CODE, True)
        assert (await error_of(later, name))["occurrence"] == 2
        await later.call("retry", PAT, ticket_id=name)


@staged
async def test_what_is_sound_is_not_touched(stage: Stage) -> None:
    name, other = await drafting(stage), await stage.plan()
    async with opened(stage.where) as later:
        before = await later.mark(name)
        assert await resume_all(later.engine) == 1
        await require_sound(later.engine, HOME, name)
        assert await later.mark(name) == before
        assert [*later.engine.sound] == [(HOME, name)]
        await later.call("get_unit", PAT, id=other)
        assert [*later.engine.sound] == [(HOME, name)]


@staged
async def test_a_row_that_was_set_back_is_noticed(stage: Stage) -> None:
    name = await drafting(stage)
    rows = await stage.engine.store.audit(HOME, name, 0, 100)
    link = rows[-3].link
    await unit_set(f"version = {link.sequence}, head = '{link.hash}'")(stage, name)

    async with opened(stage.where) as later:
        assert "does not end where the unit stands" in (await error_of(later, name))["message"]
        assert (await verify(later.engine, HOME)).findings == []


@staged
async def test_the_first_command_finds_it_whatever_it_is(stage: Stage) -> None:
    name = await drafting(stage)
    await unit_set("status = 'DREAMING'")(stage, name)

    async with opened(stage.where) as later:
        no = await later.refused("skip_all", PAT, ticket_id=name)
        assert no.code == "INVALID_TRANSITION"
        assert (await error_of(later, name))["code"] == CODE
