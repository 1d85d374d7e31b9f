"""What a repository has: told by a worker, checked, kept, and believed no further than it goes."""

from typing import Any

import pytest

from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.manifests import Listing
from interlock.ticketing.repository import FILES_MAX, document, listing_of, shown

TOLD: dict[str, Any] = {
    "files": ["Makefile", "src/shop.py"], "is_whole": True, "scripts": ["test"], "targets": [],
}  # fmt: skip


def test_a_listing_is_a_document_and_back() -> None:
    kept = document(TOLD, "ticket-1")

    assert kept == {
        "schema_version": 1, "ticket_id": "ticket-1", "artifact": "repository", "is_whole": True,
        "file_count": 2, "scripts": ["test"], "targets": [], "files": ["Makefile", "src/shop.py"],
    }  # fmt: skip
    assert listing_of(kept) == Listing(
        frozenset({"Makefile", "src/shop.py"}), frozenset({"test"}), frozenset()
    )


def test_what_nobody_looked_at_stays_unknown_and_a_cut_list_is_not_whole() -> None:
    found = listing_of(document({"files": ["a"], "is_whole": False}, "ticket-1"))

    assert (found.scripts, found.targets, found.is_whole) == (None, None, False)


@pytest.mark.parametrize(
    ("told", "path"),
    [
        ({}, "$.listing.files"),
        ({"files": "all", "is_whole": True}, "$.listing.files"),
        ({**TOLD, "files": ["x"] * (FILES_MAX + 1)}, "$.listing.files"),
        ({**TOLD, "files": ["x" * 1001]}, "$.listing.files[0]"),
        ({**TOLD, "content": "secret"}, "$.listing.content"),
        ("nothing", "$.listing"),
    ],
)
def test_what_is_no_listing_is_refused_by_its_place(told: object, path: str) -> None:
    with pytest.raises(AnswerInvalid) as no:
        document(told, "ticket-1")

    assert path in [one.path for one in no.value.wrong]


def test_a_model_is_shown_names_and_whether_they_are_all() -> None:
    text = shown(document(TOLD, "ticket-1"))

    assert text.split("\n") == [
        "# 2 files", "Makefile", "src/shop.py", "# scripts of package.json", "test",
    ]  # fmt: skip
    assert shown(document({**TOLD, "is_whole": False}, "t")).startswith("# the first 2 files\n")
