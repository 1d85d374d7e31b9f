"""What a model may believe of an answer: everything that was stored comes back in marked blocks.

Results, titles and sources were written by somebody else, and may hold sentences made to look
like orders. So the rule is to deny: a text in an answer's data stands between two marks unless
its key is on a short list, and what stands between them is data, whatever it says. The marks are
drawn anew for each answer, so that no stored text can know them, close the block and go on
outside of it.

Two lists make the exceptions. Words (ids, statuses, digests, times) pass where they look like
one: a status with a blank in it is no status. Texts (instructions and what reviewers ask for)
pass where they stand where we put them, not where a caller's own data happens to use their name.
"""

import json
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from interlock.outside.marks import Marks

WORDS: Final = frozenset({
    "action", "actor", "actors", "answer_type", "artifact_id", "artifact_ids", "artifact_type",
    "asset_id", "bead_id", "channel", "code", "command", "content_digest", "current_hop", "cursor",
    "decision", "derived_status", "digest", "domain", "event", "expires_at", "first_step", "from",
    "gate_id", "hash", "holder", "hop_id", "id", "incarnation", "inputs", "kind", "mark",
    "media_type", "member", "mission_id", "mission_status", "new_mission_id", "on_behalf_of",
    "outcome", "output", "output_id", "output_media_type", "part_id", "part_ids", "plan_id",
    "plan_status", "policy", "previous_status", "project_id", "reset_of", "result_digest",
    "review_policy", "role", "scopes", "session", "session_id", "since", "skill_execution_id",
    "stalled_steps", "state", "status", "step_id", "step_ids", "step_type", "superseded_by", "task",
    "tenant", "ticket_id", "ticket_status", "to", "token", "tool", "types", "unit_id", "until",
    "url", "version", "view", "waits_for", "workflow",
})  # fmt: skip
"""Keys of words: ids, statuses, words from closed lists, digests, tokens, times, addresses."""

TEXTS: Final = frozenset({
    "acceptance", "command_line", "feedback", "instructions", "plan_formatting_notes",
})  # fmt: skip
"""Keys of texts that do give orders: from the author, from a reviewer, from us."""

RELAYED: Final = "[relayed by an agent, not confirmed by a person]"
"""What stands before feedback, unless its actor is known to be a person."""

PLACES: Final = frozenset({
    "current_steps", "fields", "gate", "gates", "last_events", "next_step", "open_gate", "part",
    "parts", "pending_steps", "plan", "prompt", "review", "step", "steps", "task", "unit",
})  # fmt: skip
"""Keys of what we put together ourselves, where those texts can stand."""

ORDER: Final = ("prompt", "text")
"""Where what is asked of a member stands: our words, or the project's. What it quotes of others is
between marks of its own, which it explains."""

FREE: Final = frozenset({
    "answer", "answers", "args", "arguments", "body", "content", "draft", "evidence", "extracted",
    "metadata", "params", "result", "results", "schema", "step_execution_report",
})  # fmt: skip
"""Keys of what callers fill as they like: nothing in there is ours, not even its keys."""

WORD: Final = re.compile(r"[\w.:/@+=?&%#~,-]{1,300}", re.ASCII)
COMMAND: Final = re.compile(r"[a-z_]{1,40} [a-z_]{1,40}")
"""A command and its action, the only word of ours with a blank in it."""

KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,39}|[A-Z][A-Z0-9_]{0,39}")
"""A key that can stay as it is: one word, also where it is a status of a mission or a ticket."""


class Place(NamedTuple):
    """Where something stands: under which key, beside what, and whether all that is ours."""

    key: str
    around: Mapping[str, object]
    is_ours: bool = True


def mark(data: Mapping[str, object], marks: Marks) -> dict[str, object]:
    """Return an answer's data with everything that was stored between marks."""
    top = Place("", data)
    return {key: _marked(key, value, top, marks) for key, value in data.items()}


def _marked(key: str, value: object, place: Place, marks: Marks) -> object:
    if isinstance(value, str):
        return _text(key, value, place, marks)
    if isinstance(value, list | tuple):
        return [_marked(key, one, place, marks) for one in value]
    if not isinstance(value, Mapping) or not value:
        return value
    if key in FREE or not all(KEY.fullmatch(name) for name in value):
        # A key can be a sentence too: the whole of it goes between the marks.
        return marks.put(json.dumps(value, ensure_ascii=False))
    inside = Place(key, value, is_ours=place.is_ours and key in PLACES)
    return {name: _marked(name, inner, inside, marks) for name, inner in value.items()}


def _text(key: str, text: str, place: Place, marks: Marks) -> str:
    if not text or (key in WORDS and WORD.fullmatch(text)):
        return text
    if key == "command" and COMMAND.fullmatch(text):
        return text
    if place.is_ours and (place.key, key) == ORDER:
        return text
    if key in TEXTS and place.is_ours:
        return f"{RELAYED} {text}" if key == "feedback" and _is_relayed(place.around) else text
    return marks.put(text)


def _is_relayed(around: Mapping[str, object]) -> bool:
    """Whether what a person is said to have said was passed on by somebody else."""
    actor = around.get("actor")
    kind = actor.get("kind") if isinstance(actor, Mapping) else None
    return kind != "user"
