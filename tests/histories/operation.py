"""Operations as they were seen from outside, and the log of a unit as it stands in the end.

Whoever sends something notes when it was sent and when it was answered, by a clock that all
processes of a machine share, and what the answer says of the unit: its version and its head.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

READ: Final = "read"
"""What an operation is called that changes nothing: a read, or a refusal that says the version."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What one client did to one unit, and what it was told.

    ``version`` and ``head`` are what was read, or what the receipt of a write says.
    """

    name: str
    client: str
    command: str
    unit: str
    invoked_ns: int
    returned_ns: int
    version: int = 0
    head: str = ""
    # The version that must stand for the write to be made, where the client has said one.
    based_on: int = 0
    part: str = ""
    refused: str = ""
    # What is wrong with the answer by itself.
    wrong: str = ""

    @property
    def is_read(self) -> bool:
        """Whether it tells a version and has made none."""
        return self.command == READ and self.version > 0

    @property
    def is_write(self) -> bool:
        """Whether it was told that it has made a version."""
        return self.command != READ and self.version > 0

    def __str__(self) -> str:
        """Say it in a few words."""
        told = f" {self.part}" if self.part else ""
        return f"{self.name} ({self.command}{told}, version {self.version})"


@dataclass(frozen=True, slots=True)
class Written:
    """What one request has left in the log of a unit: the entries from ``first`` to ``last``."""

    request: str
    first: int
    last: int
    head: str


@dataclass(frozen=True, slots=True)
class History:
    """All that was done, and by unit the log in its order."""

    operations: tuple[Operation, ...]
    logs: dict[str, tuple[Written, ...]]

    def by_unit(self) -> Iterator[tuple[str, list[Operation], tuple[Written, ...]]]:
        """Yield each unit with its operations and its log."""
        found: dict[str, list[Operation]] = {unit: [] for unit in self.logs}
        for one in self.operations:
            found.setdefault(one.unit, []).append(one)
        for unit, operations in found.items():
            yield unit, operations, self.logs.get(unit, ())


def write_down(path: Path, operations: Iterable[Operation]) -> None:
    """Write operations to a file, one a line."""
    lines = (json.dumps(asdict(one)) + "\n" for one in operations)
    path.write_text("".join(lines), encoding="utf-8")


def read_back(paths: Iterable[Path]) -> tuple[Operation, ...]:
    """Read operations from files."""
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(Operation(**json.loads(line)) for line in lines)
