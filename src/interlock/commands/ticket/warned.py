"""What whoever approves is told beside the document: gaps that are left, and remarks.

Kept on the ticket by domain: the gaps of the last audit, what was declared of a refinement and not
made, what audits brought along in vain, and commands that the repository cannot run.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

from interlock.commands.ticket.papers import Papers
from interlock.service.order import Reply
from interlock.ticketing import manifests, repository
from interlock.ticketing.checked import Json
from interlock.workflows.ticket.phases import BY_NAME

WARNINGS: Final = "warnings"
CHANGES: Final = "changes"
NOTES: Final = "notes"
COMMANDS: Final = "commands"
REMARKS: Final = (CHANGES, NOTES, COMMANDS)


class Warned(NamedTuple):
    """What is told of a document that is to be approved."""

    gaps: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def warned_of(fields: Mapping[str, object], domain: str) -> Warned:
    """Return what is told of the document of a domain."""
    kept = _kept(fields)
    remarks = (kept.get(f"{domain}_{word}", ()) for word in REMARKS)
    return Warned(tuple(kept.get(domain, ())), tuple(one for many in remarks for one in many))


def told_beside(status: str, fields: Mapping[str, object]) -> tuple[str, ...]:
    """Return what is told beside what waits in a status; nothing where no document waits."""
    phase = BY_NAME.get(status)
    warned = Warned() if phase is None or not phase.review else warned_of(fields, phase.review)
    return (*(f"A gap is left: {one}" for one in warned.gaps), *warned.remarks)


def with_warnings(
    fields: Mapping[str, object], domain: str, gaps: Sequence[str] | None = None,
    **remarks: Sequence[str],
) -> Reply:  # fmt: skip
    """Return a ticket's warnings with those that are given in the place of what was there."""
    told = {f"{domain}_{word}": list(found) for word, found in remarks.items()}
    if gaps is not None:
        told[domain] = list(gaps)
    known = {**_kept(fields), **told}
    return {WARNINGS: {name: found for name, found in known.items() if found}}


def _kept(fields: Mapping[str, object]) -> Mapping[str, Sequence[str]]:
    return cast("Mapping[str, Sequence[str]]", fields.get(WARNINGS) or {})


async def wrong_commands(papers: Papers, beads: Json) -> tuple[str, ...]:
    """Return a warning for each test command that cannot exist in the repository, if it is known."""
    if not papers.text_is_there(repository.NAME):
        return ()
    listing = repository.listing_of(await papers.document(repository.NAME))
    return manifests.warnings(beads, listing)
