"""What may be kept of a call: its shape and its short values, never a secret, never a long text.

Pure and total: whatever comes in, something small and plain comes out.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

TEXT_MAX: Final = 500
"""How long a text may be; of a longer one only the length is kept."""

LEVELS_MAX: Final = 5
ITEMS_MAX: Final = 10
WHOLE_MAX: Final = 20_000
"""How long all of it may be as text; there may be many keys."""

NUMBER_BITS: Final = 256
HIDDEN: Final = "(hidden)"
SECRETS: Final = frozenset({
    "authorization", "bearer", "cookie", "credential", "credentials", "lease", "passphrase",
    "passwd", "password", "secret", "secrets", "signature", "token",
})  # fmt: skip
KEYS: Final = frozenset({"api", "access", "private", "secret", "signing"})
"""What makes a key one that opens something, where it stands before the word."""

HINTS: Final = ("il_", "bearer", "lease", "token", "password")
"""No secret is looked for in a text that has none of these."""

SECRET_MIN: Final = 7
"""How short a text can be that holds a secret and says so: lease=1."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_INSIDE: Final = re.compile(
    r"il_[0-9a-fA-F]{8,}|(?i:\bbearer\s+\S+)|(?i:\b(?:lease|token|password)[\"']?\s*[=:]\s*[^\s,)}]+)"
)


def redacted(value: object, level: int = 1) -> object:
    """Return what may be kept of a value."""
    # Every call passes here, so what is most frequent is asked first.
    match value:
        case str():
            return _text(value)
        case None | bool() | float():
            return value
        case int():
            return value if value.bit_length() <= NUMBER_BITS else "(a large number)"
        case list() | tuple():
            return _listed(value, level)
        case dict() | Mapping():
            return _keyed(value, level)
        case _:
            return f"({type(value).__name__})"


def redacted_text(value: object) -> str:
    """Return what may be kept of a value as JSON in plain ASCII, which every database takes."""
    text = json.dumps(redacted(value))
    return text if len(text) <= WHOLE_MAX else json.dumps(f"({len(text)} characters)")


def without_secrets(text: str) -> str:
    """Return a text, however long, without what looks like a secret; every database takes it."""
    plain = text.replace("\0", "").encode(errors="replace").decode()
    return _INSIDE.sub(HIDDEN, plain)


@lru_cache(maxsize=4096)
def _key(name: str) -> tuple[str, bool]:
    """Return how a key is shown and whether it is a secret's: the same few come all the time."""
    return _text(name), is_secret(name)


def is_secret(name: str) -> bool:
    """Say whether what stands under a name is nobody's business, however it is spelt."""
    words = [word.lower() for word in _WORD.findall(name)]
    if SECRETS.intersection(words) or "apikey" in words:
        return True
    return any(two == "key" and one in KEYS for one, two in pairwise(words))


def _text(text: str) -> str:
    if len(text) > TEXT_MAX:
        return f"({len(text)} characters)"
    if len(text) < SECRET_MIN:
        return text
    # Looking for a word is quick, and hardly any text has one of these.
    low = text.lower()
    for word in HINTS:
        if word in low:
            return _INSIDE.sub(HIDDEN, text)
    return text


def _keyed(value: Mapping[object, object], level: int) -> object:
    if level > LEVELS_MAX:
        return f"({len(value)} keys)"
    found: dict[str, object] = {}
    for key, one in value.items():
        name, is_hidden = _key(str(key))
        if is_hidden and one is not None:
            found[name] = HIDDEN
        else:
            found[name] = _text(one) if type(one) is str else redacted(one, level + 1)
    return found


def _listed(items: Sequence[object], level: int) -> object:
    if level > LEVELS_MAX:
        return f"({len(items)} items)"
    kept = [redacted(one, level + 1) for one in items[:ITEMS_MAX]]
    more = len(items) - len(kept)
    return [*kept, f"(and {more} more)"] if more else kept
