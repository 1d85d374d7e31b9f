"""What git says of requests, against real repositories."""

from pathlib import Path

import pytest

from interlock.worker.forges.forge import CONFLICT, INTERLOCK, OUTSIDE, NotMerged
from interlock.worker.forges.history import (
    Push,
    Remote,
    contains,
    fetch_base,
    has,
    merge,
    merged_in,
    push,
    refs_of,
)
from interlock.worker.workspace.git import GitFailed
from tests.worker.forges.grounds import Ground, ground_in, run
from tests.worker.workspace.repositories import plain


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def test_a_push_is_all_or_nothing_and_only_from_where_it_is_expected(ground: Ground) -> None:
    there = Remote(str(ground.bare))
    good = Push("refs/heads/new", ground.head)
    run(push(ground.vault, there, (good,)))
    other = ground.commit(ground.base, {"x": "y"})
    both = (Push("refs/heads/more", other), good._replace(commit=other))
    with pytest.raises(GitFailed):
        run(push(ground.vault, there, both))

    assert run(refs_of(there, "refs/heads/*")) == {
        "refs/heads/main": ground.base, "refs/heads/new": ground.head,
    }  # fmt: skip


@pytest.mark.parametrize("url", ["", "--receive-pack=touch x", "ext::sh -c x", "/nowhere"])
def test_an_address_is_never_an_option_nor_a_program(
    ground: Ground, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ground.vault)
    before = {*ground.vault.iterdir()}
    with pytest.raises(GitFailed):
        run(push(ground.vault, Remote(url), (Push("refs/heads/x", ground.head),)))

    assert {*ground.vault.iterdir()} == before, "nothing planted in an address has run"


def test_a_commit_is_found_in_the_history_of_its_base(ground: Ground) -> None:
    made = run(merge(ground.vault, ground.base, ground.head, "Merge"))
    later = ground.commit(made, {"later.py": "x"})

    assert run(contains(ground.vault, later, ground.head))
    assert not run(contains(ground.vault, ground.base, ground.head))
    assert run(merged_in(ground.vault, later, ground.head)) == (made, later, INTERLOCK, "")
    assert run(merged_in(ground.vault, ground.head, ground.head)).by == OUTSIDE
    assert (run(has(ground.vault, made)), run(has(ground.vault, "0" * 40))) == (True, False)


def test_two_changes_of_one_place_do_not_fit(ground: Ground) -> None:
    other = ground.commit(ground.base, {"pears.py": "other\n"})

    with pytest.raises(NotMerged) as no:
        run(merge(ground.vault, other, ground.head, "Merge"))
    assert no.value.reason == CONFLICT


def test_the_base_is_fetched_as_it_is_now(ground: Ground) -> None:
    moved = ground.advance({"apples.py": "x\n"})

    assert run(fetch_base(ground.vault, Remote(str(ground.bare)), "main")) == moved
    assert plain(ground.vault, "cat-file", "-t", moved) == "commit"
