"""A cursor leads on where a page ended, and what is no cursor is refused."""

import pytest

from interlock.commands.listing import amiss, page, place_of
from interlock.kernel.seen import Unit
from interlock.service.errors import InvalidInput
from interlock.store.port import Listed
from interlock.store.rows import UnitRow

ROW = UnitRow("u-1", "plan", "d", Unit("planning", {}), {}, 1, "h", 0, "", 1, 77)


def test_a_full_page_has_a_cursor_that_names_its_last_row() -> None:
    told = page("units", [{"id": "u-1"}], (Listed(ROW),), 1)
    assert told["data"] == {"units": [{"id": "u-1"}], "cursor": "77.u-1"}
    assert place_of("77.u-1") == (77, "u-1")


def test_a_page_that_is_not_full_is_the_last_one() -> None:
    assert page("units", [], (Listed(ROW),), 2)["data"] == {"units": []}
    assert place_of(None) is None


def test_what_cannot_be_read_is_warned_about_by_its_id() -> None:
    told = page("units", [], (Listed(ROW), Listed(ROW, wrong="cannot be read (x)")), 9)

    assert told["warnings"] == ["u-1 cannot be read; verify_audit says more."]


def test_only_of_what_cannot_be_read_it_is_said() -> None:
    assert amiss(Listed(ROW)) == {}
    assert amiss(Listed(ROW, wrong="cannot be read")) == {"wrong": "cannot be read"}


@pytest.mark.parametrize("cursor", ["", "x", "1", "1.", ".u", "-1.u", "\uff11.u", "1 .u"])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput, match="no cursor"):
        place_of(cursor)


def test_a_time_beyond_all_times_is_cut() -> None:
    assert place_of(f"{'9' * 40}.u") == (10**15 - 1, "u")
