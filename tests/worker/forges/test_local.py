"""The local forge against real repositories."""

import asyncio
from pathlib import Path

import pytest

from interlock.worker.forges.forge import (
    CONFLICT,
    DRAFT,
    HEAD_MOVED,
    INTERLOCK,
    OUTSIDE,
    ForgeFailed,
    NotMerged,
    Request,
)
from interlock.worker.forges.local import Local
from tests.worker.forges.grounds import BRANCH, Ground, ground_in, run
from tests.worker.workspace.repositories import plain, repository


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def opened(ground: Ground, head: str = "", branch: str = BRANCH) -> Request:
    return run(Local(str(ground.bare)).open(ground.vault, ground.draft(head, branch)))


def test_a_request_is_a_branch_and_a_number_pushed_together(ground: Ground) -> None:
    made = opened(ground)

    assert made == Request(1, "refs/pull/1/head", DRAFT, ground.head, "main", BRANCH)
    assert ground.ref(f"refs/heads/{BRANCH}") == ground.head
    assert ground.ref("refs/pull/1/head") == ground.head
    assert ground.ref("refs/heads/main") == ground.base


def test_asked_twice_there_is_one_request_and_it_is_brought_up_to_date(ground: Ground) -> None:
    opened(ground)
    newer = ground.commit(ground.base, {"pears.py": "better\n"})

    assert opened(ground).number == 1
    assert opened(ground, newer).number == 1

    assert ground.ref("refs/pull/1/head") == newer
    assert ground.ref(f"refs/heads/{BRANCH}") == newer
    assert not ground.ref("refs/pull/2")


def test_each_ticket_has_a_number_of_its_own_also_at_the_same_moment(ground: Ground) -> None:
    forge = Local(str(ground.bare))
    heads = [ground.commit(ground.base, {"pears.py": f"{place}\n"}) for place in range(4)]

    async def all_at_once() -> list[Request]:
        drafts = [
            ground.draft(head, f"interlock/ticket-{place}") for place, head in enumerate(heads)
        ]
        return await asyncio.gather(*(forge.open(ground.vault, one) for one in drafts))

    assert sorted(one.number for one in run(all_at_once())) == [1, 2, 3, 4]


def test_a_branch_that_somebody_else_has_pushed_to_is_not_overwritten(ground: Ground) -> None:
    opened(ground)
    theirs = ground.commit(ground.head, {"theirs.py": "x\n"}, "bare")
    plain(ground.bare, "update-ref", f"refs/heads/{BRANCH}", theirs)

    with pytest.raises(ForgeFailed, match="is not overwritten"):
        opened(ground)

    assert ground.ref(f"refs/heads/{BRANCH}") == theirs


def merge(ground: Ground, request: Request) -> tuple[str, str, str]:
    done = run(Local(str(ground.bare)).merge(ground.vault, request))
    return done.merge_commit, done.base_head, done.by


def test_a_merge_is_a_real_merge_commit_and_only_one(ground: Ground) -> None:
    request = opened(ground)
    moved = ground.advance({"apples.py": "ripe\n"})

    first = merge(ground, request)
    again = merge(ground, request)

    assert again == first
    made, head, by = first
    assert (head, by) == (made, INTERLOCK)
    assert ground.ref("refs/heads/main") == made
    assert plain(ground.bare, "rev-parse", f"{made}^1", f"{made}^2").split() == [
        moved, ground.head,
    ]  # fmt: skip
    assert plain(ground.bare, "rev-list", "--count", "--merges", "main") == "1"
    files = plain(ground.bare, "ls-tree", "--name-only", "main").split()
    assert files == ["apples.py", "pears.py", "shop.py"]


def test_a_retried_merge_finds_its_own_one_below_what_came_later(ground: Ground) -> None:
    request = opened(ground)
    made, _, _ = merge(ground, request)
    later = ground.advance({"later.py": "1\n"})

    assert merge(ground, request) == (made, later, INTERLOCK)
    assert plain(ground.bare, "rev-list", "--count", "--merges", "main") == "1"


def test_what_somebody_else_has_merged_is_noticed_and_not_merged_again(ground: Ground) -> None:
    request = opened(ground)
    forge = Local(str(ground.bare))
    assert run(forge.merged(ground.vault, request)) is None
    plain(ground.bare, "update-ref", "refs/heads/main", ground.head)

    done = run(forge.merged(ground.vault, request))

    assert done is not None
    assert done == (ground.head, ground.head, OUTSIDE, "")
    assert merge(ground, request) == (ground.head, ground.head, OUTSIDE)
    assert ground.ref("refs/heads/main") == ground.head


@pytest.mark.parametrize("ref", [f"refs/heads/{BRANCH}", "refs/pull/1/head"])
def test_another_head_than_the_reviewed_one_is_not_merged(ground: Ground, ref: str) -> None:
    request = opened(ground)
    theirs = ground.commit(ground.head, {"theirs.py": "x\n"}, "bare")
    plain(ground.bare, "update-ref", ref, theirs)

    with pytest.raises(NotMerged) as no:
        merge(ground, request)

    assert no.value.reason == HEAD_MOVED
    assert theirs[:12] in no.value.message
    assert ground.ref("refs/heads/main") == ground.base


def test_a_conflict_is_told_and_changes_nothing(ground: Ground) -> None:
    request = opened(ground)
    moved = ground.advance({"pears.py": "something else\n"})

    with pytest.raises(NotMerged) as no:
        merge(ground, request)

    assert no.value.reason == CONFLICT
    assert ground.ref("refs/heads/main") == moved


def test_a_branch_that_is_gone_does_not_hinder_the_merge(ground: Ground) -> None:
    request = opened(ground)
    plain(ground.bare, "update-ref", "-d", f"refs/heads/{BRANCH}")

    assert merge(ground, request)[2] == INTERLOCK


def test_two_merges_at_the_same_moment_are_both_in_the_base(ground: Ground) -> None:
    other = ground.commit(ground.base, {"plums.py": "x\n"})
    requests = [opened(ground), opened(ground, other, "interlock/ticket-2")]
    forge = Local(str(ground.bare))

    async def both() -> None:
        await asyncio.gather(*(forge.merge(ground.vault, one) for one in requests))

    run(both())

    assert plain(ground.bare, "rev-list", "--count", "--merges", "main") == "2"
    files = plain(ground.bare, "ls-tree", "--name-only", "main").split()
    assert files == ["pears.py", "plums.py", "shop.py"]


def test_a_base_that_is_checked_out_is_left_alone_and_told(ground: Ground, tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    plain(there, "fetch", "--quiet", str(ground.vault), ground.head)
    plain(ground.vault, "fetch", "--quiet", str(there), "main")
    forge = Local(str(there))
    head = ground.commit(plain(there, "rev-parse", "main"), {"pears.py": "x\n"})
    request = run(forge.open(ground.vault, ground.draft(head)))

    with pytest.raises(NotMerged, match="cannot be pushed"):
        run(forge.merge(ground.vault, request))


def test_what_cannot_be_reached_is_told(ground: Ground, tmp_path: Path) -> None:
    assert "1 branches" in run(Local(str(ground.bare)).check())
    gone = Local(str(tmp_path / "nowhere"))
    with pytest.raises(ForgeFailed, match="cannot be reached"):
        run(gone.check())
    with pytest.raises(ForgeFailed, match="cannot be reached"):
        run(gone.open(ground.vault, ground.draft()))
