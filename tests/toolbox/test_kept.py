"""What servers told is known to whoever starts next, unless they are configured otherwise."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.servers import Server
from interlock.toolbox.around import Around
from interlock.toolbox.catalog import Catalog
from interlock.toolbox.kept import NAME, described, read_kept
from interlock.toolbox.tool import Described

ANY = {"type": "object"}
FILES = Server("files", ("x", "y"), env={"KEY": "s3cret"})
WEB = Server("web", url="https://a.example", headers={"Authorization": "s3cret"})
READ = Described("files.read", "Read.", ANY, ANY, ("mcp:files",))


def test_what_was_told_is_known_the_next_time(tmp_path: Path) -> None:
    file = tmp_path / NAME
    first = Catalog(Around(servers=(FILES, WEB)), file)
    first.keep("files", [READ])

    later = Catalog(Around(servers=(FILES, WEB)), file)

    assert later.describe()["files.read"] == READ
    assert later.unlisted() == (WEB,)
    assert "s3cret" not in file.read_text()
    assert [one.name for one in tmp_path.iterdir()] == [NAME]


@pytest.mark.parametrize("change", [{"command": ("z",)}, {"name": "other"}])
def test_a_server_that_is_configured_otherwise_is_asked_anew(
    tmp_path: Path, change: dict[str, str]
) -> None:
    file = tmp_path / NAME
    Catalog(Around(servers=(FILES,)), file).keep("files", [READ])
    changed = Server(change.get("name", "files"), tuple(change.get("command", FILES.command)))

    assert Catalog(Around(servers=(changed,)), file).unlisted() == (changed,)
    assert read_kept(file, (replace(FILES, env={"KEY": "new"}),)) == {"files": {READ.name: READ}}


@pytest.mark.parametrize(
    "text", ["", "[]", "3", '{"files": 3}', '{"files": {"from": "x"}}', "[" * 9_999]
)
def test_a_file_that_says_nothing_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / NAME
    file.write_text(text)

    assert read_kept(file, (FILES,)) == {}


def test_a_folder_that_is_not_there_is_nobody_s_fault(tmp_path: Path) -> None:
    catalog = Catalog(Around(servers=(FILES,)), tmp_path / "none" / NAME)
    catalog.keep("files", [READ])

    assert "files.read" in catalog.describe()


@pytest.mark.parametrize("row", [3, [], ["a", "b", 1, 2, []], ["a", "b", {}, {}, 3]])
def test_what_is_no_description_is_refused(row: object) -> None:
    assert described(json.loads(json.dumps(READ))) == READ
    with pytest.raises((ValueError, TypeError)):
        described(row)
