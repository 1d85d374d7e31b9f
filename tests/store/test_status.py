"""What is told of a database is told of both kinds in the same words."""

from dataclasses import fields

from interlock.store.status import COUNTED, Status


def test_what_is_counted_are_tables_that_both_have() -> None:
    assert COUNTED == ("tenants", "units", "parts", "audit")


def test_a_database_that_was_never_restored_says_so_by_saying_nothing() -> None:
    told = Status("sqlite", "3", 1, (), "i", "full", 1, {}, 0, {})

    assert (told.restored_at, told.taken_at) == (0, 0)
    assert {one.name for one in fields(Status)} >= {"dialect", "schema", "pending", "incarnation"}
