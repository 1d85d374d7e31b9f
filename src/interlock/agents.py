"""Agents in the settings: what is said of each that a worker can ask, and what is wrong with it.

Nothing is opened or asked here; ``worker/agents`` does. A key is named by its variable, and never
stands in the settings themselves.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from interlock.values import PREFIX, Wrong, Wrongs, read_server

NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")
MODEL: Final = re.compile(r"[!-~]{1,200}")
WORD_MAX: Final = 4_000
FORM: Final = (
    'write [agents.NAME] with kind = "claude" and key_env = "VARIABLE" (codex, gemini, opencode'
    ' too), or kind = "command" and command = "program", or kind = "openai", url ='
    ' "https://host/v1", key_env and model, or kind = "scripted" and file = "answers.yaml"'
)

SCRIPTED: Final = "scripted"
OPENAI: Final = "openai"
CLAUDE: Final = "claude"
CODEX: Final = "codex"
GEMINI: Final = "gemini"
OPENCODE: Final = "opencode"
COMMAND: Final = "command"
PROGRAM: Final = ("command", "args", "pass", "model", "url", "key_env")
KEYS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    SCRIPTED: ("file", ()),
    OPENAI: ("url", ("key_env", "model")),
    CLAUDE: ("", PROGRAM),
    CODEX: ("", PROGRAM),
    GEMINI: ("", PROGRAM),
    OPENCODE: ("", (*PROGRAM, "server")),
    COMMAND: ("command", ("args", "pass", "model")),
}
"""For each kind the key that it needs, if it needs one, and those that it may have."""

LISTS: Final = ("args", "pass")


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """An agent: answers from a file, a model at an endpoint, or a program."""

    name: str
    kind: str
    file: str = ""
    url: str = ""
    # The variable that holds the key of the endpoint.
    key_env: str = ""
    # Which model is asked where a member names none.
    model: str = ""
    # How the program is started, and what is said to it besides.
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    # Where a server of the program listens that somebody else runs.
    server: str = ""
    # Which variables of the worker's environment the program gets, too.
    passed: tuple[str, ...] = ()


def read_agents(value: object) -> tuple[AgentSettings, ...]:
    """Read a table of agents by name, or the same as JSON; every mistake is told with its key."""
    tables = _tables(value)
    wrongs = tuple(wrong for name, table in tables.items() for wrong in _wrongs(name, table))
    if wrongs:
        raise Wrongs(wrongs)
    return tuple(_agent(name, table) for name, table in tables.items())


def _agent(name: str, table: Mapping[str, object]) -> AgentSettings:
    said = {key: str(value) for key, value in table.items() if key not in {"command", *LISTS}}
    return AgentSettings(
        name,
        **said,
        command=tuple(shlex.split(str(table.get("command", "")))),
        args=_words(table.get("args")),
        passed=_words(table.get("pass")),
    )


def _words(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list) else ()


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
    known = ("kind", *((needed,) if needed else ()), *others)
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            right = f"did you mean {near[0]}?" if near else f"{kind} has {', '.join(known)}"
            yield Wrong("there is no such key", right, (name, key))
    if needed and needed not in table:
        yield Wrong(f"has no {needed}", FORM, (name,))
    yield from _wrong_values(name, table)


def _wrong_values(name: str, table: Mapping[str, object]) -> Iterator[Wrong]:
    file = table.get("file", "-")
    if not isinstance(file, str) or not file.strip() or "\0" in file:
        yield Wrong("is not a path", "say where the answers lie", (name, "file"))
    for key, right in (("url", "say https://host/v1"), ("server", "say http://127.0.0.1:4096")):
        try:
            read_server(table.get(key, "http://-") or "-")
        except Wrong as wrong:
            yield Wrong(wrong.wrong, right, (name, key))
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
    yield from _wrong_program(name, table)


def _wrong_program(name: str, table: Mapping[str, object]) -> Iterator[Wrong]:
    """Yield what is wrong with how a program is started."""
    if not _is_line(table.get("command", "-")):
        right = 'say how it is started, as in a shell: command = "/opt/bin/claude"'
        yield Wrong("is not a command line", right, (name, "command"))
    for key in LISTS:
        words = table.get(key, [])
        if not isinstance(words, list) or not all(_is_word(one) for one in words):
            yield Wrong("is not a list of words", f'say {key} = ["one", "two"]', (name, key))
        elif key == "pass" and any(not VARIABLE.fullmatch(one) for one in words):
            # One of them may be a key, put in the wrong place: none is repeated.
            right = "say the names of variables, not what is in them"
            yield Wrong("is not a list of names of variables", right, (name, key))
        elif key == "pass" and any(one.startswith(PREFIX) for one in words):
            right = f"pass none that begins with {PREFIX}: those are the worker's own"
            yield Wrong("names a setting", right, (name, key))
    if table.get("kind") == OPENCODE and "url" in table and "model" not in table:
        right = "say which model the endpoint has"
        yield Wrong("has a url, and no model", right, (name,))


def _is_word(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value and len(value) <= WORD_MAX


def _is_line(value: object) -> bool:
    try:
        return isinstance(value, str) and _is_word(value) and bool(shlex.split(value))
    except ValueError:  # a quotation without an end
        return False
