"""A disk that can be told to fail, as a file system of SQLite's."""

import apsw


class FailingDisk(apsw.VFS):
    """A disk that can be told to fail."""

    def __init__(self, name: str) -> None:
        self.is_broken = False
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802  apsw names it
        return FailingFile(self, name, flags)


class FailingFile(apsw.VFSFile):
    """A file on that disk."""

    def __init__(
        self, disk: FailingDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        self.disk = disk
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802  apsw names it
        if self.disk.is_broken:
            message = "the disk is gone"
            raise apsw.IOError(message)
        super().xWrite(data, offset)
