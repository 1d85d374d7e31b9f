"""What was looked at is known, up to a bound."""

import pytest

import interlock.service.looked as module
from interlock.service.looked import Looked


def test_who_was_looked_at_is_known_until_they_are_to_be_looked_at_again() -> None:
    looked = Looked()
    looked.add(("t", "a"))
    assert ("t", "a") in looked
    assert ("u", "a") not in looked

    looked.discard(("t", "a"))
    looked.discard(("t", "a"))
    assert ("t", "a") not in looked


def test_however_many_there_are_only_the_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOKED_MAX", 3)
    looked = Looked()
    for name in "abcade":
        looked.add(("t", name))

    assert [*looked] == [("t", "a"), ("t", "d"), ("t", "e")]
