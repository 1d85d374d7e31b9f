"""What the service says no with: a code, a status, a sentence and what to do next."""

import pytest

from interlock.errors import InterlockError
from interlock.service import errors
from interlock.service.errors import Conflict, NotFound

CODES = {
    "NOT_FOUND": (404, False),
    "CONFLICT": (409, True),
    "STALE_VERSION": (412, False),
    "IDEMPOTENCY_MISMATCH": (409, False),
    "REQUEST_BEFORE_RESTORE": (409, False),
    "INVALID_INPUT": (422, False),
    "TOO_LARGE": (413, False),
    "CORRUPT_STATE": (500, False),
    "NOT_ALLOWED": (403, False),
    "UNAUTHENTICATED": (401, False),
    "EMAIL_TAKEN": (409, False),
    "LAST_OWNER": (409, False),
    "LINK_NOT_GOOD": (410, False),
    "TOO_MANY_TRIES": (429, True),
}
CLASSES: list[type[InterlockError]] = [getattr(errors, name) for name in errors.__all__]


def test_every_error_has_its_code_and_says_whether_to_try_again() -> None:
    told = {one.code: (one.http, one.retryable) for one in CLASSES}

    assert told == CODES


@pytest.mark.parametrize("name", ["plan-1", "x" * 10_000, "a\nb", "'"])
def test_what_is_not_found_is_named_shortly_and_on_one_line(name: str) -> None:
    message = NotFound(name).message

    assert len(message) < 120
    assert "\n" not in message


def test_an_error_says_what_to_do_next() -> None:
    assert Conflict("Others were faster.", fix="Send it again.").fix == "Send it again."
