"""The blueprint: the work cut into beads, each small enough for one go, with its own tests.

What a bead waits for and which files it touches comes later, with the expansion; see ``beads``.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from interlock.ticketing.answer import Wrong, check, place, refuse, told
from interlock.ticketing.changes import Revised, attributed, difference, revision
from interlock.ticketing.checked import Json, part, rows, text, texts
from interlock.ticketing.form import described, line, lines, listed, prose, shape

VERSION: Final = 1
BEADS_MAX: Final = 500
ID_MAX: Final = 80

ITEM: Final[Mapping[str, Json]] = {
    "id": {
        **line("A name in lower case with dashes, as add-login-form; it never changes.", ID_MAX),
        "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
    },
    "title": line("What is done, as an order."),
    "description": prose("What to do and why, so that nobody needs to have read the PRD."),
    "prd_refs": lines("Ids of the epics and stories it serves.", 1),
    "guidance": shape({
        "patterns": lines("What to follow."),
        "anti_patterns": lines("What to avoid."),
    }),
    "acceptance_criteria": lines("What must be true at the end.", 1),
    "tests": lines("Which tests prove it, of this bead alone.", 1),
    "test_commands": lines("The commands that run these tests; only a green run counts.", 1),
}  # fmt: skip
BEADS: Final = listed(
    shape(ITEM),
    f"The beads, at most {BEADS_MAX}, in the order in which they can be done.",
    1,
    BEADS_MAX,
)


def document(
    beads: object, ticket: str, prd_digest: str, references: Collection[str]
) -> dict[str, object]:
    """Return the document of what a member wrote; ``references`` are the ids in the PRD."""
    found = rows(check(shape({"beads": BEADS}), {"beads": beads}), "beads")
    refuse((*repeated(found), *unknown(found, references)))
    return {
        "schema_version": VERSION,
        "ticket_id": ticket,
        "artifact": "blueprint",
        "source_prd": {"content_sha256": prd_digest},
        "beads": [item(row) for row in found],
    }


def item(row: Json) -> dict[str, object]:
    """Return a bead of a blueprint, its fields in our order."""
    guidance = part(row, "guidance")
    return {
        "id": text(row, "id"),
        "title": text(row, "title"),
        "description": text(row, "description"),
        "prd_refs": [name.upper() for name in texts(row, "prd_refs")],
        "guidance": {name: texts(guidance, name) for name in ("patterns", "anti_patterns")},
        "acceptance_criteria": texts(row, "acceptance_criteria"),
        "tests": texts(row, "tests"),
        "test_commands": texts(row, "test_commands"),
    }


def repeated(found: Sequence[Json]) -> Iterator[Wrong]:
    """Yield a mistake for every id that is there already."""
    seen: set[str] = set()
    for number, row in enumerate(found):
        if text(row, "id") in seen:
            yield Wrong(place("beads", number, "id"), "each id once", told(row["id"]))
        seen.add(text(row, "id"))


def unknown(found: Sequence[Json], references: Collection[str]) -> Iterator[Wrong]:
    """Yield a mistake for every reference that leads nowhere in the PRD."""
    for number, row in enumerate(found):
        for at, name in enumerate(texts(row, "prd_refs")):
            if name.upper() not in references:
                where = place("beads", number, "prd_refs", at)
                yield Wrong(where, "the id of an epic or story in the PRD", told(name))


def revised(
    beads: object,
    declared: Sequence[Json],
    before: Json,
    drafts: Mapping[str, Collection[str]],
    references: Collection[str],
) -> Revised:
    """Return a blueprint after a refinement or a revision, with what was changed."""
    digest = text(part(before, "source_prd"), "content_sha256")
    now = document(beads, text(before, "ticket_id"), digest, references)
    result = attributed(declared, difference(items(before), items(now)), drafts)
    return revision(now, result)


def items(document: Json) -> dict[str, Json]:
    """Return the beads of a blueprint by id; their order is no part of what is compared."""
    return {text(row, "id"): row for row in rows(document, "beads")}


SOURCE: Final = described(shape({"content_sha256": {"type": "string"}}), "The PRD it came from.")
