"""Cards: what a unit is called in a line, how it is looked for, and whether it is held.

Folding is done here alone, so that both databases find the same. When a card is written is for
``turn`` and ``create`` to say, how for the stores.
"""

import unicodedata
from collections.abc import Mapping
from typing import Final

from interlock.store.board import Card

TITLE_MAX: Final = 200
TITLES: Final = ("name", "title", "goal")
"""The fields that say in a line what a thing is, the first that is there."""


def titled(fields: Mapping[str, object]) -> str:
    """Return what a unit or part with these fields is called, or the empty string."""
    found = next((str(fields[word]) for word in TITLES if fields.get(word)), "")
    return found[:TITLE_MAX]


def folded(text: str) -> str:
    """Return a text so that capitals do not matter; no database keeps a NUL."""
    return unicodedata.normalize("NFC", text.casefold()).replace("\0", "")


def card_of(held: str, unit: str, fields: Mapping[str, object], at: int) -> Card:
    """Return the card of a unit with these fields; the one named ``held`` says if it is held."""
    name = titled(fields).replace("\0", "")
    is_held = bool(held and fields.get(held))
    return Card(name, f"{folded(name)}\n{folded(unit)}", at if is_held else None)


def new_card(
    held: str,
    unit: str,
    before: Mapping[str, object],
    after: Mapping[str, object],
    at: int,
) -> Card | None:
    """Return the card that a change of fields makes necessary; mostly there is none."""
    card = card_of(held, unit, after, at)
    return None if card == card_of(held, unit, before, at) else card
