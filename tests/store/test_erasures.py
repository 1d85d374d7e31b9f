"""What was erased is told by lines that are on the disk, each of the databases it was erased from."""

from pathlib import Path

import pytest

from interlock.store.erasures import Erasure, ErasuresUnreadable, note, of_backup, read
from interlock.store.errors import StoreError

FIRST = Erasure("local", 7, ("a", "b"))
AGAIN = Erasure("local", 9, ("a", "b"))
OTHER = Erasure("acme", 8, ("c",))


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "data" / "erasures.jsonl"
    for one in (FIRST, OTHER):
        note(file, one)

    assert read(file) == (FIRST, OTHER)


def test_an_erasure_is_of_the_incarnations_it_names_and_of_the_first_instant() -> None:
    known = (AGAIN, FIRST, OTHER)

    assert of_backup(known, "a") == {"local": 7}
    assert of_backup(known, "c") == {"acme": 8}
    assert of_backup(known, "d") == {}


@pytest.mark.parametrize(
    "text", ["no line", "{}", '{"tenant":"a","at":1,"incarnations":"x"}', "[]"]
)
def test_a_file_that_cannot_be_read_is_never_passed_over(tmp_path: Path, text: str) -> None:
    file = tmp_path / "erasures.jsonl"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(ErasuresUnreadable):
        read(file)
    with pytest.raises(ErasuresUnreadable):
        read(tmp_path / "none")


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "erasures.jsonl").mkdir()

    with pytest.raises(StoreError, match="does not tell so"):
        note(tmp_path / "erasures.jsonl", FIRST)
