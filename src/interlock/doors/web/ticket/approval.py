"""What is to be approved: the document, its digest, what changed, and the gaps that are left.

Any version can be shown; what is approved is the newest one, named by its digest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from interlock.commands.ticket.warned import warned_of
from interlock.doors.web.compare import LINES_MAX, Row, compare
from interlock.doors.web.guest import Guest
from interlock.doors.web.ticket.council import Shelf, read_document
from interlock.store.port import ArtifactRow
from interlock.ticketing.checked import Json
from interlock.workflows.ticket.phases import BY_NAME

SETUP: Final = "execution_setup_plan"
REVIEWED: Final = ("interview", "prd", "beads", SETUP)
"""The documents that people approve and edit."""

NAMES: Final = {
    "interview": "interview", "prd": "specs (PRD)", "beads": "blueprint (beads)",
    SETUP: "setup plan",
}  # fmt: skip
WORDS: Final = {SETUP: "setup"}
"""What a document is called in events and commands, where that is another word."""

WITHOUT_EDIT: Final = ("beads", SETUP)
"""What is reopened as it is, to be edited at its gate."""


class Version(NamedTuple):
    """A version of a document."""

    number: int
    digest: str
    author: str
    at: int


@dataclass(frozen=True, slots=True)
class Approval:
    """A document, as it waits for approval or as it was."""

    name: str
    called: str
    digest: str
    text: str
    document: Json | None
    versions: tuple[Version, ...]
    # What is different from the version before, or from the one that was looked at.
    diff: list[Row]
    since: str
    warnings: tuple[str, ...]
    remarks: tuple[str, ...]


def review_of(phase: str) -> str:
    """Return the document that waits in a phase; empty where none does."""
    name = BY_NAME[phase].review
    return name if name in REVIEWED else ""


def reopening(name: str) -> str:
    """Return the event that reopens a document."""
    return f"reopen_{WORDS.get(name, name)}"


async def approval_of(
    guest: Guest, unit: str, name: str, fields: Mapping[str, object], seen: str = ""
) -> Approval:
    """Lay out a document as a ticket held it; ``seen`` is the digest that somebody looked at."""
    shelf = Shelf(guest, {})
    held = cast("Mapping[str, str]", fields.get("documents") or {})
    digest = str(fields.get("shown") or "") or held.get(name, "")
    text = await shelf.read(digest)
    kept = await guest.engine.store.artifacts(guest.person.tenant, unit)
    versions = versions_of(kept, name)
    before = seen if seen and seen != digest else _before(versions, digest)
    old = await shelf.read(before)
    warned = warned_of(fields, name)
    return Approval(
        name, NAMES[name], digest, text, read_document(text), versions,
        compared(old, text) if old else [],
        "you looked" if seen and seen != digest else "the version before",
        warned.gaps, warned.remarks,
    )  # fmt: skip


def versions_of(kept: Sequence[ArtifactRow], name: str) -> tuple[Version, ...]:
    """Return the versions of a document of the ticket, the first one first."""
    own = sorted((row for row in kept if not row.part and row.name == name), key=_number)
    return tuple(Version(row.version, row.digest, row.author, row.at) for row in own)


def _number(row: ArtifactRow) -> int:
    return row.version


def _before(versions: Sequence[Version], digest: str) -> str:
    """Return the digest of the version before one; of several that are the same, the last."""
    places = [place for place, one in enumerate(versions) if one.digest == digest]
    return versions[places[-1] - 1].digest if places and places[-1] else ""


def compared(before: str, after: str) -> list[Row]:
    """Compare two texts line by line."""
    return compare(before.splitlines()[: LINES_MAX + 1], after.splitlines()[: LINES_MAX + 1])
