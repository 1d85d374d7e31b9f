"""Questions as they are put to the user: batches of the winner, follow-ups of an audit.

Here only their form is judged. Whether a question may be asked now is known to ``session``.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from interlock.ticketing.answer import Wrong, place, told
from interlock.ticketing.checked import Json, rows, text, texts
from interlock.ticketing.form import choice, flag, line, lines, listed, remark, shape
from interlock.ticketing.interview import (
    FREE,
    MULTIPLE,
    PHASE,
    QUESTION,
    SINGLE,
    YES_NO,
    Option,
    normal_id,
)

BATCH_MAX: Final = 3
OPTIONS_MIN: Final = 2
OPTIONS_MAX: Final = {SINGLE: 10, MULTIPLE: 15}
TYPES: Final = (FREE, SINGLE, MULTIPLE, YES_NO)
YES_OR_NO: Final = (Option("yes", "Yes"), Option("no", "No"))

ANSWER_TYPE: Final = choice(
    TYPES, "How it is answered. The user can always answer in words, whatever you choose."
)
OPTIONS: Final = lines(
    "What can be chosen: 2-10 for single_choice, 2-15 for multiple_choice, none for the others.",
    most=max(OPTIONS_MAX.values()),
)
BATCH: Final[Json] = {
    **shape(
        {
            "questions": listed(
                shape(
                    {
                        "id": line(
                            "The id of an open question. Leave out for one of your own.", 20
                        ),
                        "question": QUESTION,
                        "phase": PHASE,
                        "answer_type": ANSWER_TYPE,
                        "options": OPTIONS,
                    },
                    optional=("id", "phase", "options"),
                ),
                "One to three questions that belong together, adapted to what was answered.",
                1,
                BATCH_MAX,
            ),
            "commentary": remark(
                "A sentence to the user: why these questions, what you understood."
            ),
            "is_final": flag("True for the last batch: one free_text question, anything else?"),
            "complete": {
                "const": True,
                "description": "In place of questions: nothing more needs to be asked.",
            },
        },
        optional=("questions", "commentary", "is_final", "complete"),
    ),
    "oneOf": [{"required": ["questions"]}, {"required": ["complete"]}],
}

FOLLOW_UPS: Final = listed(
    shape(
        {"question": QUESTION, "phase": PHASE, "answer_type": ANSWER_TYPE, "options": OPTIONS},
        optional=("answer_type", "options"),
    ),
    "Questions to the user that would close the gaps, the most important first.",
    most=20,
)


class Asked(NamedTuple):
    """A question as it is put to the user; without an id where it is a new one."""

    id: str
    prompt: str
    phase: str
    answer_type: str
    options: tuple[Option, ...]


def asked(document: Json, name: str) -> tuple[Asked, ...]:
    """Return the questions in a checked document."""
    return tuple(
        Asked(
            normal_id(text(row, "id")),
            text(row, "question"),
            text(row, "phase"),
            text(row, "answer_type") or FREE,
            _options(row),
        )
        for row in rows(document, name)
    )


def _options(row: Json) -> tuple[Option, ...]:
    if text(row, "answer_type") == YES_NO:
        return YES_OR_NO
    return tuple(
        Option(f"o{number}", label) for number, label in enumerate(texts(row, "options"), 1)
    )


def wrong_options(found: Sequence[Json], name: str) -> Iterator[Wrong]:
    """Yield what is wrong with the options of questions, which no schema of ours says."""
    for number, row in enumerate(found):
        where = place(name, number, "options")
        labels = texts(row, "options")
        kind = text(row, "answer_type") or FREE
        most = OPTIONS_MAX.get(kind, 0)
        if most and not OPTIONS_MIN <= len(labels) <= most:
            yield Wrong(where, f"{OPTIONS_MIN} to {most} options for {kind}", told(labels))
        elif labels and not most:
            yield Wrong(where, f"no options for {kind}", told(labels))
        elif len({label.lower() for label in labels}) < len(labels):
            yield Wrong(where, "options that differ", told(labels))
