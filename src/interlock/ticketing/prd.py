"""The PRD: what is to be built and why, in epics, user stories and acceptance criteria.

A member writes the contents. What the document is, which interview it came from, and the ids are
ours: an id that is missing, repeated or of another form is replaced, every other stays, so that
what refers to it goes on doing so.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from interlock.ticketing.answer import check
from interlock.ticketing.changes import Revised, attributed, difference, revision
from interlock.ticketing.checked import Json, part, rows, text, texts
from interlock.ticketing.form import described, line, lines, listed, prose, shape

VERSION: Final = 1
EPICS_MAX: Final = 50
STORIES_MAX: Final = 50
EPIC_ID: Final = re.compile(r"EPIC-([1-9][0-9]{0,3})")
STORY_ID: Final = re.compile(r"US-([1-9][0-9]{0,3})-([1-9][0-9]{0,3})")

SECTIONS: Final = frozenset({"product", "scope", "technical_requirements", "risks"})
"""What of a PRD is compared as a whole, beside its epics and stories."""

REQUIREMENTS: Final[Mapping[str, str]] = {
    "architecture_constraints": "How it must fit into what is there.",
    "data_model": "What is stored, and how it changes.",
    "api_contracts": "What others call, and what they get.",
    "security_constraints": "Who may do what; what must never leak.",
    "performance_constraints": "How fast, how much, with figures.",
    "reliability_constraints": "What must survive which failure.",
    "error_handling_rules": "What happens when something goes wrong.",
    "tooling_assumptions": "Languages, libraries and commands that are taken for granted.",
}

STORY: Final = shape(
    {
        "id": line("US-<epic>-<story>, as US-1-2. Keep the id of a story that stays.", 20),
        "title": line("As whom, what, what for."),
        "acceptance_criteria": lines("What must be true, each so that it can be checked.", 1),
        "implementation_steps": lines("How to get there."),
        "verification": shape({
            "required_commands": lines("Commands that prove it; each exists or will be made."),
        }),
    },
    optional=("id", "implementation_steps", "verification"),
)  # fmt: skip
EPIC: Final = shape(
    {
        "id": line("EPIC-<number>, as EPIC-1. Keep the id of an epic that stays.", 20),
        "title": line("What it is called."),
        "objective": prose("What is achieved with it."),
        "implementation_steps": lines("How to get there."),
        "user_stories": listed(STORY, "Its stories.", 1, STORIES_MAX),
    },
    optional=("id", "implementation_steps"),
)
CONTENTS: Final[Mapping[str, Json]] = {
    "product": shape({
        "problem_statement": prose("Which problem is solved, and why now."),
        "target_users": lines("Who has it.", 1),
    }),
    "scope": shape({
        "in_scope": lines("What is built.", 1),
        "out_of_scope": lines("What is not, though one might think so."),
    }),
    "technical_requirements": shape(
        {name: lines(about) for name, about in REQUIREMENTS.items()}, optional=REQUIREMENTS
    ),
    "epics": listed(EPIC, "The work in large pieces, in order.", 1, EPICS_MAX),
    "risks": lines("What could go wrong, and what is done about it."),
}  # fmt: skip
PRD: Final = shape(CONTENTS)
"""The schema of a PRD as a member writes it."""

DOCUMENT: Final = shape({
    "schema_version": {"const": VERSION},
    "ticket_id": {"type": "string"},
    "artifact": {"const": "prd"},
    "source_interview": described(
        shape({"content_sha256": {"type": "string"}}), "The interview it came from."
    ),
    **CONTENTS,
})  # fmt: skip
"""The schema of the whole document, as a person may save it."""


def document(prd: object, ticket: str, interview_digest: str) -> dict[str, object]:
    """Return the document of what a member wrote; raises ``AnswerInvalid``."""
    return _document(check(PRD, prd), ticket, interview_digest)


def _document(
    found: Json, ticket: str, interview_digest: str, reserved: Collection[str] = ()
) -> dict[str, object]:
    product, scope = part(found, "product"), part(found, "scope")
    technical = part(found, "technical_requirements")
    return {
        "schema_version": VERSION,
        "ticket_id": ticket,
        "artifact": "prd",
        "source_interview": {"content_sha256": interview_digest},
        "product": {
            "problem_statement": text(product, "problem_statement"),
            "target_users": texts(product, "target_users"),
        },
        "scope": {name: texts(scope, name) for name in ("in_scope", "out_of_scope")},
        "technical_requirements": {name: texts(technical, name) for name in REQUIREMENTS},
        "epics": _epics(rows(found, "epics"), reserved),
        "risks": texts(found, "risks"),
    }


def _epics(found: Sequence[Json], reserved: Collection[str]) -> list[dict[str, object]]:
    ids = _epic_ids(found, reserved)
    stories = _story_ids(found, ids, reserved)
    return [
        {
            "id": name,
            "title": text(epic, "title"),
            "objective": text(epic, "objective"),
            "implementation_steps": texts(epic, "implementation_steps"),
            "user_stories": [_story(story, next(stories)) for story in rows(epic, "user_stories")],
        }
        for epic, name in zip(found, ids, strict=True)
    ]


def _story(story: Json, name: str) -> dict[str, object]:
    commands = texts(part(story, "verification"), "required_commands")
    return {
        "id": name,
        "title": text(story, "title"),
        "acceptance_criteria": texts(story, "acceptance_criteria"),
        "implementation_steps": texts(story, "implementation_steps"),
        "verification": {"required_commands": commands},
    }


def _epic_ids(epics: Sequence[Json], reserved: Collection[str]) -> list[str]:
    """Return ids for all: one of the right form stays where it stands first, others are new.

    A new id is above all others, also above those of what was removed, or it would seem to be
    still there.
    """
    said = [text(epic, "id").upper() for epic in epics]
    numbers = [int(found[1]) for name in (*said, *reserved) if (found := EPIC_ID.fullmatch(name))]
    number = max(numbers, default=0)
    given: list[str] = []
    for name in said:
        if EPIC_ID.fullmatch(name) and name not in given:
            given.append(name)
        else:
            number += 1
            given.append(f"EPIC-{number}")
    return given


def _story_ids(
    epics: Sequence[Json], names: Sequence[str], reserved: Collection[str]
) -> Iterator[str]:
    """Yield the ids of all stories in order, likewise; new ones are numbered in their epic."""
    said = [[text(one, "id").upper() for one in rows(epic, "user_stories")] for epic in epics]
    known = [found for name in (*chain(*said), *reserved) if (found := STORY_ID.fullmatch(name))]
    given: set[str] = set()
    for epic, each in zip(names, said, strict=True):
        own = epic.removeprefix("EPIC-")
        number = max((int(found[2]) for found in known if found[1] == own), default=0)
        for name in each:
            is_new = not STORY_ID.fullmatch(name) or name in given
            number += is_new
            given.add(f"US-{own}-{number}" if is_new else name)
            yield f"US-{own}-{number}" if is_new else name


def revised(
    prd: object,
    declared: Sequence[Json],
    before: Json,
    drafts: Mapping[str, Collection[str]],
) -> Revised:
    """Return a PRD after a refinement or a revision; ids of what stays are kept by its author."""
    digest = text(part(before, "source_interview"), "content_sha256")
    now = _document(check(PRD, prd), text(before, "ticket_id"), digest, references(before))
    known = {label: {item.upper() for item in ids} | SECTIONS for label, ids in drafts.items()}
    result = attributed(
        [_with_item(row) for row in declared], difference(items(before), items(now)), known
    )
    return revision(now, result)


def _with_item(row: Json) -> Json:
    """Return a declared change with ids as we write them."""
    came = row.get("inspiration")
    more = {"inspiration": {**came, "item": _item(came)}} if isinstance(came, Mapping) else {}
    return {**row, "item": _item(row), **more}


def _item(row: Json) -> str:
    said = text(row, "item")
    return said if said in SECTIONS else said.upper()


def edited(before: Json, after: object) -> dict[str, object]:
    """Return a document as a person edited it; raises ``AnswerInvalid`` with every mistake."""
    digest = text(part(before, "source_interview"), "content_sha256")
    found = check(DOCUMENT, after)
    return _document(found, text(before, "ticket_id"), digest, references(before))


def items(document: Json) -> dict[str, Json]:
    """Return what a PRD consists of, by id: its sections, its epics, its stories."""
    found: dict[str, Json] = {
        "product": part(document, "product"),
        "scope": part(document, "scope"),
        "technical_requirements": part(document, "technical_requirements"),
        "risks": {"risks": texts(document, "risks")},
    }
    for epic in rows(document, "epics"):
        found[text(epic, "id")] = {k: v for k, v in epic.items() if k != "user_stories"}
        for story in rows(epic, "user_stories"):
            found[text(story, "id")] = {**story, "epic": text(epic, "id")}
    return found


def references(document: Json) -> frozenset[str]:
    """Return the ids of epics and stories, which a blueprint refers to."""
    return frozenset(items(document)) - SECTIONS
