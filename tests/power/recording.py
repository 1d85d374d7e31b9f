"""A recording: what a child did to its files, in one order, and what may be left of it at any cut."""

import json
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.crash.journal import Line, take
from tests.power import log
from tests.power.child import FILE, JOURNAL
from tests.power.disk import Disk
from tests.power.log import Record

Files = dict[str, bytes]

IMAGES_A_CUT: Final = 6
INDEX: Final = "-shm"
STALE_SHARE: Final = 0.2
EARLY_SHARE: Final = 0.05
"""So many cuts hit while the file is being made, when nobody has been answered yet."""


@dataclass(frozen=True, slots=True)
class Image:
    """What a cut has left: where it was, the files, and what clients knew by then.

    ``journal`` goes on with the next cut; ``written`` is what it was read from, and stays.
    """

    cut: int
    files: Files
    journal: dict[str, Line]
    written: bytes
    # Two images of a cut with the same mark are the same.
    mark: int


@dataclass(slots=True)
class Recording:
    """The log of a child that began with these files."""

    root: Path
    records: list[Record]
    start: Files = field(default_factory=dict)

    def last(self) -> Files:
        """Return the files as the child left them."""
        disk = Disk(self.root, self.start)
        for record in self.records:
            disk.follow(record)
        return disk.all_written()

    def images(self, amount: int, chance: random.Random) -> Iterator[Image]:
        """Return so many images, no two of a cut alike."""
        seen: set[int] = set()
        while len(seen) < amount:
            for image in self._pass(-(-amount // IMAGES_A_CUT), chance):
                if image.mark not in seen and len(seen) < amount:
                    seen.add(image.mark)
                    yield image

    def _pass(self, cuts: int, chance: random.Random) -> Iterator[Image]:
        """Follow the log once; at each cut draw images, of which some may be alike."""
        disk = Disk(self.root, self.start)
        journal: dict[str, Line] = {}
        written, done = self.start.get(JOURNAL, b""), 0
        for line in written.splitlines():
            take(journal, json.loads(line))
        for cut in self._cuts(cuts, chance):
            for record in self.records[done:cut]:
                if disk.follow(record) == JOURNAL:
                    take(journal, json.loads(record.data))
                    written += record.data
            done = cut
            for _ in range(IMAGES_A_CUT):
                files = disk.cut(chance, INDEX, JOURNAL)
                mark = hash((cut, *sorted(files.items())))
                yield Image(cut, _with_index(files, chance), journal, written, mark)

    def _cuts(self, amount: int, chance: random.Random) -> list[int]:
        """Draw where to cut: a few while nobody has been answered yet, the rest anywhere after."""
        first = self._first_answer()
        return sorted(
            chance.randint(0, first)
            if chance.random() < EARLY_SHARE
            else chance.randint(first, len(self.records))
            for _ in range(amount)
        )

    def _first_answer(self) -> int:
        answers = (
            place
            for place, record in enumerate(self.records, 1)
            if record.what == log.WRITE and record.data.startswith(b'{"id":')
        )
        return next(answers, 0)


def _with_index(files: Files, chance: random.Random) -> Files:
    """Leave a stale index now and then: nothing is known of it after a cut."""
    if FILE in files and chance.random() < STALE_SHARE:
        return {**files, FILE + INDEX: chance.randbytes(32_768)}
    return files


def lay_out(files: Files, folder: Path) -> Path:
    """Put files into a folder that has nothing else in it; return where the database is."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return folder / FILE
