"""Delivery: one candidate or none, and changes that go together."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from interlock.worker.forges.history import Remote, fetch_base
from interlock.worker.workspace import git as git_module
from interlock.worker.workspace.git import Ended, Run
from interlock.worker.workspace.trouble import (
    CommitFailed,
    MergeConflict,
    SquashFailed,
)
from tests.worker.workspace.ground import Ground, committed, done, ground
from tests.worker.workspace.repositories import plain


def changed(here: Ground, **files: str) -> str:
    """Change some files where the tree stands, and commit."""
    done(here.tree.fresh(done(here.tree.head())))
    for name, text in files.items():
        (here.folder / name).write_text(text)
    return here.commit("Change")


@pytest.fixture
def here(tmp_path: Path) -> Ground:
    return ground(tmp_path, text="1\n2\n3\n4\n5\n6\n7\n8\n9\n")


def test_all_becomes_one_commit_on_what_is_common(here: Ground) -> None:
    changed(here, a="a\n")
    before = changed(here, b="b\n")
    (here.there / "theirs").write_text("x\n")
    theirs = committed(here.there)
    remote = Remote(str(here.there))
    assert done(fetch_base(done(here.tree.sealed()), remote, "main")) == theirs

    made = done(here.tree.squash("Sell\n\nAll of it.\n", "main"))
    assert made == (made.candidate, here.base, before, 2)
    assert here.in_commit(made.candidate) == here.in_commit(before)
    assert plain(here.vault, "rev-parse", f"{made.candidate}^") == here.base
    assert plain(here.vault, "log", "-1", "--format=%B", made.candidate) == "Sell\n\nAll of it."
    assert done(here.tree.head()) == made.candidate
    done(here.tree.fresh(made.candidate))
    assert here.look().is_clean


def test_where_nothing_was_changed_there_is_no_candidate(here: Ground) -> None:
    with pytest.raises(SquashFailed, match="Nothing was changed"):
        done(here.tree.squash("x", "main"))
    with pytest.raises(SquashFailed):
        done(here.tree.squash("x", "other"))
    assert done(here.tree.head()) == here.base


@pytest.mark.parametrize("nth", range(1, 8))
@pytest.mark.parametrize("has_run", [False, True])
def test_whatever_fails_the_branch_is_where_it_was(
    here: Ground, monkeypatch: pytest.MonkeyPatch, nth: int, *, has_run: bool
) -> None:
    before = changed(here, a="a\n")
    real = git_module._run
    count = 0

    async def failing(line: Sequence[str], how: Run) -> Ended:
        nonlocal count
        count += 1
        if count != nth:
            return await real(line, how)
        if has_run:  # It has done what it was told, and then it could not say so.
            await real(line, how)
        return Ended(128, b"", b"fatal: no space left")

    monkeypatch.setattr(git_module, "_run", failing)
    try:
        candidate = done(here.tree.squash("All", "main")).candidate
    except SquashFailed:
        candidate = before
    monkeypatch.undo()
    assert count >= nth
    # Either all of it has happened, or nothing.
    assert done(here.tree.head()) == candidate
    assert candidate == before or nth == 7


def test_changes_that_go_together_are_put_on_top(here: Ground) -> None:
    one = changed(here, text="one\n2\n3\n4\n5\n6\n7\n8\n9\n")
    done(here.tree.fresh(here.base))
    two = changed(here, text="1\n2\n3\n4\n5\n6\n7\n8\nnine\n")
    both = done(here.tree.onto(one, two, "Both"))
    assert here.in_commit(both)["text"] == b"one\n2\n3\n4\n5\n6\n7\n8\nnine\n"
    assert plain(here.vault, "rev-parse", f"{both}^") == one
    assert done(here.tree.onto(here.base, one, "x")) == one

    done(here.tree.fresh(here.base))
    three = changed(here, text="three\n2\n3\n4\n5\n6\n7\n8\n9\n")
    with pytest.raises(MergeConflict) as no:
        done(here.tree.onto(one, three, "x"))
    assert no.value.paths == ("text",)
    with pytest.raises(CommitFailed):
        done(here.tree.onto(one, "0" * 40, "x"))


def test_a_drivers_merge_is_not_run(here: Ground) -> None:
    one = changed(here, text="one\n", **{".gitattributes": "text merge=union\n"})
    done(here.tree.fresh(here.base))
    two = changed(here, text="two\n")
    with pytest.raises(MergeConflict):
        done(here.tree.onto(one, two, "x"))
