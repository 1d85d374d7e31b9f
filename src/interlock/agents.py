"""Agents in the settings: what is said of each that a worker can ask, and what is wrong with it.

Nothing is opened or asked here; ``worker/agents`` does. A key is named by its variable, and never
stands in the settings themselves.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from interlock.values import PREFIX, Wrong, Wrongs, read_server

NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")
MODEL: Final = re.compile(r"[!-~]{1,200}")
FORM: Final = (
    'write [agents.NAME] with kind = "scripted" and file = "answers.yaml",'
    ' or kind = "openai", url = "https://host/v1", key_env = "VARIABLE" and model = "name"'
)

SCRIPTED: Final = "scripted"
OPENAI: Final = "openai"
KEYS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    SCRIPTED: ("file", ()),
    OPENAI: ("url", ("key_env", "model")),
}
"""For each kind the key that it needs, and those that it may have."""


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """An agent: answers from a file, or a model at an endpoint."""

    name: str
    kind: str
    file: str = ""
    url: str = ""
    # The variable that holds the key of the endpoint.
    key_env: str = ""
    # Which model is asked where a member names none.
    model: str = ""


def read_agents(value: object) -> tuple[AgentSettings, ...]:
    """Read a table of agents by name, or the same as JSON; every mistake is told with its key."""
    tables = _tables(value)
    wrongs = tuple(wrong for name, table in tables.items() for wrong in _wrongs(name, table))
    if wrongs:
        raise Wrongs(wrongs)
    return tuple(
        AgentSettings(name, **{key: str(said) for key, said in table.items()})
        for name, table in tables.items()
    )


def _tables(value: object) -> Mapping[str, Mapping[str, object]]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as exc:
            right = f'say them as JSON: {{"NAME": {{"kind": "scripted", ...}}}}; or {FORM}'
            raise Wrong("is not JSON", right) from exc
    if not isinstance(value, dict):
        raise Wrong("is not a table of agents", FORM)
    for name, table in value.items():
        if not isinstance(table, dict):
            raise Wrong("is not a table", FORM, (name,))
    return value


def _wrongs(name: str, table: Mapping[str, object]) -> Iterator[Wrong]:
    if not NAME.fullmatch(name):
        yield Wrong("is not a name", "use letters, digits, _ . and -, at most 64", (name,))
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in KEYS:
        yield Wrong("names no kind that there is", f"there are {', '.join(KEYS)}", (name, "kind"))
        return
    needed, others = KEYS[kind]
    known = ("kind", needed, *others)
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            right = f"did you mean {near[0]}?" if near else f"{kind} has {', '.join(known)}"
            yield Wrong("there is no such key", right, (name, key))
    if needed not in table:
        yield Wrong(f"has no {needed}", FORM, (name,))
    yield from _wrong_values(name, table)


def _wrong_values(name: str, table: Mapping[str, object]) -> Iterator[Wrong]:
    file = table.get("file", "-")
    if not isinstance(file, str) or not file.strip() or "\0" in file:
        yield Wrong("is not a path", "say where the answers lie", (name, "file"))
    try:
        read_server(table.get("url", "http://-") or "-")
    except Wrong as wrong:
        yield Wrong(wrong.wrong, "say https://host/v1", (name, "url"))
    variable = table.get("key_env", "-")
    if variable != "-" and not (isinstance(variable, str) and VARIABLE.fullmatch(variable)):
        # It may be the key itself, put in the wrong place: it is not repeated.
        right = "say the name of the variable that holds the key, not the key"
        yield Wrong("is not the name of a variable", right, (name, "key_env"))
    elif str(variable).startswith(PREFIX):
        right = f"use another name: all that begin with {PREFIX} are settings"
        yield Wrong("is the name of a setting", right, (name, "key_env"))
    model = table.get("model", "-")
    if not isinstance(model, str) or not MODEL.fullmatch(model):
        yield Wrong("is not a model", "say its name, one word", (name, "model"))
