"""Tools for tests of the worker: they write down that they ran, and wait to be let on."""

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from interlock.toolbox.around import Around
from interlock.toolbox.tool import TRANSIENT, ToolFailure, tool

TEXT: Final = {"type": "string"}
COUNT: Final = {"type": "integer"}
TAKES: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "book": TEXT,
        "until": TEXT,
        "text": TEXT,
        "fails": COUNT,
        "times": COUNT,
    },
    "required": ["book"],
}
RETURNS: Final[Mapping[str, object]] = {
    "type": "object", "properties": {"text": TEXT}, "required": ["text"],
}  # fmt: skip
NAP_S: Final = 0.02


@tool(name="note", doc="Writes its process down.", parameters=TAKES, result=RETURNS)
def note(arguments: Mapping[str, object], around: Around) -> object:
    """Write down that it runs, then wait for a file if one is named; fail as often as asked."""
    del around
    book = Path(str(arguments["book"]))
    with book.open("a") as lines:
        lines.write(f"{os.getpid()}\n")
    until = arguments.get("until")
    while until and not Path(str(until)).exists():
        time.sleep(NAP_S)
    if len(book.read_text().split()) <= int(str(arguments.get("fails", 0))):
        raise ToolFailure(TRANSIENT, "not yet")
    return {"text": str(arguments.get("text", "")) * int(str(arguments.get("times", 1)))}
