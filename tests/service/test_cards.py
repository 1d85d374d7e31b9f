"""Cards: what a unit is called, how it is looked for, and since when it is held."""

import pytest

from interlock.service.cards import TITLE_MAX, card_of, folded, new_card, titled


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({}, ""),
        ({"goal": "g"}, "g"),
        ({"title": "t", "goal": "g"}, "t"),
        ({"name": "n", "title": "t", "goal": "g"}, "n"),
        ({"name": "", "title": None, "goal": "g"}, "g"),
        ({"name": "x" * 500}, "x" * TITLE_MAX),
    ],
)
def test_a_thing_is_called_by_the_first_title_it_has(fields: dict[str, object], name: str) -> None:
    assert titled(fields) == name


def test_capitals_and_the_way_a_letter_is_put_together_do_not_matter() -> None:
    assert folded("STRASSE Ñ") == folded("Straße n\u0303".replace("n\u0303", "N\u0303"))
    assert folded("100%_") == "100%_"
    assert folded("a\0b") == "ab"


def test_a_card_has_what_is_looked_for_and_since_when_it_is_held() -> None:
    card = card_of("held", "w-1", {"name": "A Name", "held": True}, 7)

    assert card == ("A Name", "a name\nw-1", 7)
    assert card_of("held", "w-1", {"name": "A Name", "held": False}, 7).held_at is None
    assert card_of("", "w-1", {"name": "A Name", "held": True}, 7).held_at is None


def test_a_card_is_written_anew_only_where_it_says_something_else() -> None:
    before: dict[str, object] = {"name": "a", "held": False, "other": 1}

    assert new_card("held", "w-1", before, {**before, "other": 2}, 7) is None
    assert new_card("held", "w-1", before, {**before, "name": "b"}, 7) == ("b", "b\nw-1", None)
    assert new_card("held", "w-1", before, {**before, "held": True}, 7) == ("a", "a\nw-1", 7)
