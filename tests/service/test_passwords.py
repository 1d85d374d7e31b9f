"""Passwords: kept as argon2id, never in clear, and as slow for nobody as for somebody."""

import asyncio
from time import process_time

import pytest
from argon2 import PasswordHasher

from interlock.service.errors import InvalidInput
from interlock.service.passwords import check_password, hash_password, is_outdated, is_password

GOOD = "a horse and a battery"


def test_a_password_is_known_again_and_not_kept() -> None:
    kept = asyncio.run(hash_password(GOOD))

    assert kept.startswith("$argon2id$v=19$m=65536,")
    assert GOOD not in kept
    assert asyncio.run(is_password(kept, GOOD))
    assert not asyncio.run(is_password(kept, GOOD + " "))
    assert asyncio.run(hash_password(GOOD)) != kept


@pytest.mark.parametrize("wrong", ["", "x" * 9, "x" * 201, "\udcff" * 12])
def test_what_is_too_short_too_long_or_no_text_is_refused_and_not_repeated(wrong: str) -> None:
    with pytest.raises(InvalidInput) as no:
        check_password(wrong)

    assert "10 to 200 characters" in no.value.message
    assert not asyncio.run(is_password(None, wrong))


@pytest.mark.parametrize("good", ["x" * 10, "é" * 200, "💥" * 10])
def test_length_is_counted_in_characters(good: str) -> None:
    check_password(good)


def test_nobody_s_password_takes_as_long_as_somebody_s() -> None:
    kept = asyncio.run(hash_password(GOOD))
    asyncio.run(is_password(None, GOOD))  # the hash of nobody is made once

    def fastest(one: str | None) -> float:
        times = []
        for _ in range(3):
            begun = process_time()
            asyncio.run(is_password(one, "not the password"))
            times.append(process_time() - begun)
        return min(times)

    assert 0.3 < fastest(None) / fastest(kept) < 3


def test_one_made_by_weaker_parameters_is_outdated() -> None:
    assert is_outdated(PasswordHasher(time_cost=1, memory_cost=64).hash(GOOD))
    assert not is_outdated(asyncio.run(hash_password(GOOD)))


def test_what_is_no_hash_is_nobody_s_password() -> None:
    assert not asyncio.run(is_password("nonsense", GOOD))
