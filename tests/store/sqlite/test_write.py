"""What a script returns is written as a whole, guarded by the version and the database's clock."""

from dataclasses import replace
from pathlib import Path
from typing import cast

import apsw
import pytest

from interlock.kernel.seen import Part, Unit
from interlock.store.chain import Link
from interlock.store.rows import PartRow, UnitRow, dump
from interlock.store.script import Artifact, Change, Condition, Key, NotDue, Stale, Touch
from interlock.store.sqlite.read import artifacts, audit, whole
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.write import Known, keep, touch, write
from tests.store.sqlite.opened import HOME, connected

NOW = 1_000


def _part(number: int, status: str = "pending", **more: object) -> PartRow:
    lease = {"holder": None, "fence": 0, "lapsed": False}
    fields = {name: more.pop(name, value) for name, value in lease.items()}
    slot = cast("str | None", more.pop("slot", None))
    return PartRow(f"u.{number}", number, Part("step", status, fields), number, slot=slot)


def _unit(version: int) -> UnitRow:
    return UnitRow("u", "plan", "d", Unit("planning", {}), {}, version, "h", 3, "step", 1, version)


def _new(*parts: PartRow) -> Change:
    entries = (Link(1, 1, "{}", "a"),)
    return Change(HOME, 0, _unit(1), entries, 1, body="{}", made=parts)


def _next(before: int, *parts: PartRow) -> Change:
    entry = Link(before + 1, 2, "{}", "b")
    return Change(HOME, before, _unit(before + 1), (entry,), 2, parts=parts)


def _due(session: Session) -> dict[str, int]:
    found = whole(session, "u", "inc")
    assert found is not None
    return dict(found.due)


def _row(session: Session, number: int) -> PartRow:
    found = whole(session, "u", "inc")
    assert found is not None
    return next(row for row in found.parts if row.number == number)


def test_a_new_unit_is_written_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        change = replace(
            _new(_part(1), _part(2)),
            links=((2, 1, 0),),
            conditions=(Condition(1, 1, "a === 1", "fail", dump({"x": 1}), 2),),
            tags=("blue", "blue"),
            key=Key("ada", "r1", "asked"),
            reply="{}",
            artifacts=(Artifact(1, "result", "f00", b"x"),),
        )
        write(session, change, NOW)
        found = whole(session, "u", "inc")

        assert found is not None
        assert [row.part.needs for row in found.parts] == [(), ("u.1",)]
        assert [(part, row.action, row.target) for part, row in found.conditions] == [
            ("u.1", "fail", "u.2")
        ]
        assert list(session.rows("unit_tags", {"unit": "u"})) == [("blue",)]
        assert session.row("load_reply", {"principal": "ada", "request": "r1"}) == ("asked", "{}")
        assert [row.digest for row in artifacts(session, "u")] == ["f00"]
        assert [row.link.hash for row in audit(session, "u", 0, 9)] == ["a"]


def test_a_unit_that_somebody_else_has_changed_is_not_written(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        write(session, _new(_part(1)), NOW)

        with pytest.raises(Stale):
            write(session, _next(7, _part(1, "completed")), NOW)


def test_a_lease_runs_from_the_clock_of_the_database(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        write(session, _new(_part(1), _part(2)), NOW)
        held = _part(1, "in_progress", holder="ada", fence=1)
        write(session, replace(_next(1, held), leases={1: 50}), NOW)
        assert _due(session) == {"u.1": 1_050}

        # Another change leaves it alone.
        write(session, _next(2, held), NOW + 10)
        assert _due(session) == {"u.1": 1_050}

        write(session, _next(3, _part(1, "in_progress", holder="ada", fence=1, lapsed=True)), NOW)
        assert _due(session) == {}


def test_a_lease_lapses_only_once_it_is_due(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        held = _part(1, "in_progress", holder="ada", fence=1)
        write(session, _new(_part(1)), NOW)
        write(session, replace(_next(1, held), leases={1: 50}), NOW)
        lapse = replace(_next(2, held), overdue=1)

        # It is good up to its last moment.
        with pytest.raises(NotDue):
            write(session, lapse, NOW + 50)
        write(session, lapse, NOW + 51)


def test_a_body_that_did_not_change_is_left_as_it_is(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        write(session, _new(_part(1)), NOW)
        write(
            session, replace(_next(1, _part(1)), bodies={1: '{"title":"x"}'}, body='{"a":1}'), NOW
        )
        write(session, _next(2, _part(1, "completed")), NOW)
        found = whole(session, "u", "inc")

        assert found is not None
        assert found.row.unit.fields == {"a": 1}
        assert found.parts[0].part.fields == {"title": "x"}
        assert found.parts[0].part.status == "completed"


def test_a_place_for_one_alone_changes_hands_in_one_change_and_is_never_shared(
    tmp_path: Path,
) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        write(session, _new(_part(1), _part(2, slot="step")), NOW)
        # The one that takes it comes first in the change, and still the other gives it up before.
        write(session, _next(1, _part(1, slot="step"), _part(2)), NOW)
        assert [_row(session, number).slot for number in (1, 2)] == ["step", None]

        with pytest.raises(apsw.ConstraintError):
            write(session, _next(2, _part(2, slot="step")), NOW)


def test_a_part_that_is_gone_takes_its_ties_along_and_leaves_its_row(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        ties = ((2, 1, 0), (3, 2, 0))
        conditions = tuple(
            Condition(n, 1, "a === 1", "skip_to", "{}", t) for n, t in ((1, 2), (3, 1))
        )
        new = _new(_part(1), _part(2, slot="step"), _part(3))
        write(session, replace(new, links=ties, conditions=conditions), NOW)
        write(session, replace(_next(1), gone=(2,)), NOW)
        found = whole(session, "u", "inc")

        assert found is not None
        assert [(row.id, row.part.needs) for row in found.parts] == [("u.1", ()), ("u.3", ())]
        assert [(part, row.target) for part, row in found.conditions] == [("u.3", "u.1")]
        rows = connection.execute("SELECT number, slot, offer FROM parts WHERE gone_at IS NOT NULL")
        assert rows.fetchall() == [(2, None, None)]


def test_a_key_can_be_answered_once(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        key = Key("ada", "r1", "asked")
        write(session, replace(_new(_part(1)), key=key), NOW)

        with pytest.raises(Known):
            write(session, replace(_next(1), key=key), NOW)


def test_versions_of_an_artifact_are_counted_and_content_is_kept_once(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        write(session, _new(_part(1)), NOW)
        one, two = Artifact(1, "result", "f00", b"x"), Artifact(1, "result", "ba4", b"y")
        for artifact in (one, two, one, one._replace(part=0)):
            keep(session, "u", artifact, NOW)

        kept = connection.execute("SELECT part, version, digest FROM artifacts ORDER BY 1, 2")
        assert kept.fetchall() == [(0, 1, "f00"), (1, 1, "f00"), (1, 2, "ba4"), (1, 3, "f00")]
        assert connection.execute("SELECT count(*) FROM contents").fetchall() == [(2,)]


TOUCH = Touch(HOME, "u", 2, 1, 1, 70, "")


def test_a_touch_extends_a_lease_and_nothing_else(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        write(session, _new(_part(1)), NOW)
        held = _part(1, "in_progress", holder="ada", fence=1)
        write(session, replace(_next(1, held), leases={1: 50}), NOW)
        touch(session, TOUCH, NOW + 5)

        assert _due(session) == {"u.1": NOW + 75}
        for wrong in (TOUCH._replace(version=1), TOUCH._replace(fence=2), TOUCH._replace(number=2),
                      TOUCH._replace(unit="v")):  # fmt: skip
            with pytest.raises(Stale):
                touch(session, wrong, NOW)


def test_a_lease_that_has_lapsed_is_not_touched(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        session = Session(connection, HOME)
        write(session, _new(_part(1)), NOW)
        write(session, _next(1, _part(1, "in_progress", holder="ada", fence=1, lapsed=True)), NOW)

        with pytest.raises(Stale):
            touch(session, TOUCH, NOW)
