"""What a commit has: files by name, scripts and targets; links lead nowhere, lists are bounded."""

import asyncio
import json
from pathlib import Path

import pytest

from interlock.ticketing.repository import document
from interlock.worker.workspace import listing
from interlock.worker.workspace.git import GitFailed
from interlock.worker.workspace.listing import listing_of
from tests.worker.workspace.repositories import plain, repository

NODE = json.dumps({"scripts": {"test": "vitest", "lint": "eslint"}})
MAKE = """\
# all: of this is no rule
CC := gcc
.PHONY: check clean
all: shop
\techo a:b
shop shop.o: shop.c
check::
\tpytest
"""


def listed(folder: Path) -> dict[str, object]:
    """List a repository; what comes of it must be what the server takes."""
    found = asyncio.run(listing_of(folder))
    document(found, "ticket-1")
    return found


def more(folder: Path, **files: str) -> None:
    """Commit more files, in folders where their names have dashes."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    plain(folder, "add", "--all")
    plain(folder, "commit", "--quiet", "--message", "More")


def test_files_scripts_and_targets_are_listed_the_root_first(tmp_path: Path) -> None:
    there = repository(tmp_path / "there", Makefile=MAKE)
    more(there, web__package_dot_json=NODE, a__b_dot_py="")

    assert listed(there) == {
        "files": ["Makefile", "shop.py", "a/b.py", "web/package.json"], "is_whole": True,
        "scripts": ["lint", "test"],
        "targets": [".PHONY", "all", "check", "clean", "shop", "shop.o"],
    }  # fmt: skip


def test_only_what_was_committed_counts(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    (there / "Makefile").write_text(MAKE)

    assert listed(there) == {"files": ["shop.py"], "is_whole": True}


def test_a_link_that_leads_away_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("password:\n")
    there = repository(tmp_path / "there")
    for name in ("Makefile", "package.json"):
        (there / name).symlink_to(tmp_path / "secret")
    more(there)

    found = listed(there)

    assert "password" not in str(found)
    assert "scripts" not in found, "a manifest that cannot be read has not been looked at"


@pytest.mark.parametrize(
    "line", ["include other.mk", "-include x", "%.o: %.c", "$(NAMES): x", ".DEFAULT: x"]
)
def test_targets_that_nobody_can_name_are_not_claimed(tmp_path: Path, line: str) -> None:
    assert "targets" not in listed(repository(tmp_path / "there", Makefile=f"all: x\n{line}\n"))


@pytest.mark.parametrize("text", ["{", "[]", '{"scripts": []}', "[" * 100_000])
def test_a_manifest_that_is_broken_was_not_looked_at(tmp_path: Path, text: str) -> None:
    there = repository(tmp_path / "there")
    more(there, package_dot_json=text)

    assert "scripts" not in listed(there)


def test_a_list_that_is_too_long_is_cut_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = repository(tmp_path / "there")
    more(there, deep__b="", a="")
    assert listed(there)["is_whole"] is True

    monkeypatch.setattr(listing, "FILES_MAX", 2)
    assert listed(there) == {"files": ["a", "shop.py"], "is_whole": False}
    monkeypatch.setattr(listing, "BYTES_MAX", 11)
    assert listed(there) == {"files": ["a"], "is_whole": False}


def test_a_name_that_cannot_be_told_is_left_out_and_the_list_is_not_whole(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    (there / "two\nlines").write_text("")
    more(there)

    assert listed(there) == {"files": ["shop.py"], "is_whole": False}


def test_what_is_no_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(GitFailed):
        asyncio.run(listing_of(tmp_path))
