"""Which place a part has among its kind, counted from 1, at this point of a command.

Orders are sparse: a place must be counted. Whoever words an answer asks for it only where a
part's number does not tell it.
"""

from collections.abc import Generator
from typing import cast

from interlock.service.sheet import Sheet
from interlock.store.rows import PartRow
from interlock.store.script import Answer, Ask, Place


def place(sheet: Sheet, row: PartRow) -> Generator[Ask, Answer, int]:
    """Count the parts up to a row, with what the command has changed laid over the store's."""
    kind = row.part.kind

    def stands(one: PartRow | None) -> bool:
        return one is not None and one.part.kind == kind and one.ord <= row.ord

    stored = cast("int", (yield Place(sheet.name, kind, row.ord)))
    before = sum(map(stands, sheet.before.values()))
    return stored - before + sum(map(stands, sheet.rows.values()))
