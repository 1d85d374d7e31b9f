"""The port says what a store must do; both stores do it, and say it in the same words."""

import inspect

import pytest

from interlock.store.port import Filter, Health, Store
from interlock.store.postgres.store import PostgresStore
from interlock.store.sqlite.store import SqliteStore

VERBS = [
    name
    for name, one in vars(Store).items()
    if inspect.isfunction(one) and not name.startswith("_")
]


@pytest.mark.parametrize("store", [SqliteStore, PostgresStore])
@pytest.mark.parametrize("verb", VERBS)
def test_a_store_has_every_verb_with_the_same_parameters(store: type, verb: str) -> None:
    asked, found = (inspect.signature(getattr(one, verb)) for one in (Store, store))

    assert list(found.parameters) == list(asked.parameters)
    assert inspect.iscoroutinefunction(getattr(store, verb)) == inspect.iscoroutinefunction(
        getattr(Store, verb)
    )


def test_no_filter_wants_anything() -> None:
    assert Filter() == ("", "", "", "", (), "")


def test_health_says_how_a_database_is_set_up() -> None:
    assert Health._fields == (
        "dialect", "version", "schema", "incarnation", "durability", "facts",
    )  # fmt: skip
