"""What the recorder wrote down: one record a call, in the order in which the calls were done."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HEAD: Final = struct.Struct("=ciqI")

OPEN: Final = "o"
WRITE: Final = "w"
TRUNCATE: Final = "t"
SYNC: Final = "s"
FOLDER: Final = "d"
UNLINK: Final = "u"
RENAME: Final = "r"

# Flags of an open, in its offset.
EXISTED: Final = 1
EMPTIED: Final = 2
IS_FOLDER: Final = 4


@dataclass(frozen=True, slots=True)
class Record:
    """A call: its letter, the descriptor, a place or a size or flags, and bytes or names."""

    what: str
    file: int
    offset: int
    data: bytes

    @property
    def names(self) -> list[str]:
        """The names that it is about."""
        return self.data.decode().split("\n")


def read(path: Path) -> list[Record]:
    """Read a log; what was torn at its end counts as not done."""
    return [*_records(path.read_bytes())]


def _records(text: bytes) -> Iterator[Record]:
    place = 0
    while place + HEAD.size <= len(text):
        what, file, offset, size = HEAD.unpack_from(text, place)
        place += HEAD.size
        yield Record(what.decode(), file, offset, text[place : place + size])
        place += size
