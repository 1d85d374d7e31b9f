"""What a cut may leave: everything that was synced, and of the rest whatever a disk may do."""

import random
from pathlib import Path

from tests.power import log
from tests.power.disk import SECTOR, Disk
from tests.power.log import Record

ROOT = Path("/r")
DRAWS = 300


def opened(name: str, file: int = 3, flags: int = 0) -> Record:
    return Record(log.OPEN, file, flags, f"/r/{name}".encode())


def wrote(data: bytes, offset: int = 0, file: int = 3) -> Record:
    return Record(log.WRITE, file, offset, data)


def synced(file: int = 3) -> Record:
    return Record(log.SYNC, file, 0, b"")


ROOT_OPENED = Record(log.OPEN, 9, log.EXISTED | log.IS_FOLDER, b"/r")


def left(*records: Record) -> set[tuple[tuple[str, bytes], ...]]:
    """Return everything that a cut after some records may leave, drawn often."""
    disk = Disk(ROOT)
    for record in records:
        disk.follow(record)
    chance = random.Random(1)  # noqa: S311 (repeatable on purpose)
    return {tuple(sorted(disk.cut(chance).items())) for _ in range(DRAWS)}


def contents(*records: Record) -> set[bytes]:
    """Return everything that may be left of the one file there is."""
    found = left(opened("a"), ROOT_OPENED, synced(9), *records)
    return {text for files in found for _, text in files}


def test_what_was_synced_is_there() -> None:
    assert contents(wrote(b"new"), synced()) == {b"new"}


def test_what_was_not_synced_may_be_there_or_not_and_the_size_without_the_bytes() -> None:
    assert contents(wrote(b"new")) == {b"", b"new", bytes(3)}


def test_a_sector_has_any_content_that_it_had_since_the_last_sync() -> None:
    old, new, newest = (letter * SECTOR for letter in (b"1", b"2", b"3"))

    assert contents(wrote(old), synced(), wrote(new), wrote(newest)) == {old, new, newest}


def test_writes_are_torn_between_sectors_and_nowhere_else() -> None:
    found = contents(wrote(bytes(2 * SECTOR)), synced(), wrote(b"x" * 2 * SECTOR))

    assert found == {
        first * SECTOR + second * SECTOR for first in (b"\0", b"x") for second in (b"\0", b"x")
    }


def test_what_was_cut_off_does_not_come_back_when_a_file_grows() -> None:
    shorter = Record(log.TRUNCATE, 3, 4, b"")
    found = contents(wrote(b"old" * 4), synced(), shorter, wrote(b"z", 11))

    assert {b"old" * 4, b"oldo", b"oldo" + bytes(7) + b"z"} < found
    assert {text[4:11] for text in found} == {b"", b"ldoldol", bytes(7)}


def test_a_name_is_certain_when_its_folder_is_synced_and_not_when_the_file_is() -> None:
    new = (ROOT_OPENED, opened("a"), wrote(b"new"), synced())
    there = (("a", b"new"),)

    assert left(*new) == {(), there}
    assert left(*new, synced(9)) == {there}


def test_a_name_that_was_taken_away_may_be_back_until_its_folder_is_synced() -> None:
    gone = (
        ROOT_OPENED, opened("a"), wrote(b"old"), synced(), synced(9),
        Record(log.UNLINK, -1, 0, b"/r/a"),
    )  # fmt: skip

    assert left(*gone) == {(), (("a", b"old"),)}
    assert left(*gone, synced(9)) == {()}


def test_a_file_in_a_folder_without_a_name_is_gone() -> None:
    new = (
        ROOT_OPENED, Record(log.FOLDER, -1, 0, b"/r/data"), opened("data/a"), wrote(b"new"), synced(),
        opened("data", 4, log.EXISTED | log.IS_FOLDER), synced(4),
    )  # fmt: skip

    assert left(*new) == {(), (("data/a", b"new"),)}
    assert left(*new, synced(9)) == {(("data/a", b"new"),)}


def test_another_name_for_a_file_takes_the_place_of_the_old_one() -> None:
    renamed = (
        ROOT_OPENED, opened("a"), wrote(b"new"), synced(), synced(9),
        Record(log.RENAME, -1, 0, b"/r/a\n/r/b"), synced(9),
    )  # fmt: skip

    assert left(*renamed) == {(("b", b"new"),)}
