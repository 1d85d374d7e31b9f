"""Trouble: a conflict says where it is."""

from interlock.worker.workspace.trouble import MergeConflict


def test_a_conflict_says_where() -> None:
    no = MergeConflict("They do not go together.", ("a", "b"))
    assert str(no) == "They do not go together."
    assert no.paths == ("a", "b")
