"""A chain of hashes: each covers the one before it and its own text, to the letter."""

from hashlib import sha256

import pytest

from interlock.store.chain import Link, chain, genesis, linked


def test_entries_are_numbered_on_and_each_hash_covers_the_one_before() -> None:
    first, second = chain("start", 7, 99, ["a", "b"])

    assert first == Link(8, 99, "a", linked("start", "a"))
    assert second == Link(9, 99, "b", linked(first.hash, "b"))


def test_a_hash_is_sha256_over_both_with_a_line_between() -> None:
    assert linked("x", "ä") == sha256("x\nä".encode()).hexdigest()


@pytest.mark.parametrize("body", ["b", "a ", "", "A"])
def test_another_text_has_another_hash(body: str) -> None:
    assert linked("start", body) != linked("start", "a")


def test_no_chain_can_stand_in_for_another_unit_s_or_tenant_s() -> None:
    starts = {genesis(tenant, unit) for tenant in ("a", "b") for unit in ("x", "y")}

    assert len(starts) == 4


def test_no_entries_make_no_links() -> None:
    assert list(chain("start", 7, 99, [])) == []
