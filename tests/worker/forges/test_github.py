"""The forge of GitHub against a gh that records and answers, and a real repository behind it."""

from pathlib import Path

import pytest

from interlock.worker.forges.forge import (
    DRAFT,
    HEAD_MOVED,
    INTERLOCK,
    OPEN,
    OUTSIDE,
    REFUSED,
    ForgeFailed,
    NotMerged,
    Request,
)
from interlock.worker.forges.github import GitHub, slug_of
from tests.worker.forges.fake_gh import SLUG, bodies, calls, change, install, world
from tests.worker.forges.grounds import BRANCH, Ground, ground_in, run
from tests.worker.workspace.repositories import plain

PULLS = f"repos/{SLUG}/pulls"


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


@pytest.fixture
def gh(ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = install(tmp_path, ground.bare)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return folder


def forge(ground: Ground) -> GitHub:
    return GitHub(SLUG, str(ground.bare))


def opened(ground: Ground, head: str = "") -> Request:
    return run(forge(ground).open(ground.vault, ground.draft(head)))


def test_a_draft_is_opened_once_and_then_brought_up_to_date(ground: Ground, gh: Path) -> None:
    made = opened(ground)
    newer = ground.commit(ground.base, {"pears.py": "better\n"})
    again = opened(ground, newer)

    assert made == Request(
        1, f"https://github.com/{SLUG}/pull/1", DRAFT, ground.head, "main", BRANCH
    )
    assert again == made._replace(head=newer)
    assert calls(gh) == [("GET", PULLS), ("POST", PULLS), ("GET", PULLS), ("PATCH", f"{PULLS}/1")]
    (sent,) = bodies(gh, "POST")
    assert sent == {
        "title": "Sell pears", "body": "They are ripe.", "head": BRANCH, "base": "main",
        "draft": True,
    }  # fmt: skip
    assert ground.ref(f"refs/heads/{BRANCH}") == newer


def test_where_there_are_no_drafts_it_is_opened_as_it_is(ground: Ground, gh: Path) -> None:
    change(gh, drafts=False)

    assert opened(ground).state == OPEN
    assert [one["draft"] for one in bodies(gh, "POST")] == [True, False]


def test_words_that_look_like_options_or_files_are_words(ground: Ground, gh: Path) -> None:
    draft = ground.draft()._replace(title="--method=DELETE", body="@/etc/passwd")

    run(forge(ground).open(ground.vault, draft))

    (sent,) = bodies(gh, "POST")
    assert (sent["title"], sent["body"]) == ("--method=DELETE", "@/etc/passwd")


def test_a_merge_makes_it_ready_and_names_the_head_that_was_reviewed(
    ground: Ground, gh: Path
) -> None:
    request = opened(ground)

    done = run(forge(ground).merge(ground.vault, request))

    assert done.by == INTERLOCK
    assert done.merge_commit == done.base_head == ground.ref("refs/heads/main")
    assert bodies(gh, "PUT") == [{"sha": ground.head, "merge_method": "merge"}]
    assert not world(gh)["pulls"][0]["draft"]


def test_a_retried_merge_never_merges_twice(ground: Ground, gh: Path) -> None:
    request = opened(ground)
    first = run(forge(ground).merge(ground.vault, request))

    again = run(forge(ground).merge(ground.vault, request))

    assert again.merge_commit == first.merge_commit
    assert len(bodies(gh, "PUT")) == 1
    assert plain(ground.bare, "rev-list", "--count", "--merges", "main") == "1"


def test_a_head_that_moved_is_refused_by_us_and_by_them(ground: Ground, gh: Path) -> None:
    request = opened(ground)
    theirs = ground.commit(ground.head, {"theirs.py": "x\n"}, "bare")
    plain(ground.bare, "update-ref", f"refs/heads/{BRANCH}", theirs)

    with pytest.raises(NotMerged) as no:
        run(forge(ground).merge(ground.vault, request))

    assert no.value.reason == HEAD_MOVED
    assert not bodies(gh, "PUT")
    assert ground.ref("refs/heads/main") == ground.base


def test_a_head_that_moves_between_look_and_merge_is_refused_by_github(
    ground: Ground, gh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = opened(ground)
    theirs = ground.commit(ground.head, {"theirs.py": "x\n"}, "bare")
    monkeypatch.setattr(GitHub, "_check_open", lambda *_: None)
    plain(ground.bare, "update-ref", f"refs/heads/{BRANCH}", theirs)

    with pytest.raises(NotMerged, match="was modified") as no:
        run(forge(ground).merge(ground.vault, request))

    assert no.value.reason == HEAD_MOVED
    assert ground.ref("refs/heads/main") == ground.base


def merged_outside(ground: Ground, gh: Path, head: str) -> str:
    base = plain(ground.bare, "rev-parse", "main")
    tree = plain(ground.bare, "merge-tree", "--write-tree", base, head)
    made = plain(ground.bare, "commit-tree", tree, "-p", base, "-m", "Squashed")
    plain(ground.bare, "update-ref", "refs/heads/main", made)
    (pull,) = world(gh)["pulls"]
    pull |= {"merged_head": head, "merge_commit": made, "state": "closed"}
    change(gh, pulls=[pull])
    return made


def test_an_outside_merge_is_noticed_also_a_squashed_one(ground: Ground, gh: Path) -> None:
    request = opened(ground)
    assert run(forge(ground).merged(ground.vault, request)) is None

    made = merged_outside(ground, gh, ground.head)

    done = run(forge(ground).merged(ground.vault, request))
    assert done == (made, made, OUTSIDE, "")
    assert run(forge(ground).merge(ground.vault, request)) == done
    assert not bodies(gh, "PUT")


def test_that_it_is_merged_is_not_believed_before_git_sees_it(ground: Ground, gh: Path) -> None:
    request = opened(ground)
    merged_outside(ground, gh, ground.head)
    plain(ground.bare, "update-ref", "refs/heads/main", ground.base)

    assert run(forge(ground).merged(ground.vault, request)) is None


def test_another_head_that_was_merged_outside_is_told(ground: Ground, gh: Path) -> None:
    request = opened(ground)
    theirs = ground.commit(ground.head, {"theirs.py": "x\n"}, "bare")
    merged_outside(ground, gh, theirs)

    with pytest.raises(NotMerged, match="Another head"):
        run(forge(ground).merged(ground.vault, request))


def test_a_request_that_was_closed_is_not_merged_and_a_new_one_can_be_opened(
    ground: Ground, gh: Path
) -> None:
    request = opened(ground)
    (pull,) = world(gh)["pulls"]
    change(gh, pulls=[pull | {"state": "closed"}])

    with pytest.raises(NotMerged) as no:
        run(forge(ground).merge(ground.vault, request))
    assert no.value.reason == REFUSED
    assert opened(ground).number == 2


def test_a_branch_of_somebody_else_is_not_overwritten(ground: Ground, gh: Path) -> None:
    theirs = ground.commit(ground.base, {"theirs.py": "x\n"}, "bare")
    plain(ground.bare, "update-ref", f"refs/heads/{BRANCH}", theirs)

    with pytest.raises(ForgeFailed, match="is not overwritten"):
        opened(ground)
    assert calls(gh) == []


def test_the_check_says_what_is_missing(
    ground: Ground, gh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "may push" in run(forge(ground).check())
    change(gh, may_push=False)
    with pytest.raises(ForgeFailed, match="may not push"):
        run(forge(ground).check())
    change(gh, logged_in=False)
    with pytest.raises(ForgeFailed, match="is not logged in"):
        run(forge(ground).check())
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    with pytest.raises(ForgeFailed, match="There is no gh"):
        run(forge(ground).check())
    with pytest.raises(ForgeFailed, match="is not on GitHub"):
        run(GitHub("", "").check())


@pytest.mark.parametrize(
    ("repository", "slug"),
    [
        ("https://github.com/ann/shop", "ann/shop"),
        ("https://github.com/ann/shop.git", "ann/shop"),
        ("git@github.com:ann/shop.git", "ann/shop"),
        ("ssh://git@github.com/ann/my.shop.git", "ann/my.shop"),
        ("https://example.org/ann/shop", ""),
        ("https://github.com.example.org/ann/shop", ""),
        ("https://github.com/ann/shop/../../other", ""),
        ("/srv/github.com/ann/shop", ""),
    ],
)
def test_the_name_of_a_repository_is_read_from_its_address(repository: str, slug: str) -> None:
    assert slug_of(repository) == slug
