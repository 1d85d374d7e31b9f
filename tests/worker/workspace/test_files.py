"""Small files: whole or not there."""

from pathlib import Path

import pytest

from interlock.worker.workspace.files import put, put_json, read_json


def test_what_is_put_is_there_and_read_again(tmp_path: Path) -> None:
    put_json(tmp_path / "a", {"b": 1})
    put_json(tmp_path / "a", {"b": 2})
    assert read_json(tmp_path / "a") == {"b": 2}
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "\x00"])
def test_what_cannot_be_read_is_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "a").write_text(text)
    assert read_json(tmp_path / "a") == {}
    assert read_json(tmp_path / "none") == {}


def test_a_disk_that_fails_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "a", b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("interlock.worker.workspace.files.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        put(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]
