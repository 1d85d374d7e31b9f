"""Verifying proves what happened, and names precisely what somebody has tampered with."""

import asyncio
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.service.create import NewBranch
from interlock.service.errors import NotFound
from interlock.service.order import Asked
from interlock.service.verify import Finding, Page, Verdict, all_units, verify, verify_page
from interlock.store.chain import genesis, linked
from tests.service.desk import AWAY, HOME, PERSON, Desk, at_desk
from tests.still import START

LAST = 11
"""The number of the last entry of the plan that is tampered with."""


async def at_review(desk: Desk) -> str:
    unit = await desk.branching(3, NewBranch(0, "go === true", "skip_to", {}, 2))
    part, lease = await desk.claim(unit)
    await desk.submit(part, lease)
    part, lease = await desk.claim(unit)
    await desk.send(
        unit, Asked("request_review", part, args={"digest": "d", "summary": "s"}, lease=lease)
    )
    whole = await desk.whole(unit)
    assert whole.row.version == LAST, whole.row.version
    return unit


async def verdict_of(desk: Desk) -> Verdict:
    return await verify(desk.engine, HOME)


def tamper(folder: Path, *statements: str) -> None:
    """Change the file behind the program's back, as one who may."""
    with closing(apsw.Connection(str(folder / "interlock.db"))) as connection:
        connection.execute("DROP TRIGGER audit_keeps_entries")
        connection.execute("DROP TRIGGER audit_loses_nothing")
        for statement in statements:
            connection.execute(statement)


def only(folder: Path) -> Finding:
    (finding,) = at_desk(folder, verdict_of).findings
    return finding


def test_what_was_not_tampered_with_is_in_order(tmp_path: Path) -> None:
    at_desk(tmp_path, at_review)

    verdict = at_desk(tmp_path, verdict_of)

    assert (verdict.units, verdict.entries, verdict.findings) == (1, LAST, [])


# What was done to the file, the entry that is named, and what is said of it.
TAMPERED = {
    "an edited body": (
        "UPDATE audit SET body = replace(body, 'ada', 'eve') WHERE sequence = 5",
        5, "the hash does not fit",
    ),
    "an edited hash": (
        "UPDATE audit SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE sequence = 5",
        5, "the hash does not fit",
    ),
    "a removed entry": ("DELETE FROM audit WHERE sequence = 6", 6, "an entry is missing"),
    "no entries": ("DELETE FROM audit", 0, "the log does not end where the unit stands"),
    "a truncated tail": (
        "DELETE FROM audit WHERE sequence >= 10",
        9, "the log does not end where the unit stands",
    ),
    "swapped entries": (
        """UPDATE audit SET sequence = 15 - sequence + 1000 WHERE sequence IN (7, 8);
        UPDATE audit SET sequence = sequence - 1000 WHERE sequence > 1000""",
        7, "the hash does not fit",
    ),
    "another tenant's name": (
        """PRAGMA foreign_keys = off; UPDATE units SET tenant = 'away';
        UPDATE parts SET tenant = 'away'; UPDATE audit SET tenant = 'away'""",
        1, "the hash does not fit",
    ),
    "a changed status of the unit": (
        "UPDATE units SET status = 'executing'",
        LAST, "the log and the rows differ about the unit's status",
    ),
    "a changed field of the unit": (
        "UPDATE units SET fields = replace(fields, '\"relay\"', '\"human\"')",
        LAST, "the log and the rows differ about the unit's review_policy",
    ),
    "another time": (
        "UPDATE audit SET at = 7 WHERE sequence = 5", 5, "the entry stands under another time",
    ),
    "a wrong tally": (
        "UPDATE units SET tally = '{\"step\":{\"pending\":3}}'", LAST, "the tally is wrong",
    ),
    "a changed head": (
        "UPDATE units SET head = 'x'", LAST, "the log does not end where the unit stands",
    ),
    "a unit set back": (
        "UPDATE units SET version = 5", 5, "the log does not end where the unit stands",
    ),
}  # fmt: skip


# What the log says, and what the rows do.
SAID = {
    "a changed status of the unit": ("awaiting_review", "executing"),
    "a changed field of the unit": ('"relay"', '"human"'),
    "another time": (str(START), "7"),
    "a removed entry": ("6", "7"),
    "a wrong tally": (
        '{"step":{"awaiting_input":1,"completed":1,"skipped":1}}', '{"step":{"pending":3}}',
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", TAMPERED)
def test_tampering_with_the_unit_or_its_log_is_named(tmp_path: Path, how: str) -> None:
    unit = at_desk(tmp_path, at_review)
    statement, sequence, what = TAMPERED[how]
    tamper(tmp_path, statement)
    tenant = AWAY if how == "another tenant's name" else HOME

    async def judge(desk: Desk) -> Verdict:
        return await verify(desk.engine, tenant)

    (finding,) = at_desk(tmp_path, judge).findings

    assert (finding.sequence, finding.what) == (sequence, what)
    assert finding.unit == unit
    assert (finding.expected, finding.found) == SAID.get(how, (finding.expected, finding.found))
    assert isinstance(finding.expected, str)
    assert finding.found != finding.expected


# How the log and the unit differ about where it ends: what was done, and the last entry.
ENDINGS = {
    "no entries": ("DELETE FROM audit", 0),
    "a truncated tail": ("DELETE FROM audit WHERE sequence >= 10", 9),
    "a unit set back": ("UPDATE units SET version = 5", 5),
}


@pytest.mark.parametrize("how", ENDINGS)
def test_a_log_that_ends_elsewhere_is_told_with_both_ends(tmp_path: Path, how: str) -> None:
    unit = at_desk(tmp_path, at_review)
    statement, last = ENDINGS[how]
    tamper(tmp_path, statement)

    finding = only(tmp_path)

    with closing(apsw.Connection(str(tmp_path / "interlock.db"))) as connection:
        ((stands,),) = connection.execute("SELECT version || ' ' || head FROM units").fetchall()
        ends = connection.execute(
            "SELECT sequence || ' ' || hash FROM audit WHERE sequence = ?", (last,)
        ).fetchall()
    what = "the log does not end where the unit stands"
    assert finding == Finding(unit, last, what, str(stands), str(ends[0][0]) if ends else "")


def test_a_hash_that_does_not_fit_is_told_with_the_one_that_would(tmp_path: Path) -> None:
    unit = at_desk(tmp_path, at_review)
    tamper(tmp_path, "UPDATE audit SET body = '[]', hash = 'x' WHERE sequence = 1")

    right = linked(genesis(HOME, unit), "[]")
    assert only(tmp_path) == Finding(unit, 1, "the hash does not fit", right, "x")


PARTS_TAMPERED = {
    "a changed status": ("UPDATE parts SET status = 'failed' WHERE number = 1", "{}.1: status"),
    "a changed fence": ("UPDATE parts SET fence = 7 WHERE number = 1", "{}.1: fence"),
    "another holder": ("UPDATE parts SET holder = 'eve' WHERE number = 3", "{}.3: holder"),
    "a changed order": (
        "UPDATE parts SET ord = 1 WHERE number = 3", "the order of the parts",
    ),
    "a part taken out": (
        "UPDATE parts SET gone_at = 1 WHERE number = 2", "the order of the parts",
    ),
    "a new need": (
        "INSERT INTO links SELECT tenant, unit, 3, 1, 0 FROM parts WHERE number = 3",
        "{}.3: parent and needs",
    ),
    "a changed field": (
        "UPDATE parts SET fields = replace(fields, '\"custom\"', '\"other\"') WHERE number = 2",
        "{}.2: step_type",
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", PARTS_TAMPERED)
def test_tampering_with_a_part_is_named(tmp_path: Path, how: str) -> None:
    unit = at_desk(tmp_path, at_review)
    statement, about = PARTS_TAMPERED[how]
    tamper(tmp_path, statement)

    finding = only(tmp_path)

    assert finding.sequence == LAST
    assert finding.what == f"the log and the rows differ about {about.format(unit)}"
    assert finding.expected != finding.found
    if how == "a changed order":
        ids = [f"{unit}.{number}" for number in (1, 2, 3, 1, 2)]
        assert (finding.expected, finding.found) == (" ".join(ids[:3]), " ".join(ids[2:]))


def test_miscounted_needs_are_named(tmp_path: Path) -> None:
    async def needy(desk: Desk) -> str:
        return await desk.plan((), (0,))

    unit = at_desk(tmp_path, needy)
    tamper(tmp_path, "UPDATE parts SET waits = 0 WHERE number = 2")

    assert only(tmp_path) == Finding(unit, 3, f"open needs of {unit}.2 are miscounted", "1", "0")


def test_a_forged_move_along_no_edge_is_named(tmp_path: Path) -> None:
    """Whoever can compute the hashes anew still cannot invent edges."""
    unit = at_desk(tmp_path, at_review)
    tamper(
        tmp_path, 'UPDATE audit SET body = replace(body, \'"signal":"ask"\', \'"signal":"leap"\')'
    )
    forge(tmp_path, unit)

    finding = only(tmp_path)

    what, found = "this is no edge of the machine", "step in_progress --leap--> awaiting_input"
    assert finding == Finding(unit, LAST - 1, what, "", found)


def forge(folder: Path, unit: str) -> None:
    """Make every hash right again."""
    with closing(apsw.Connection(str(folder / "interlock.db"))) as connection:
        before = genesis(HOME, unit)
        for sequence, body in connection.execute(
            "SELECT sequence, body FROM audit ORDER BY sequence"
        ).fetchall():
            before = linked(before, str(body))
            values = {"hash": before, "sequence": sequence}
            connection.execute("UPDATE audit SET hash = :hash WHERE sequence = :sequence", values)
        connection.execute("UPDATE units SET head = :head", {"head": before})


def test_an_entry_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    unit = at_desk(tmp_path, at_review)
    tamper(tmp_path, "UPDATE audit SET body = '{\"change\":' WHERE sequence = 4")
    forge(tmp_path, unit)

    finding = only(tmp_path)

    assert (finding.unit, finding.sequence) == (unit, 4)
    assert finding.what.startswith("the entry cannot be read: ")


UNREADABLE = {
    "a part": "UPDATE parts SET fields = '[' WHERE number = 2",
    "a condition": "UPDATE conditions SET expression = '(('",
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_rows_that_cannot_be_read_are_named_and_the_rest_is_verified(
    tmp_path: Path, what: str
) -> None:
    async def another(desk: Desk) -> str:
        return await desk.plan(())

    unit = at_desk(tmp_path, at_review)
    tamper(tmp_path, UNREADABLE[what])
    at_desk(tmp_path, another)

    verdict = at_desk(tmp_path, verdict_of)

    assert verdict.units == 1
    assert [finding.unit for finding in verdict.findings] == [unit]
    assert verdict.findings[0].what.startswith("its rows cannot be read: ")


def test_a_unit_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    unit = at_desk(tmp_path, at_review)
    tamper(tmp_path, "UPDATE units SET tally = '['")

    finding = only(tmp_path)

    assert (finding.unit, finding.sequence) == (unit, 0)
    assert finding.what.startswith("its rows cannot be read: ")


def test_one_unit_can_be_verified_alone(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, int, list[Finding]]:
        first, _ = await desk.plan(()), await desk.plan((), by=PERSON)
        alone = await verify(desk.engine, HOME, first)
        foreign = await verify(desk.engine, AWAY, first)
        return first, alone.units, foreign.findings

    unit, units, foreign = at_desk(tmp_path, story)

    assert units == 1
    assert foreign == [Finding(unit, 0, "there is no such unit, or no workflow for it")]


def test_a_finding_says_what_was_expected_and_what_was_found() -> None:
    assert str(Finding("u", 3, "the tally is wrong", "{}", "")) == (
        "u, entry 3: the tally is wrong; expected {}, found nothing"
    )
    assert str(Finding("u", 3, "no edge")) == "u, entry 3: no edge"
    assert str(Finding("u", 3, "no edge", "", "x")) == (
        "u, entry 3: no edge; expected nothing, found x"
    )


def test_all_units_are_found_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages end between units of one moment and between those of two."""
    monkeypatch.setattr("interlock.service.verify.PAGE", 3)

    async def story(desk: Desk) -> tuple[list[str], list[str], Verdict]:
        made = [*await asyncio.gather(*(desk.plan((), ()) for _ in range(4)))]
        for _ in range(3):
            desk.clock.pass_ms(10)
            made.append(await desk.plan((), ()))
        found: list[str] = []
        async for name in all_units(desk.engine, HOME):
            found.append(name)
            assert len(found) <= len(made), "a page came again"
        return sorted(made), sorted(found), await verdict_of(desk)

    made, found, verdict = at_desk(tmp_path, story)

    assert found == made
    assert (verdict.units, verdict.entries, verdict.findings) == (7, 21, [])


def test_a_long_log_is_read_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlock.service.verify.PAGE", 3)
    at_desk(tmp_path, at_review)

    verdict = at_desk(tmp_path, verdict_of)

    assert (verdict.units, verdict.entries, verdict.findings) == (1, LAST, [])


def test_units_are_verified_a_page_at_a_time(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[Page]:
        for _ in range(4):
            await desk.plan((), ())
            desk.clock.pass_ms(10)
        pages = [await verify_page(desk.engine, HOME, "", None, 3)]
        pages.append(await verify_page(desk.engine, HOME, "", pages[0].last, 3))
        pages.append(await verify_page(desk.engine, AWAY, "", None, 3))
        return pages

    first, second, foreign = at_desk(tmp_path, story)

    assert [(page.verdict.units, page.verdict.entries) for page in (first, second, foreign)] == [
        (3, 9), (1, 3), (0, 0),
    ]  # fmt: skip
    assert first.last is not None
    assert (second.last, foreign.last) == (None, None)
    assert first.verdict.findings + second.verdict.findings == []


def test_of_one_unit_a_page_is_made_if_it_is_there(tmp_path: Path) -> None:
    unit = at_desk(tmp_path, at_review)

    async def story(desk: Desk) -> Page:
        for absent in ("plan-000000000000", f"{unit}.1", "thing-1"):
            with pytest.raises(NotFound, match=absent):
                await verify_page(desk.engine, HOME, absent, None, 2)
        with pytest.raises(NotFound, match=unit):
            await verify_page(desk.engine, AWAY, unit, None, 2)
        return await verify_page(desk.engine, HOME, unit, None, 1)

    page = at_desk(tmp_path, story)
    assert (page.verdict.units, page.verdict.entries, page.last) == (1, LAST, None)

    tamper(tmp_path, "UPDATE units SET tally = '['")
    (finding,) = at_desk(tmp_path, story).verdict.findings
    assert finding.what.startswith("its rows cannot be read: ")


def test_what_verifying_two_things_has_come_to_is_added_up() -> None:
    one = Verdict(1, 2, [Finding("a", 1, "x")])

    one.add(Verdict(3, 4, [Finding("b", 1, "y")]))

    assert (one.units, one.entries, [found.unit for found in one.findings]) == (4, 6, ["a", "b"])
