"""What is delivered: pull request, merge and clean-up as reported, and the list of proof."""

from interlock.doors.web.ticket.delivery import called_of, cleaning, merge, proofs, pull
from interlock.store.port import ArtifactRow
from tests.reports import publish

PULL = {**publish({"candidate": "c" * 40}), "url": "https://forge.example/7"}


def _row(name: str, part: int = 0, version: int = 1) -> ArtifactRow:
    return ArtifactRow("t", part, name, version, f"{name}{version}", 5, "text", "", "ada", 7)


def test_a_pull_request_is_read_with_its_commit_and_its_last_state() -> None:
    found = pull(PULL, {"tree": {"candidate": "e" * 40}, "pull_request": {"state": "open"}})
    assert found is not None

    assert (found.number, found.base, found.title) == ("7", "main", "Sell apples")
    assert (found.chip.label, found.candidate, found.is_link) == ("Open", "e" * 40, True)
    assert pull(None, {}) is None


def test_only_an_address_of_the_web_is_a_link() -> None:
    for address in ("javascript:alert(1)", "/srv/shop.git", "data:text/html,x", ""):
        found = pull({**PULL, "url": address}, {})
        assert found is not None
        assert not found.is_link


def test_a_merge_that_did_not_happen_says_why() -> None:
    found = merge({"merged": False, "reason": "head moved"})
    assert found is not None

    assert (found.is_merged, found.reason) == (False, "head moved")
    assert merge(None) is None
    closed = merge({"merged": False, "disposition": "closed_unmerged", "reason": "no need"})
    assert closed is not None
    assert closed.is_closed
    cleaned = cleaning({"status": "warning", "removed": ["tree"], "kept": [], "errors": ["busy"]})
    assert cleaned is not None
    assert (cleaned.chip.look, cleaned.errors) == ("gate", ("busy",))


def test_proof_comes_in_the_order_of_the_way_and_names_beads() -> None:
    kept = [
        _row("merge_report"), _row("answer", 9, 2), _row("answer", 3), _row("interview"),
        _row("answer", 9, 1), _row("coverage/prd"), _row("session"),
    ]  # fmt: skip
    found = proofs(kept, {9: "bead 1"})

    assert [(one.called, one.about, one.version) for one in found] == [
        ("Interview", "", 1), ("Attempt", "bead 1", 1), ("Attempt", "bead 1", 2),
        ("Merge", "", 1), ("Coverage (prd)", "", 1),
    ]  # fmt: skip
    assert called_of("odd_one") == "odd one"
