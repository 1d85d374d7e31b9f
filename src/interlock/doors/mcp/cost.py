"""What a toolset costs a model before it has done anything: the list of tools, in tokens.

A token is taken to be four characters of the list as it goes over the wire. Real tokenizers
differ by a few parts in ten; the figure is for comparing and for keeping a promise.
"""

import json
from typing import Final

from interlock.doors.mcp.tools import toolset

CHARACTERS: Final = 4
"""How many characters are counted as one token."""

TOKENS_MAX: Final = 6_000
"""What the toolset that nobody has to ask for may cost at most."""


def tokens(name: str) -> int:
    """Return what the list of a toolset's tools costs."""
    listed = [
        tool.model_dump(mode="json", by_alias=True, exclude_none=True)
        for tool in toolset(name).tools
    ]
    text = json.dumps({"tools": listed}, ensure_ascii=False, separators=(",", ":"))
    return -(-len(text) // CHARACTERS)
