"""The file of a scripted agent: what is said by whom, to which task, and the how-manieth time.

Read whole and checked whole before anything is asked. What is done before it is said (files, a
command, misbehaviour) is only read here, and done in ``acts``. Its form is told in docs/agents.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from interlock.errors import InterlockError
from interlock.outside.schema import read_schema
from interlock.ticketing.canonical import DocumentInvalid, read
from interlock.worker.agents.agent import FAILED, AgentFailed, Task
from interlock.worker.agents.misbehaving import MISBEHAVIOUR

ANYBODY: Final = "*"
TIMEOUT: Final = "timeout"
INVALID: Final = "invalid"
ERROR: Final = "error"
CRASH: Final = "crash"
LATE: Final = "late"
FAULTS: Final = (TIMEOUT, INVALID, ERROR, CRASH, LATE)

TURN: Final[Mapping[str, object]] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "answer": {"type": "object"},
        "text": {"type": "string"},
        "delay_s": {"type": "number", "minimum": 0, "maximum": 86_400},
        "fault": {"enum": [*FAULTS]},
        "files": {
            "type": "object",
            "propertyNames": {"pattern": "^[^/\\u0000][^\\u0000]*$"},
            "additionalProperties": {"type": ["string", "null"]},
        },
        "run": {"type": "string", "minLength": 1},
        "misbehave": {"type": "array", "items": {"enum": [*MISBEHAVIOUR]}},
    },
    "anyOf": [{"required": ["answer"]}, {"required": ["text"]}, {"required": ["fault"]}],
    # An answer can be late; a fault of another kind says something else in its place.
    "if": {"required": ["answer"]},
    "then": {"properties": {"text": False, "fault": {"const": LATE}}},
}
KEY: Final = "^([a-z]+/)?[a-z]+(:[^\\s#]{1,200})?(#[1-9][0-9]{0,5})?$"
FORM: Final = read_schema(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["members"],
        "properties": {
            "members": {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "propertyNames": {"pattern": KEY},
                    "additionalProperties": {
                        "if": {"type": "array"},
                        "then": {"minItems": 1, "items": TURN},
                        "else": TURN,
                    },
                },
            }
        },
    }
)


Fields = dict[str, Any]
Said = Fields | list[Fields]


class InvalidScript(InterlockError):
    """The file of a scripted agent cannot be used; what is wrong with it is said at once."""

    code = "INVALID_SCRIPT"
    http = 422


class Turn(NamedTuple):
    """What is said once."""

    answer: Mapping[str, object] | None = None
    text: str = ""
    delay_s: float = 0.0
    fault: str = ""
    # What is done in the working tree before it is said: files by their paths (none: removed), a
    # command of the shell, and what nobody should do.
    files: Mapping[str, str | None] = MappingProxyType({})
    run: str = ""
    misbehave: tuple[str, ...] = ()

    @property
    def acts(self) -> bool:
        """Whether anything is done in the working tree."""
        return bool(self.files or self.run or self.misbehave)


@dataclass(frozen=True, slots=True)
class Script:
    """What is said, by member and then by task: ``interview/draft``, or ``interview/draft#2``.

    Where a task is about something of its own, that stands behind it: ``code:add-total#2``. Several
    turns are for one piece of work whose answers are refused: one after the other.
    """

    where: str
    turns: Mapping[str, Mapping[str, tuple[Turn, ...]]]

    def turn(self, task: Task, number: int) -> Turn:
        """Return what is said to a task; raises ``AgentFailed`` where nothing is."""
        names = (f"{task.name}:{task.about}", task.name) if task.about else (task.name,)
        for member in (task.member, ANYBODY):
            for key in (key for name in names for key in (f"{name}#{number}", name)):
                turns = self.turns.get(member, {}).get(key)
                if turns is not None:
                    return self._one(turns, task, f"{member}: {key}")
        message = (
            f"{self.where} has no answer of {task.member!r} to {names[0]}#{number}: neither there"
            f" nor under {names[0]}, and none of {ANYBODY!r}."
        )
        raise AgentFailed(FAILED, message)

    def _one(self, turns: tuple[Turn, ...], task: Task, key: str) -> Turn:
        if len(turns) == 1:
            return turns[0]
        if task.rejected < len(turns):
            return turns[task.rejected]
        message = f"{self.where} has {len(turns)} turns under {key}, and all of them were refused."
        raise AgentFailed(FAILED, message)


def load_script(path: Path) -> Script:
    """Read the file of a scripted agent, YAML or JSON; raises ``InvalidScript``."""
    try:
        document = read(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as exc:
        why = getattr(exc, "strerror", None) or "it is no text in UTF-8"
        raise _invalid(path, f"it cannot be read: {why}.") from exc
    except DocumentInvalid as exc:
        raise _invalid(path, exc.message) from exc
    wrong = FORM.wrong(document)
    if wrong:
        raise _invalid(path, f"{'; '.join(wrong)}.")
    members = cast("Mapping[str, Mapping[str, Said]]", document["members"])
    turns = {
        member: {key: _turns(said) for key, said in tasks.items()}
        for member, tasks in members.items()
    }
    return Script(path.name, turns)


def _invalid(path: Path, why: str) -> InvalidScript:
    fix = "Write members: {NAME: {interview/draft: {answer: ...}}}; see docs/agents.md."
    return InvalidScript(f"The script {path.name} cannot be used: {why}", fix=fix)


def _turns(said: Said) -> tuple[Turn, ...]:
    every = said if isinstance(said, list) else [said]
    return tuple(Turn(**(one | {"misbehave": tuple(one.get("misbehave", ()))})) for one in every)
