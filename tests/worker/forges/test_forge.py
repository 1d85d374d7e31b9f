"""What every forge has in common."""

from interlock.worker.forges.forge import CONFLICT, Forge, ForgeFailed, NotMerged
from interlock.worker.forges.github import GitHub
from interlock.worker.forges.local import Local


def test_each_kind_has_a_name_and_none_can_close_a_request() -> None:
    assert [one.kind for one in (Local, GitHub)] == ["local", "github"]
    assert not any("close" in name for one in (Forge, Local, GitHub) for name in dir(one))


def test_what_was_not_merged_has_a_reason() -> None:
    no = NotMerged(CONFLICT, "The same places.")

    assert isinstance(no, ForgeFailed)
    assert (no.reason, no.message, str(no)) == (CONFLICT, "The same places.", "The same places.")
