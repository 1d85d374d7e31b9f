"""A disk that fails when a test says so: SQLite's own files, with a switch.

It is put under SQLite as its default way to files, for as long as the block lasts. What fails is
real to SQLite: it gets the error that a system call would give it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

SYSTEM = "unix"
NAME = "failing"


class Disk:
    """What the disk does; ``error`` is raised instead of doing what ``failing`` names."""

    def __init__(self) -> None:
        """Begin with a good disk."""
        self.failing = ""
        self.error: type[apsw.Error] = apsw.IOError
        self.file = apsw.SQLITE_OPEN_WAL

    def fail(self, what: str, error: type[apsw.Error], file: int = apsw.SQLITE_OPEN_WAL) -> None:
        """From now on let writes or syncs of the log fail, or of another kind of file."""
        self.failing, self.error, self.file = what, error, file

    def mend(self) -> None:
        """Work again."""
        self.failing = ""

    def do(self, what: str, flags: int) -> None:
        """Raise if this fails now."""
        if what == self.failing and flags & self.file:
            raise self.error


@contextmanager
def disk() -> Iterator[Disk]:
    """Put a disk that can fail under every connection that is opened in the block."""
    switch = Disk()

    class File(apsw.VFSFile):
        def __init__(self, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
            super().__init__(SYSTEM, name, flags)
            self.flags = flags[0]

        def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 (SQLite's name)
            switch.do("write", self.flags)
            super().xWrite(data, offset)

        def xSync(self, flags: int) -> None:  # noqa: N802 (SQLite's name)
            switch.do("sync", self.flags)
            super().xSync(flags)

    class Files(apsw.VFS):
        def __init__(self) -> None:
            super().__init__(NAME, SYSTEM, makedefault=True)

        def xOpen(  # noqa: N802 (SQLite's name)
            self, name: str | apsw.URIFilename | None, flags: list[int]
        ) -> apsw.VFSFile:
            return File(name, flags)

    files = Files()
    try:
        yield switch
    finally:
        files.unregister()
