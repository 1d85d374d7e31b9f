"""The spellings that are accepted on input: ``planId`` for ``plan_id``.

Only names that a command's schema knows are turned; what a caller may fill freely, such as the
keys of a result, is left as it came.
"""

import re
from collections.abc import Mapping
from typing import Final

HUMP: Final = re.compile(r"(?<=[a-z0-9])([A-Z])")


def in_snake_case(schema: Mapping[str, object], value: object) -> object:
    """Return an input with the names that its schema knows spelled as the schema spells them."""
    if isinstance(value, list):
        items = schema.get("items")
        return [in_snake_case(items, one) for one in value] if isinstance(items, dict) else value
    members = schema.get("properties")
    if not isinstance(value, dict) or not isinstance(members, dict):
        return value
    spelled = {}
    for name, inner in value.items():
        known = _known(name, members, value)
        spelled[known] = in_snake_case(members[known], inner) if known in members else inner
    return spelled


def _known(name: str, members: Mapping[str, object], given: Mapping[str, object]) -> str:
    """Return the name the schema has for this one; where both are given, neither is guessed."""
    if name in members:
        return name
    spelled = HUMP.sub(r"_\1", name).lower()
    return spelled if spelled in members and spelled not in given else name
