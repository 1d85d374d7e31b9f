"""What a ticket delivers: its pull request, how that was merged, what was cleaned up, and proof.

The proof is a list of everything that was filed on the way, each by its digest, to be downloaded.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from interlock.doors.web.chips import Chip
from interlock.doors.web.ticket.reports import chip_of
from interlock.store.port import ArtifactRow
from interlock.ticketing.checked import Json, part, text, texts

SCHEMES: Final = ("http://", "https://")
CLOSED: Final = "closed_unmerged"
REPORT: Final = "answer"
"""How the report of an attempt at a bead is called where it is kept."""

NAMES: Final = {
    "relevant_files": "Files that matter", "interview": "Interview", "full_answers": "Answers",
    "prd": "Specs (PRD)", "blueprint": "Blueprint", "beads": "Beads",
    "preflight_report": "Checks before building", "execution_setup_plan": "Setup plan",
    "execution_setup_report": "How the workspace was set up",
    "execution_setup_profile": "What the workspace is set up with",
    REPORT: "Attempt", "final_test_report": "Final test", "integration_report": "The final commit",
    "pull_request_report": "Pull request", "merge_report": "Merge",
    "cleanup_report": "Clean-up",
}  # fmt: skip
"""What documents are called, in the order in which they are made."""

HIDDEN: Final = ("answer", "rejected", "session")
"""What is kept, but proves nothing: what members handed in became documents."""


class PullRequest(NamedTuple):
    """A pull request as it was opened."""

    number: str
    url: str
    is_link: bool
    chip: Chip
    head: str
    base: str
    title: str
    body: str
    candidate: str


class Merge(NamedTuple):
    """How a pull request ended: merged, closed by somebody without that, or not at all."""

    is_merged: bool
    is_closed: bool
    commit: str
    base_head: str
    by: str
    reason: str
    warning: str


class Cleaning(NamedTuple):
    """What was removed and what was left."""

    chip: Chip
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    errors: tuple[str, ...]


class Proof(NamedTuple):
    """Something that was filed."""

    called: str
    about: str
    version: int
    digest: str
    size: int
    author: str
    at: int


def pull(document: Json | None, fields: Mapping[str, object]) -> PullRequest | None:
    """Read the report of a pull request; an address that is none of the web is only shown."""
    if document is None:
        return None
    now = part(fields, "pull_request")
    url = text(document, "url")
    number = document.get("number")
    return PullRequest(
        str(number) if isinstance(number, int | str) else "", url, url.startswith(SCHEMES),
        chip_of(text(now, "state") or text(document, "state")),
        text(document, "head"), text(document, "base"), text(document, "title"),
        text(document, "body"),
        text(part(fields, "tree"), "candidate") or text(document, "head"),
    )  # fmt: skip


def merge(document: Json | None) -> Merge | None:
    """Read the report of a merge."""
    if document is None:
        return None
    return Merge(
        document.get("merged") is True, text(document, "disposition") == CLOSED,
        text(document, "merge_commit"),
        text(document, "base_head"), text(document, "by"), text(document, "reason"),
        text(document, "warning"),
    )  # fmt: skip


def cleaning(document: Json | None) -> Cleaning | None:
    """Read the report of a clean-up."""
    if document is None:
        return None
    return Cleaning(
        chip_of(text(document, "status")), tuple(texts(document, "removed")),
        tuple(texts(document, "kept")), tuple(texts(document, "errors")),
    )  # fmt: skip


def proofs(kept: Sequence[ArtifactRow], beads: Mapping[int, str]) -> tuple[Proof, ...]:
    """Return everything that was filed, in the order of the way; ``beads`` names their parts."""
    order = list(NAMES)

    def rank(row: ArtifactRow) -> tuple[int, int, int]:
        place = order.index(row.name) if row.name in order else len(order)
        return place, row.part, row.version

    return tuple(
        Proof(
            called_of(row.name), beads.get(row.part, ""), row.version, row.digest, row.size,
            row.author, row.at,
        )
        for row in sorted(kept, key=rank)
        if row.name not in HIDDEN or (row.part in beads and row.name == REPORT)
    )  # fmt: skip


def called_of(name: str) -> str:
    """Return what a document is called."""
    head, _, domain = name.partition("/")
    if domain:
        return f"{head.replace('_', ' ').title()} ({domain})"
    return NAMES.get(name, name.replace("_", " "))
