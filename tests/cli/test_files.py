"""Files: read as JSON, written and said so; what cannot be done is told with what would be right."""

import json
from pathlib import Path

import pytest

from interlock.cli.files import (
    NotReadable,
    NotWritable,
    read_document,
    read_json,
    write_secret,
    write_text,
)


def test_a_document_is_read(tmp_path: Path) -> None:
    path = tmp_path / "unit.json"
    path.write_text(json.dumps({"unit": {"status": "×"}}), encoding="utf-8")

    assert read_json(path) == {"unit": {"status": "×"}}


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotReadable) as caught:
        read_json(tmp_path / "none.json")

    assert (
        caught.value.message
        == f"{tmp_path / 'none.json'} cannot be read: No such file or directory."
    )


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotReadable, match="Is a directory"):
        read_json(tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe", b"[" * 100_000], ids=["empty", "cut", "no text", "deep"]
)
def test_what_is_no_json_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "unit.json"
    path.write_bytes(content)
    with pytest.raises(NotReadable, match="is no JSON"):
        read_json(path)


def test_a_text_is_written_with_one_line_end_and_told_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "drawing.svg"
    write_text(path, "<svg/>\n\n")

    assert path.read_text(encoding="utf-8") == "<svg/>\n"
    assert tuple(capsys.readouterr()) == ("", f"wrote {path}\n")


def test_without_a_file_the_text_goes_to_standard_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_text(None, "[bold]as it is[/bold]")

    assert tuple(capsys.readouterr()) == ("[bold]as it is[/bold]\n", "")


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotWritable) as caught:
        write_text(tmp_path / "no folder" / "drawing.svg", "<svg/>")

    assert caught.value.code == "NOT_WRITABLE"
    assert "No such file or directory" in caught.value.message
    assert "folder that exists" in caught.value.fix


def test_a_document_is_yaml_by_its_name(tmp_path: Path) -> None:
    yaml, other = tmp_path / "a.yaml", tmp_path / "a.txt"
    yaml.write_text("name: x\nsteps: [1]\n", encoding="utf-8")
    other.write_text('{"name": "x"}', encoding="utf-8")

    assert read_document(yaml) == {"name": "x", "steps": [1]}
    assert read_document(other) == {"name": "x"}


@pytest.mark.parametrize("text", ["a: [", "!!python/object:os.system {}", "\x00"])
def test_what_is_no_plain_yaml_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.yml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(NotReadable):
        read_document(path)
    with pytest.raises(NotReadable):
        read_document(tmp_path / "absent.yaml")


def test_a_secret_is_for_its_owner_and_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secret"
    write_secret(path, "il_1")

    assert path.read_text() == "il_1\n"
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(NotWritable):
        write_secret(path, "il_2")
    assert path.read_text() == "il_1\n"
