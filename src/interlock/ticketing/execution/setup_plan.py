"""The setup plan: which commands make a working tree ready, and which probes prove that it is.

A model drafts it, a person may edit it, and what was approved is run as it stands. A plan without
steps is fine: the tree may be ready as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from interlock.ticketing.answer import Wrong, check, place, refuse, told
from interlock.ticketing.checked import Json, part, rows, text, texts
from interlock.ticketing.form import (
    choice,
    described,
    flag,
    line,
    lines,
    listed,
    prose,
    remark,
    shape,
)

VERSION: Final = 1
NAME: Final = "execution_setup_plan"
STEPS_MAX: Final = 50
COMMANDS: Final = ("prepare", "test_full", "lint_full", "typecheck_full")

STEP: Final = shape({
    "id": line("A short name, once in the plan.", 80),
    "title": line("What it does."),
    "purpose": prose("What for."),
    "commands": lines("Commands to run in the working tree, in order.", 1, 20),
    "required": flag("Whether the tree is not ready without it."),
    "rationale": remark("How you know that it is needed."),
    "cautions": lines("What could go wrong, or costs much.", 0, 20),
})  # fmt: skip
PROBE: Final = shape({
    "id": line("A short name, once in the plan.", 80),
    "command": line("A command that ends with 0 if the tree is ready, and changes nothing.", 2_000),
    "purpose": prose("What it proves."),
})  # fmt: skip
CONTENTS: Final[Mapping[str, Json]] = {
    "summary": prose("What the tree needs, in a few sentences."),
    "readiness": described(shape({
        "status": choice(("ready", "partial", "missing"), "How ready the tree is as it stands."),
        "actions_required": flag("Whether anything must be run at all."),
        "evidence": lines("What that is known from: files that were looked at."),
        "gaps": lines("What is missing."),
    }), "How ready the tree is before anything is run."),
    "steps": listed(STEP, "What is to be run, in order; none if nothing is needed.", 0, STEPS_MAX),
    "probes": listed(PROBE, "What proves that the tree is ready.", 0, STEPS_MAX),
    "project_commands": described(shape({
        name: lines(f"The commands of the project for {name.replace('_', ' ')}.", 0, 20)
        for name in COMMANDS
    }), "How the whole project is prepared and checked."),
    "cautions": lines("What whoever approves the plan should know.", 0, 50),
}  # fmt: skip
HEAD: Final[Mapping[str, Json]] = {
    "schema_version": {"const": VERSION},
    "ticket_id": {"type": "string"},
    "artifact": {"const": NAME},
}
PLAN: Final = shape(CONTENTS)
"""The schema of a model's answer."""

DOCUMENT: Final = shape({**HEAD, **CONTENTS})
"""The schema of the whole document, as a person may save it."""


def document(answer: object, ticket: str) -> dict[str, object]:
    """Return the document of what a model drafted; raises ``AnswerInvalid``."""
    return _document(check(PLAN, answer), ticket)


def edited(before: Json, after: object) -> dict[str, object]:
    """Return a document as a person edited it; raises ``AnswerInvalid`` with every mistake."""
    return _document(check(DOCUMENT, after), text(before, "ticket_id"))


def _document(found: Json, ticket: str) -> dict[str, object]:
    refuse(tuple(_twice(found)))
    readiness, commands = part(found, "readiness"), part(found, "project_commands")
    return {
        "schema_version": VERSION,
        "ticket_id": ticket,
        "artifact": NAME,
        "summary": text(found, "summary"),
        "readiness": {
            "status": text(readiness, "status"),
            "actions_required": bool(readiness["actions_required"]),
            "evidence": texts(readiness, "evidence"),
            "gaps": texts(readiness, "gaps"),
        },
        "steps": [_step(one) for one in rows(found, "steps")],
        "probes": [
            {name: text(one, name) for name in ("id", "command", "purpose")}
            for one in rows(found, "probes")
        ],
        "project_commands": {name: texts(commands, name) for name in COMMANDS},
        "cautions": texts(found, "cautions"),
    }


def _step(found: Json) -> dict[str, object]:
    return {
        **{name: text(found, name) for name in ("id", "title", "purpose")},
        "commands": texts(found, "commands"),
        "required": bool(found["required"]),
        "rationale": text(found, "rationale"),
        "cautions": texts(found, "cautions"),
    }


def _twice(found: Json) -> Iterator[Wrong]:
    """Yield where an id is not the first of its name: a run is found by it."""
    for name in ("steps", "probes"):
        seen: set[str] = set()
        for number, one in enumerate(rows(found, name)):
            called = text(one, "id")
            if called in seen:
                yield Wrong(place(name, number, "id"), "an id of its own", told(called))
            seen.add(called)


def needed(plan: Json) -> Sequence[str]:
    """Return the commands that must end well: those of required steps, then the probes."""
    steps = (one for one in rows(plan, "steps") if one.get("required"))
    commands = [command for step in steps for command in texts(step, "commands")]
    return (*commands, *(text(one, "command") for one in rows(plan, "probes")))
