"""Statements by name; the tenant is the session's, whatever a caller says."""

from pathlib import Path

import apsw
import pytest

from interlock.store.rows import Value
from interlock.store.sqlite.session import Session
from tests.store.sqlite.opened import AWAY, HOME, connected

UNIT: dict[str, Value] = {
    "id": "plan-1", "workflow": "plan", "digest": "d", "status": "planning", "version": 1,
    "head": "h", "made": 0, "takes": "", "tally": "{}", "fields": "{}", "created_at": 1,
    "changed_at": 1, "ended_at": None, "due": None,
}  # fmt: skip


def test_a_tenant_sees_its_own_rows_only(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        home, away = Session(connection, HOME), Session(connection, AWAY)
        home.change("insert_unit", UNIT)

        assert home.row("unit_version", {"id": "plan-1"}) == (1,)
        assert away.row("unit_version", {"id": "plan-1"}) is None


def test_nobody_can_name_another_tenant(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        Session(connection, HOME).change("insert_unit", {**UNIT, "tenant": AWAY})

        assert Session(connection, AWAY).row("unit_version", {"id": "plan-1"}) is None
        assert Session(connection, HOME).row("unit_version", {"id": "plan-1", "tenant": AWAY}) == (
            1,
        )


def test_a_change_says_how_many_rows_it_has_changed(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        home = Session(connection, HOME)

        assert home.change("insert_unit", UNIT) == 1
        assert home.change("update_unit", {**UNIT, "before": 1}) == 1
        assert home.change("update_unit", {**UNIT, "before": 9}) == 0


def test_rows_come_one_by_one_and_a_row_is_the_first(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        nobody = Session(connection, "")

        assert list(nobody.rows("list_tenants", {})) == [(AWAY,), (HOME,)]
        assert nobody.row("list_tenants", {}) == (AWAY,)


def test_what_has_no_name_or_lacks_a_value_is_an_error(tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        home = Session(connection, HOME)

        with pytest.raises(KeyError):
            home.row("drop_everything", {})
        with pytest.raises((apsw.BindingsError, KeyError, ValueError)):
            home.change("insert_unit", {"id": "plan-1"})
