"""What will happen is told in words, with the branch and the commit that are meant."""

from interlock.doors.web.ticket.consequences import TOLD, consequences, filled

FIELDS = {
    "tree": {"branch": "ticket/apples", "candidate": "c" * 40},
    "config": {"base_branch": "main"},
}


def test_a_merge_names_the_base_and_the_commit() -> None:
    first, *_ = consequences("merge", FIELDS)

    assert first.startswith("A worker merges the pull request into main,")
    assert f"still {'c' * 12}." in first
    assert "ticket/apples" in consequences("close_unmerged", FIELDS)[0]


def test_what_is_not_known_yet_is_told_all_the_same() -> None:
    for command in TOLD:
        assert all("{" not in line for line in consequences(command, {}))
    assert consequences("start", FIELDS) == ()


def test_limits_are_raised_from_where_they_are() -> None:
    fields = {"budget": {"tokens": 100, "seconds": None}}

    assert filled("raise_budget", fields) == {"tokens": "100"}
    assert filled("merge", fields) == {}
