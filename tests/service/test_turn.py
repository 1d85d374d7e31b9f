"""One turn of one unit: what is loaded, decided, told and written, and what is in the way."""

import asyncio
from pathlib import Path
from typing import cast

import pytest

from interlock.kernel.refusal import Refusal
from interlock.service.create import NewPart, NewUnit
from interlock.service.engine import clockwork
from interlock.service.errors import InvalidInput, NotFound, StaleVersion
from interlock.service.order import Asked, Emptied, Kept
from interlock.service.verify import verify
from interlock.store.script import Key
from tests.service.desk import HOME, ME, PERSON, Desk, at_desk, submitted
from tests.still import START

HALF_AN_HOUR = 30 * 60 * 1000


def test_a_claim_hands_out_a_lease_that_is_good_for_as_long_as_its_kind_says(
    tmp_path: Path,
) -> None:
    async def story(desk: Desk) -> tuple[dict[str, int], object]:
        unit = await desk.plan(())
        answer = await desk.send(unit, Asked("claim", kind="step"))
        return dict((await desk.whole(unit)).due), answer.reply["lease"]

    due, lease = at_desk(tmp_path, story)

    (ends,) = due.values()
    assert ends == START + HALF_AN_HOUR
    assert cast("dict[str, object]", lease)["expires_at"] == ends


def test_a_heartbeat_extends_the_lease_and_is_not_worth_an_entry(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[int, int, int]:
        unit = await desk.plan(())
        part, lease = await desk.claim(unit)
        before = (await desk.whole(unit)).row.version
        desk.clock.pass_ms(5_000)
        await desk.send(unit, Asked("heartbeat", part, lease=lease))
        whole = await desk.whole(unit)
        return before, whole.row.version, whole.due[part]

    before, after, due = at_desk(tmp_path, story)

    assert after == before
    assert due == START + 5_000 + HALF_AN_HOUR


def test_a_heartbeat_that_only_moves_the_unit_extends_the_lease_too(tmp_path: Path) -> None:
    """Another part lapsed and stalled the plan: this one's sign of life lets it go on."""

    async def story(desk: Desk) -> tuple[str, int]:
        unit = await desk.plan((), ())
        silent, _ = await desk.claim(unit)
        part, lease = await desk.claim(unit)
        await desk.send(unit, Asked("lapse", silent), by=clockwork(HOME))
        desk.clock.pass_ms(7_000)
        await desk.send(unit, Asked("heartbeat", part, lease=lease))
        whole = await desk.whole(unit)
        return whole.row.unit.status, whole.due[part]

    assert at_desk(tmp_path, story) == ("executing", START + 7_000 + HALF_AN_HOUR)


def test_a_lease_ends_with_whatever_ends_it(tmp_path: Path) -> None:
    async def story(desk: Desk) -> dict[str, int]:
        unit = await desk.plan((), ())
        part, lease = await desk.claim(unit)
        await desk.claim(unit)
        await desk.submit(part, lease)
        return dict((await desk.whole(unit)).due)

    due = at_desk(tmp_path, story)

    assert [name.rpartition(".")[2] for name in due] == ["2"]


def test_a_caller_who_has_seen_an_older_version_is_refused(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[int, int]:
        unit = await desk.plan(())
        before = (await desk.whole(unit)).row.version
        with pytest.raises(StaleVersion, match="not at 99"):
            await desk.send(unit, Asked("claim", kind="step"), version=99)
        after = (await desk.whole(unit)).row.version
        await desk.send(unit, Asked("claim", kind="step"), version=after)
        return before, after

    before, after = at_desk(tmp_path, story)

    assert before == after


def test_an_empty_queue_says_so_unless_nothing_depends_on_it(tmp_path: Path) -> None:
    async def story(desk: Desk) -> str:
        unit = await desk.plan(())
        part, lease = await desk.claim(unit)
        with pytest.raises(Emptied):
            await desk.send(unit, Asked("claim", kind="step"))
        await desk.send(unit, submitted(part, lease), Asked("claim", kind="step", is_optional=True))
        return await desk.standing(unit)

    assert at_desk(tmp_path, story) == "completed: completed"


@pytest.mark.parametrize("part", [".9", ".0", ".-1", ".x", ".01", ".99999999999999999999999"])
def test_a_part_that_is_not_there_is_not_found(tmp_path: Path, part: str) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan(())
        with pytest.raises(NotFound):
            await desk.send(unit, Asked("submit", f"{unit}{part}"))

    at_desk(tmp_path, story)


def test_a_part_of_another_unit_is_not_found(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit, other = await desk.plan(()), await desk.make(NewUnit("ticket"))
        for part in (f"{other}.1", f"{await desk.plan(())}.1", "nothing-1.1", "x"):
            with pytest.raises(NotFound):
                await desk.send(unit, Asked("submit", part))

    at_desk(tmp_path, story)


def test_one_order_speaks_of_several_parts_all_or_none(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), (), ())

        def asked(part: str) -> Asked:
            return Asked("update_step_instructions", part, args={"instructions": f"for {part}"})

        await desk.send(unit, asked(f"{unit}.3"), asked(f"{unit}.1"))
        told = [row.part.fields["instructions"] for row in (await desk.whole(unit)).parts]
        assert (told[0], told[2]) == (f"for {unit}.1", f"for {unit}.3")
        assert told[1] != f"for {unit}.2"
        other = await desk.plan(())
        for wrong in (f"{unit}.9", f"{other}.1"):
            with pytest.raises(NotFound):
                await desk.send(unit, asked(f"{unit}.2"), asked(wrong))
        told = [row.part.fields["instructions"] for row in (await desk.whole(unit)).parts]
        assert told[1] != f"for {unit}.2"
        assert (await verify(desk.engine, HOME, unit)).findings == []

    at_desk(tmp_path, story)


def test_an_optional_event_that_is_refused_leaves_what_came_before(tmp_path: Path) -> None:
    async def story(desk: Desk) -> str:
        unit = await desk.plan((), ())
        part, lease = await desk.claim(unit)
        optional = Asked("heartbeat", part, lease=lease, is_optional=True)
        await desk.send(unit, submitted(part, lease), optional)
        return await desk.standing(unit)

    assert at_desk(tmp_path, story) == "executing: completed pending"


def test_a_refusal_in_the_second_event_undoes_the_first(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, int]:
        unit = await desk.plan((), ())
        part, lease = await desk.claim(unit)
        before = (await desk.whole(unit)).row.version
        with pytest.raises(Refusal):
            await desk.send(unit, submitted(part, lease), Asked("heartbeat", part, lease=lease))
        return await desk.standing(unit), (await desk.whole(unit)).row.version - before

    assert at_desk(tmp_path, story) == ("executing: in_progress pending", 0)


def test_a_verb_means_what_the_kind_of_the_part_calls_it(tmp_path: Path) -> None:
    async def story(desk: Desk) -> str:
        unit = await desk.plan(())
        part, lease = await desk.claim(unit)
        await desk.send(unit, Asked(part=part, verb="release", lease=lease))
        with pytest.raises(InvalidInput, match="knows no dance"):
            await desk.send(unit, Asked(part=part, verb="dance"))
        with pytest.raises(InvalidInput, match="knows no submit"):
            await desk.send(unit, Asked(verb="submit"))
        return await desk.standing(unit)

    assert at_desk(tmp_path, story) == "executing: pending"


def test_an_accepted_event_that_changes_nothing_is_still_told(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[dict[str, object]]:
        unit = await desk.plan(())
        before = (await desk.whole(unit)).row.version
        await desk.send(unit, Asked("update_plan", told={"note": "a new name"}))
        return await desk.audit(unit, before)

    (body,) = at_desk(tmp_path, story)

    assert (body["change"], body["event"], body["note"]) == ("note", "update_plan", "a new name")


def test_what_came_with_an_event_is_kept_and_named_by_its_digest(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[list[tuple[int, str, str, bytes | None]], object]:
        unit = await desk.plan(())
        part, lease = await desk.claim(unit)
        before = (await desk.whole(unit)).row.version
        kept = (Kept("result", b"{}"), Kept("notes", b"x", "text/plain"))
        await desk.send(unit, Asked("submit", part, lease=lease, kept=kept))
        rows = await desk.store.artifacts(HOME, unit)
        found = [
            (r.part, r.name, r.media_type, await desk.store.content(HOME, r.digest)) for r in rows
        ]
        return found, (await desk.audit(unit, before))[0]["kept"]

    found, told = at_desk(tmp_path, story)

    assert found == [
        (1, "notes", "text/plain", b"x"),
        (1, "result", "application/json", b"{}"),
    ]
    assert [one["name"] for one in cast("list[dict[str, str]]", told)] == ["result", "notes"]


def test_true_in_place_of_one_is_a_change(tmp_path: Path) -> None:
    """In Python they are equal; in the audit and in the rows they are not."""

    async def story(desk: Desk) -> tuple[object, list[str]]:
        unit = await desk.make(NewUnit("mission", {}, (NewPart("asset"),)))
        for content in (1, True):
            await desk.send(unit, Asked("set_asset", f"{unit}.1", args={"content": content}))
        found = (await desk.whole(unit)).parts[0].part.fields["content"]
        return found, [str(one) for one in (await verify(desk.engine, HOME)).findings]

    found, findings = at_desk(tmp_path, story)

    assert found is True
    assert findings == []


def test_a_unit_that_ends_says_when(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[int | None, int | None]:
        unit = await desk.plan(())
        open_until = (await desk.whole(unit)).row.ended_at
        desk.clock.pass_ms(3)
        await desk.send(unit, Asked("fail_plan", args={"reason": "no"}), by=PERSON)
        return open_until, (await desk.whole(unit)).row.ended_at

    assert at_desk(tmp_path, story) == (None, START + 3)


def test_a_heartbeat_with_a_request_id_is_told_so_that_its_answer_can_be_given_again(
    tmp_path: Path,
) -> None:
    async def story(desk: Desk) -> tuple[bool, bool, int]:
        unit = await desk.plan(())
        part, lease = await desk.claim(unit)
        beat, key = Asked("heartbeat", part, lease=lease), Key(ME.id, "r1", "asked")
        desk.clock.pass_ms(1_000)
        first = await desk.send(unit, beat, key=key)
        again = await desk.send(unit, beat, key=key)
        due = (await desk.whole(unit)).due[part]
        return first.is_replay, again.is_replay, due

    assert at_desk(tmp_path, story) == (False, True, START + 1_000 + HALF_AN_HOUR)


def test_of_many_claims_at_once_each_gets_a_part_of_its_own(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[str]:
        unit = await desk.plan(*[()] * 20)
        claims = await asyncio.gather(*(desk.claim(unit) for _ in range(20)))
        return [part for part, _ in claims]

    claimed = at_desk(tmp_path, story)

    assert len(set(claimed)) == 20
