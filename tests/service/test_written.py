"""Parts are sorted by how they are to be written, and the queues they stir are named."""

from dataclasses import replace

import pytest

from interlock.kernel.seen import Part
from interlock.service.written import Written
from interlock.store.rows import PartRow

LEASE = {"holder": None, "fence": 0, "lapsed": False}


def _row(number: int, status: str, offer: int | None = None, **fields: object) -> PartRow:
    part = Part("job", status, {**LEASE, "title": "a", **fields})
    return PartRow(f"u.{number}", number, part, number, offer=offer)


def test_a_part_whose_status_and_lease_changed_was_only_moved() -> None:
    rows = Written()
    rows.add_changed(_row(1, "open", 1), _row(1, "held", holder="me", fence=1))

    assert (len(rows.changed), rows.bodies, rows.moved) == (1, {}, {1})


def test_a_part_whose_body_changed_was_moved_with_it() -> None:
    rows = Written()
    rows.add_changed(_row(1, "open"), _row(1, "open", title="b"))

    assert rows.moved == {1}
    assert list(rows.bodies) == [1]
    assert '"title":"b"' in rows.bodies[1]


def test_a_part_for_another_role_is_written_whole() -> None:
    rows = Written()
    rows.add_changed(_row(1, "open", role="a"), _row(1, "open", role="b"))

    assert (rows.moved, list(rows.bodies)) == (set(), [1])


@pytest.mark.parametrize(
    "column", [{"ord": 5}, {"waits": 1}, {"feeds": 1}, {"branches": 1}, {"slot": "job"}], ids=str
)
def test_a_part_of_which_another_column_has_changed_is_written_whole(
    column: dict[str, object],
) -> None:
    before = _row(1, "open")
    rows = Written()
    rows.add_changed(before, replace(before, **column))  # type: ignore[arg-type]  # columns by name

    assert (rows.moved, rows.bodies) == (set(), {})


def test_a_queue_is_stirred_by_whatever_was_or_is_offered() -> None:
    rows = Written()
    rows.add_changed(_row(1, "open", 1), _row(1, "held"))
    rows.add_changed(_row(2, "held"), _row(2, "done"))
    rows.add_new(_row(3, "late", 0))
    rows.add_gone(_row(4, "open", 1))

    assert rows.stirred() == (("job", ("open", "late")),)
    assert ([row.number for row in rows.made], rows.gone) == ([3], [4])
