"""Failure classes: which failure is tried again in place, and which one a person can repair.

A class that is not in the table counts as unhandled, and so does an error without a class: nobody
has said that it is harmless. How long to wait between attempts is for whoever runs the tool; here
it only counts how many there were, and keeps how each of them failed.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, cast

from interlock.kernel.draft import Draft
from interlock.kernel.forms import Functions


class Failure(NamedTuple):
    """What becomes of a failure of one class."""

    is_retried: bool
    is_recoverable: bool


# fmt: off
FAILURES: Final[Mapping[str, Failure]] = MappingProxyType({
    "transient":            Failure(is_retried=True,  is_recoverable=True),
    "validation":           Failure(is_retried=False, is_recoverable=True),
    "configuration":        Failure(is_retried=False, is_recoverable=True),
    "user_correctable":     Failure(is_retried=False, is_recoverable=True),
    "resource_unavailable": Failure(is_retried=False, is_recoverable=False),
    "system":               Failure(is_retried=False, is_recoverable=False),
    "unhandled":            Failure(is_retried=False, is_recoverable=False),
})
# fmt: on

TRIES_MAX: Final = 3
"""How often a tool step is attempted unless its mission says otherwise."""

RESUMES_IN: Final = "BUILDING_HOP"
"""Where a mission goes on when its failed hop is repaired, wherever it was held."""


ATTEMPTS_MAX: Final = 20
MESSAGE_MAX: Final = 300
"""How many failed attempts a tool step remembers, and how much of what each has said."""

LAPSED: Final = "Its lease ran out: whoever ran it was not heard from any more."
BLOCKED: Final = "What it takes was not ready when it was to start."


def class_of(name: str, attempt: int, tries_max: int, *, is_down: bool) -> str:
    """Return of which class a failure is: what is down and not tried again is not available."""
    failure = FAILURES.get(name, FAILURES["unhandled"])
    is_over = not failure.is_retried or attempt >= tries_max
    return "resource_unavailable" if is_down and is_over and failure.is_recoverable else name


def failure_of(draft: Draft) -> Failure | None:
    """Return what the event reports or has brought to light; None where nothing failed."""
    args = draft.event.args
    name = draft.notes.get("failure", args.get("failure"))
    if name is None and not args.get("error"):
        return None
    return FAILURES.get(str(name), FAILURES["unhandled"])


def keep_attempt(draft: Draft, error: object) -> None:
    """Remember how an attempt of a tool step has failed."""
    said = error.get("message") if isinstance(error, Mapping) else error
    args, attempt = draft.event.args, _tries(draft) + 1
    name = str(draft.notes.get("failure", args.get("failure")))
    told = {
        "attempt": attempt,
        "at": draft.now,
        "class": class_of(
            name if name in FAILURES else "unhandled",
            attempt,
            cast("int", draft.unit.fields["tries_max"]),
            is_down=bool(args.get("resource_down")),
        ),
        "message": str(said or "")[:MESSAGE_MAX],
    }
    before = cast("tuple[object, ...]", draft.part.fields["attempts"])
    draft.write("part", "attempts", (*before, told)[-ATTEMPTS_MAX:])


def can_be_repaired(failure: Failure, *, is_down: bool = False) -> bool:
    """Say whether a person can repair it; not while a resource that was declared is down."""
    return failure.is_recoverable and not is_down


def _has_succeeded(draft: Draft) -> bool:
    return failure_of(draft) is None


def _is_retried(draft: Draft) -> bool:
    """Say whether the running step is to be tried again where it stands."""
    failure = failure_of(draft)
    if failure is None or not failure.is_retried or draft.part.status != "EXECUTING":
        return False
    return _tries(draft) + 1 < cast("int", draft.unit.fields["tries_max"])


def _is_given_up(draft: Draft) -> bool:
    return not _has_succeeded(draft) and not _is_retried(draft)


def _is_recoverable(draft: Draft) -> bool:
    failure = failure_of(draft)
    is_down = bool(draft.event.args.get("resource_down"))
    return failure is not None and can_be_repaired(failure, is_down=is_down)


def _count_try(draft: Draft) -> None:
    draft.write("part", "tries", _tries(draft) + 1)


def _tries(draft: Draft) -> int:
    return cast("int", draft.part.fields["tries"])


def _note_lapse(draft: Draft) -> None:
    draft.note("failure", "transient")
    _fail_by_itself(draft, LAPSED)


def _note_blocked(draft: Draft) -> None:
    """Say that an input is missing; which one, is told from the links."""
    draft.note("failure", "validation")
    draft.note("blocked", value=True)
    _fail_by_itself(draft, BLOCKED)


def _fail_by_itself(draft: Draft, message: str) -> None:
    """Keep what has failed where nobody has reported it."""
    attempt = _tries(draft) + 1
    error = {"class": draft.notes["failure"], "message": message, "attempt": attempt}
    draft.write("part", "error", error)
    keep_attempt(draft, error)


def _hold(draft: Draft) -> None:
    """Open the recovery record: a person is asked to repair the hop or to give it up."""
    hop = "parent" if draft.part.kind == "tool_step" else "part"
    draft.write(hop, "recoverable", value=True)
    draft.write("unit", "held", value=True)
    held_in, failed = draft.unit.status, draft.event.part
    record = {"held_in": held_in, "resumes_in": RESUMES_IN, "failed": failed}
    draft.write("unit", "recovery", record)


def _close_recovery(draft: Draft) -> None:
    draft.write("unit", "held", value=False)
    draft.write("unit", "recovery", None)


FUNCTIONS: Final[Functions] = {
    "has_succeeded": _has_succeeded,
    "is_retried": _is_retried,
    "is_given_up": _is_given_up,
    "failure_is_recoverable": _is_recoverable,
    "count_try": _count_try,
    "note_lapse": _note_lapse,
    "note_blocked": _note_blocked,
    "hold_mission": _hold,
    "close_recovery": _close_recovery,
}
