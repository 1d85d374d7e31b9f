"""What every error of ours carries."""

import pytest

from interlock.errors import InterlockError


class Lost(InterlockError):
    """Something is not there."""

    code = "LOST"
    http = 404
    retryable = True


def test_an_error_says_what_is_wrong_and_what_to_do() -> None:
    error = InterlockError("The key is lost.", fix="Look under the mat.")

    assert (error.message, error.fix, str(error)) == (
        "The key is lost.",
        "Look under the mat.",
        "The key is lost.",
    )


def test_an_error_without_a_fix_has_an_empty_one() -> None:
    assert InterlockError("The key is lost.").fix == ""


def test_an_error_nobody_named_is_internal_and_not_worth_another_try() -> None:
    error = InterlockError("The key is lost.")

    assert (error.code, error.http, error.retryable) == ("INTERNAL", 500, False)


def test_an_error_is_caught_by_its_root_and_answers_with_its_own_attributes() -> None:
    with pytest.raises(InterlockError) as caught:
        raise Lost("The key is lost.")

    assert (caught.value.code, caught.value.http, caught.value.retryable) == ("LOST", 404, True)
