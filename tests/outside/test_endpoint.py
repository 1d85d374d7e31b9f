"""An endpoint answers, or it is said what is wrong, without a word of what is secret."""

import asyncio

import pytest

from interlock.errors import InterlockError
from interlock.outside.endpoint import Endpoint, at, count_at
from tests.service.endpoints import Said, endpoint

KEY = "sk-very-secret"


def post(url: str, timeout_s: float = 60.0) -> object:
    asked = Endpoint(url, {"authorization": f"Bearer {KEY}"}, timeout_s)
    return asyncio.run(asked.post({"question": 1}))


def test_an_answer_comes_back_as_values() -> None:
    with endpoint({"a": [1]}) as fake:
        assert post(f"{fake.url}/v1") == {"a": [1]}

    assert fake.heard[0].path == "/v1"
    assert fake.heard[0].body == {"question": 1}
    assert fake.heard[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("said", "code", "is_retryable"),
    [
        (Said({}, 429), "MODEL_UNAVAILABLE", True),
        (Said({}, 500), "MODEL_UNAVAILABLE", True),
        (Said({}, 529), "MODEL_UNAVAILABLE", True),
        (Said({"error": KEY}, 401), "MODEL_REFUSED", False),
        (Said({}, 404), "MODEL_REFUSED", False),
        (Said({}, 302, headers={"location": "/elsewhere"}), "MODEL_REFUSED", False),
        (Said("no json"), "MODEL_REFUSED", False),
        (Said("[" * 100_000), "MODEL_REFUSED", False),
        (Said("x" * (9 * 1024 * 1024)), "MODEL_REFUSED", False),
    ],
)
def test_trouble_is_told_in_our_words(said: Said, code: str, *, is_retryable: bool) -> None:
    with endpoint(said) as fake, pytest.raises(InterlockError) as no:
        post(fake.url)

    assert (no.value.code, no.value.retryable) == (code, is_retryable)
    assert KEY not in f"{no.value} {no.value.fix}"
    assert no.value.fix
    assert len(fake.heard) == 1


def test_who_takes_too_long_is_not_waited_for() -> None:
    with endpoint(Said({}, after_s=1.0)) as fake, pytest.raises(InterlockError) as no:
        post(fake.url, 0.2)

    assert (no.value.code, no.value.retryable) == ("MODEL_UNAVAILABLE", True)


def test_nobody_there_may_be_there_later() -> None:
    with endpoint({}) as fake:
        gone = fake.url
    with pytest.raises(InterlockError) as no:
        post(gone)

    assert (no.value.code, no.value.retryable) == ("MODEL_UNAVAILABLE", True)


def test_the_key_is_not_shown() -> None:
    assert KEY not in repr(Endpoint("http://x", {"x-api-key": KEY}))


def test_places_of_an_answer_that_are_not_there_are_none() -> None:
    answer = {"a": [{"b": 3}], "c": True}

    assert at(answer, "a", 0, "b") == 3
    assert [at(answer, "a", 1, "b"), at(answer, "a", "b"), at(answer, 0)] == [None] * 3
    assert [count_at(answer, "a", 0, "b"), count_at(answer, "c"), count_at(answer, "x")] == [
        3,
        0,
        0,
    ]
