"""What goes wrong with a database is told in the same words for every database."""

import pytest

from interlock.errors import InterlockError
from interlock.store import errors
from interlock.store.errors import CorruptState, StoreError

CODES = {
    "STORE_ERROR": (503, False),
    "STORE_UNAVAILABLE": (503, True),
    "STORE_BUSY": (503, True),
    "STORE_FULL": (507, True),
    "STORE_BROKEN": (503, True),
    "NOT_A_DATABASE": (503, False),
    "STORE_NOT_WRITABLE": (503, False),
    "DURABILITY_REFUSED": (503, False),
    "CORRUPT_STATE": (500, False),
}
CLASSES = [
    one
    for one in vars(errors).values()
    if isinstance(one, type) and issubclass(one, InterlockError) and one is not InterlockError
]


def test_every_error_has_its_code_and_says_whether_to_try_again() -> None:
    assert {one.code: (one.http, one.retryable) for one in CLASSES} == CODES


@pytest.mark.parametrize("one", [c for c in CLASSES if c is not CorruptState])
def test_whoever_catches_errors_of_the_store_catches_them_all(one: type[InterlockError]) -> None:
    assert issubclass(one, StoreError)


@pytest.mark.parametrize("name", ["plan-1", "plan-1.7"])
def test_what_is_corrupt_is_named_with_how_to_look_at_its_unit(name: str) -> None:
    told = CorruptState(name, "its row cannot be read")

    assert told.message == f"{name} cannot be used: its row cannot be read."
    assert "verify --unit plan-1`" in told.fix
