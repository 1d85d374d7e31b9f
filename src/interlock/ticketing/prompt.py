"""The prompts of a ticket's tasks: files of their own, versioned; a project may replace a text.

A file opens with its name, its version and its placeholders; ``{{name}}`` stands for a value. A
replaced text must have the same placeholders. What was asked is always told with its name, its
version and a digest of the text, before values were put into it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import yaml

from interlock.errors import InterlockError

FOLDER: Final = Path(__file__).parent / "prompts"
LENGTH_MAX: Final = 20_000
"""How many characters a text of a project may have."""

OWN: Final = "-project"
"""What is put behind the version of a prompt whose text a project has replaced."""

# fmt: off
PLACEHOLDERS: Final[Mapping[str, str]] = MappingProxyType({
    "context":         "what the model is shown, with the sentence about what is data",
    "questions_max":   "how many questions an interview may begin with",
    "batch_number":    "which batch of questions this is, from 1",
    "follow_ups_left": "how many questions of its own a model may still add",
    "audit_number":    "which audit this is, from 1",
    "audits_max":      "how many audits there are at most",
    "beads_max":       "how many beads a blueprint may have",
    "drafts":          "how many drafts there are to vote on",
})  # fmt: skip
"""Everything that a prompt can ask to be filled in, and what that is."""
# fmt: on

PLACEHOLDER: Final = re.compile(r"\{\{\s*([A-Za-z0-9_.-]*)\s*\}\}")
FRONT: Final = re.compile(r"---\n(.*?\n)---\n+(.*)", re.DOTALL)

ANSWER: Final = (
    "# Answer\n\nAnswer with one JSON object that is valid against this JSON Schema, and with"
    " nothing else: no explanation, no code fence.\n\n"
)


class InvalidPrompt(InterlockError):
    """Prompts of a project cannot be used; all that is wrong with them is said at once."""

    code = "INVALID_PROMPT"
    http = 422

    def __init__(self, wrong: tuple["WrongPrompt", ...]) -> None:
        """Keep every mistake, each with the prompt it is in."""
        self.wrong = wrong
        super().__init__(
            "; ".join(f"{one.name}: {one.message}" for one in wrong) + ".",
            fix=" ".join(dict.fromkeys(one.fix for one in wrong)),
        )


class WrongPrompt(NamedTuple):
    """One thing that is wrong with a prompt of a project."""

    name: str
    message: str
    fix: str


class Used(NamedTuple):
    """Which text was used, as it is told with the work."""

    name: str
    version: str
    digest: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as its file, or a project, has it."""

    name: str
    version: str
    placeholders: frozenset[str]
    text: str

    @property
    def used(self) -> Used:
        """Say which text this is."""
        return Used(self.name, self.version, sha256(self.text.encode()).hexdigest())

    def fill(self, values: Mapping[str, object]) -> str:
        """Return the text with its values; exactly those it asks for must be given.

        What is put in is not looked at again: a value may hold what looks like a placeholder.
        """
        missing, unknown = self.placeholders - set(values), set(values) - self.placeholders
        if missing or unknown:
            told = {"missing": sorted(missing), "unknown": sorted(unknown)}
            raise ValueError(f"the values for the prompt {self.name} do not fit: {told}")
        return PLACEHOLDER.sub(lambda found: str(values[found[1]]), self.text)


@cache
def prompts() -> Mapping[str, Prompt]:
    """Read the files: every prompt that is written, by its name."""
    found = (parse(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.md")))
    return MappingProxyType({one.name: one for one in found})


def parse(text: str) -> Prompt:
    """Read a prompt with its opening; raises ``ValueError`` where they do not fit."""
    found = FRONT.fullmatch(text)
    if found is None:
        raise ValueError("a prompt opens with its name, version and placeholders between ---")
    front = yaml.safe_load(found[1])
    declared = frozenset(front["placeholders"])
    body = found[2].strip() + "\n"
    if declared != placeholders_in(body) or not declared <= set(PLACEHOLDERS):
        raise ValueError(f"the placeholders of {front['name']} are not those of its text")
    return Prompt(front["name"], str(int(front["version"])), declared, body)


def placeholders_in(text: str) -> frozenset[str]:
    """Return the names that a text asks values for."""
    return frozenset(found[1] for found in PLACEHOLDER.finditer(text))


def replaced(own: Mapping[str, object]) -> Mapping[str, Prompt]:
    """Return all prompts, with the texts that a project has in place of ours.

    Raises ``InvalidPrompt`` with every mistake in every text.
    """
    wrong = tuple(one for name, text in own.items() for one in _wrong(name, text))
    if wrong:
        raise InvalidPrompt(wrong)
    ours = prompts()
    texts = {
        name: Prompt(name, ours[name].version + OWN, ours[name].placeholders, str(text))
        for name, text in own.items()
    }
    return MappingProxyType({**ours, **texts})


def _wrong(name: str, text: object) -> Iterator[WrongPrompt]:
    known = prompts().get(name)
    if known is None:
        fix = f"There are {', '.join(prompts())}."
        yield WrongPrompt(name[:80], "there is no such prompt", fix)
        return
    if not isinstance(text, str) or not text.strip():
        yield WrongPrompt(name, "is no text", "Write one, or leave the prompt out to use ours.")
        return
    if len(text) > LENGTH_MAX:
        message = f"has {len(text):,} characters"
        yield WrongPrompt(name, message, f"A prompt has at most {LENGTH_MAX:,} characters.")
    fix = f"{name} has {', '.join(f'{{{{{one}}}}}' for one in sorted(known.placeholders))}."
    found = placeholders_in(text)
    for one in sorted(known.placeholders - found):
        yield WrongPrompt(name, f"{{{{{one}}}}} is missing", fix)
    for place in PLACEHOLDER.finditer(text):
        if place[1] not in known.placeholders:
            line = text.count("\n", 0, place.start()) + 1
            yield WrongPrompt(name, f"line {line}: there is no {place[0][:80]}", fix)


def ordered(text: str, schema: Mapping[str, object]) -> str:
    """Return what a model is asked: a filled prompt, and behind it the schema of the answer."""
    shape = json.dumps(schema, ensure_ascii=False, indent=1)
    return f"{text.rstrip()}\n\n{ANSWER}{shape}\n"
