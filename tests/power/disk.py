"""A disk as the log tells it: what is there for certain, what may be, and what a cut may leave.

What was synced is there. Of what came after, each sector of a file holds any of the contents it has
had since, each on its own, so writes are torn and come in any order; a sector itself is never torn.
The size of a file and its holes go with one moment since its last sync, as every file system with
a journal has it. A name stands for any file it has stood for since its folder was synced, or for
none; a file that was synced may thus have no name. Nothing else is promised, so nothing else is
assumed.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.power import log
from tests.power.log import Record

SECTOR: Final = 512
NO_BYTES: Final = bytes(SECTOR)

Held = dict[int, list[tuple[int, bytes]]]
"""For each sector what it has held, the oldest first, each with the number of the write."""

Pick = Callable[[list[int]], int]
"""Picks one of the contents of a sector, told by the numbers of the writes that made them."""


@dataclass(slots=True)
class File:
    """A file: what is on the disk for certain, and what was done to it since."""

    # None of a folder.
    durable: bytearray | None = field(default_factory=bytearray)
    # (offset, bytes) of a write; (size, None) of a change of the size.
    since: list[tuple[int, bytes | None]] = field(default_factory=list)
    # What its sectors have held, as long as nothing more is done; many images are made of one cut.
    _held: dict[int, Held] = field(default_factory=dict)

    def change(self, place: int, data: bytes | None) -> None:
        """Do something to it that is not certain to last."""
        self.since.append((place, data))
        self._held.clear()

    def sync(self) -> None:
        """Have everything that was done on the disk."""
        if self.durable is not None:
            for place, data in self.since:
                self._apply(self.durable, place, data)
        self.since.clear()
        self._held.clear()

    @staticmethod
    def _apply(content: bytearray, place: int, data: bytes | None) -> None:
        end = place + len(data or b"")
        if end > len(content):
            content.extend(bytes(end - len(content)))
        if data is None:
            del content[place:]
        else:
            content[place:end] = data

    def left(self, moment: int, pick: Pick) -> bytes:
        """Return what a cut leaves: the size as of one moment, each sector as it is picked."""
        assert self.durable is not None
        size = self._size(moment)
        kept = bytearray(self.durable[:size].ljust(size, b"\0"))
        for number, contents in self._contents(moment).items():
            start = number * SECTOR
            if start < size:
                picked = contents[pick([write for write, _ in contents])][1]
                kept[start : start + SECTOR] = picked[: size - start]
        return bytes(kept)

    def _size(self, moment: int) -> int:
        assert self.durable is not None
        size = len(self.durable)
        for place, data in self.since[:moment]:
            size = place if data is None else max(size, place + len(data))
        return size

    def _contents(self, moment: int) -> Held:
        """Return what the sectors that were touched have held."""
        if moment not in self._held:
            self._held[moment] = self._gathered(moment)
        return self._held[moment]

    def _gathered(self, moment: int) -> Held:
        found: Held = {}
        for number, (place, data) in enumerate(self.since, 1):
            if data is not None:
                for sector, at, piece in _pieces(place, data):
                    held = found.setdefault(sector, [(0, self._sector(sector))])
                    old = held[-1][1]
                    held.append((number, old[:at] + piece + old[at + len(piece) :]))
            elif number <= moment:
                self._cut_off(found, place)
        return found

    def _cut_off(self, found: Held, size: int) -> None:
        """Forget what was beyond a size: if the file grows again there is nothing there."""
        assert self.durable is not None
        last = max([*found, len(self.durable) // SECTOR])
        for sector in range(size // SECTOR, last + 1):
            inside = max(0, size - sector * SECTOR)
            held = found.get(sector, [(0, self._sector(sector))])
            found[sector] = [(write, text[:inside].ljust(SECTOR, b"\0")) for write, text in held]

    def _sector(self, number: int) -> bytes:
        assert self.durable is not None
        start = number * SECTOR
        return bytes(self.durable[start : start + SECTOR]).ljust(SECTOR, b"\0")


def _pieces(place: int, data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Part a write by sectors: number, place inside, bytes."""
    done = 0
    while done < len(data):
        sector, at = divmod(place + done, SECTOR)
        piece = data[done : done + SECTOR - at]
        yield sector, at, piece
        done += len(piece)


def _newest(contents: list[int]) -> int:
    return len(contents) - 1


class Disk:
    """The files below one folder, as far as a log has been followed."""

    def __init__(self, root: Path, start: Mapping[str, bytes] | None = None) -> None:
        """Begin with files that are there for certain, by their paths from the folder on."""
        self._root = str(root.resolve())
        # What each name has stood for since its folder was synced; None is nothing.
        self._names: dict[str, list[File | None]] = {}
        self._open: dict[int, tuple[str, File]] = {}
        for name, content in (start or {}).items():
            for folder in list(Path(name).parents)[-2::-1]:
                self._names.setdefault(str(folder), [File(None)])
            self._names[name] = [File(bytearray(content))]

    def follow(self, record: Record) -> str:
        """Take a record in; return the name of the file that it wrote to, if it did."""
        if record.file >= 0 and record.what != log.OPEN:
            return self._change(record)
        if record.what == log.OPEN:
            self._opened(record)
        elif record.what == log.FOLDER:
            self._name(self._inside(record.names[0]), File(None))
        elif record.what == log.UNLINK:
            self._name(self._inside(record.names[0]), None)
        elif record.what == log.RENAME:
            old, new = map(self._inside, record.names)
            self._name(new, self._names[old][-1])
            self._name(old, None)
        return ""

    def _change(self, record: Record) -> str:
        name, file = self._open[record.file]
        if record.what == log.WRITE:
            file.change(record.offset, record.data)
            return name
        if record.what == log.TRUNCATE:
            file.change(record.offset, None)
        elif record.what == log.SYNC:
            file.sync()
            if file.durable is None:
                self._sync_names(name)
        return ""

    def _opened(self, record: Record) -> None:
        name = self._inside(record.names[0])
        known = self._names.get(name, [None])[-1]
        if known is None:
            known = File(None if record.offset & log.IS_FOLDER else bytearray())
            # The folder itself has no name here, and what was there before us is there for certain.
            if name and not record.offset & log.EXISTED:
                self._name(name, known)
            elif name:
                self._names[name] = [known]
        elif record.offset & log.EMPTIED:
            known.change(0, None)
        self._open[record.file] = name, known

    def _inside(self, path: str) -> str:
        return path.removeprefix(self._root).lstrip("/")

    def _name(self, name: str, file: File | None) -> None:
        self._names.setdefault(name, [None]).append(file)

    def _sync_names(self, folder: str) -> None:
        for name, stands in self._names.items():
            if name.rpartition("/")[0] == folder:
                del stands[:-1]

    # -- what a cut leaves -----------------------------------------------------------------------

    def all_written(self) -> dict[str, bytes]:
        """Return the files as the process sees them."""
        return dict(self._files({name: file[-1] for name, file in self._names.items()}, _All()))

    def cut(self, chance: random.Random, *without: str) -> dict[str, bytes]:
        """Return files that a power cut now may leave, without those with certain endings."""
        manner = _Manner(chance)
        stands = {
            name: files[manner.name(len(files))]
            for name, files in self._names.items()
            if not name.endswith(without)
        }
        return dict(self._files(stands, manner))

    def _files(
        self, stands: dict[str, File | None], manner: "_Manner | _All"
    ) -> Iterator[tuple[str, bytes]]:
        for name, file in stands.items():
            folders = [str(folder) for folder in list(Path(name).parents)[:-1]]
            if file is None or file.durable is None or not all(map(stands.get, folders)):
                continue
            moment, pick = manner.file(len(file.since))
            yield name, file.left(moment, pick)


class _All:
    """Everything has come to the disk."""

    def file(self, writes: int) -> tuple[int, Pick]:
        return writes, _newest


class _Manner:
    """How a cut treats what is not certain; drawn anew for every image."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._names_kept = chance.choice((0.0, 0.5, 1.0, 1.0))

    def name(self, versions: int) -> int:
        """Pick what a name stands for."""
        if self._chance.random() < self._names_kept:
            return versions - 1
        return self._chance.randrange(versions)

    def file(self, writes: int) -> tuple[int, Pick]:
        """Pick the moment of a file's size, and how its sectors are picked."""
        chance = self._chance
        moment = chance.choice((0, writes, writes, chance.randint(0, writes)))
        middle = chance.randint(0, writes)
        share = chance.choice((0.05, 0.5, 0.95))
        picks: tuple[Pick, ...] = (
            _newest,
            lambda _: 0,
            # In order, the last write torn.
            lambda made: max(
                place
                for place, write in enumerate(made)
                if write < middle or not write or (write == middle and chance.random() < 0.5)
            ),
            # The other way round: the first writes are those that are missing.
            lambda made: len(made) - 1 if made[-1] > middle else 0,
            lambda made: len(made) - 1 if chance.random() < share else 0,
            lambda made: chance.randrange(len(made)),
        )
        return moment, chance.choice(picks)
