"""Origins: words are checked, branches are named whole, and what would be awkward is said early."""

from pathlib import Path

import pytest

from interlock.worker.workspace.origin import (
    Origin,
    base_of,
    base_ref,
    check_origin,
    is_branch,
    warnings_of,
)
from interlock.worker.workspace.trouble import NoWorkspace
from tests.worker.workspace.ground import committed, done
from tests.worker.workspace.repositories import plain, repository


def refused(place: Path | str, base: str = "main") -> str:
    origin = Origin(str(place), base)

    async def asked() -> str:
        check_origin(origin)
        return await base_of(origin)

    with pytest.raises(NoWorkspace) as no:
        done(asked())
    return str(no.value)


@pytest.mark.parametrize(
    "base",
    ["--upload-pack=x", "-b", "a..b", "", "a b", "a\nb", "a//b", "a/.b", "a.lock", "a/", "a."],
)
def test_a_branch_is_never_something_else(base: str) -> None:
    assert "no name of a branch" in refused("/x", base)
    assert not is_branch(base)


@pytest.mark.parametrize("base", ["main", "release/1.2", "feature/a_b+c-d"])
def test_a_branch_is_a_branch(base: str) -> None:
    assert is_branch(base)
    assert base_ref(base) == f"refs/interlock/base/{base}"


def test_a_repository_is_never_an_option_nor_a_program(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert "names no repository" in refused(f"--upload-pack=touch {mark}")
    assert "names no repository" in refused("")
    assert "cannot be reached" in refused(f"ext::sh -c touch% {mark}")
    assert not mark.exists()


def test_a_branch_is_named_by_all_of_its_name(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    assert done(base_of(Origin(str(there), "main"))) == plain(there, "rev-parse", "main")
    plain(there, "branch", "a/refs/heads/b")
    assert "has no branch 'b'" in refused(there, "b")
    plain(there, "tag", "v1")
    assert "has no branch 'v1'" in refused(there, "v1")
    (tmp_path / "empty").mkdir()
    plain(tmp_path / "empty", "init", "--quiet")
    assert "has no branch 'main'" in refused(tmp_path / "empty")


def test_what_would_be_awkward_later_is_said(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    (there / "a.txt").write_text("x")
    (there / ".gitattributes").write_text("*.txt filter=x\n")
    committed(there)
    mark = tmp_path / "mark"
    plain(there, "config", "filter.x.clean", f"touch {mark}; cat")
    (there / "a.txt").write_text("y")

    out, dirty = done(warnings_of(Origin(str(there), "main")))
    assert "'main' is checked out" in out
    assert "not committed" in dirty
    assert not mark.exists()
    plain(there, "status")
    plain(there, "diff")
    assert mark.exists(), "by hand it would have run"
    assert len(done(warnings_of(Origin(str(there), "other")))) == 1
    plain(tmp_path, "clone", "--quiet", "--bare", str(there), "bare.git")
    assert done(warnings_of(Origin(str(tmp_path / "bare.git"), "main"))) == ()
    assert done(warnings_of(Origin("https://example.org/x.git", "main"))) == ()
    assert done(warnings_of(Origin(str(tmp_path / "there" / ".git" / "info"), "x"))) == ()
