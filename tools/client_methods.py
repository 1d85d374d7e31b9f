"""The typed methods of the Python client, and where each is called, made from the command rows."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from interlock.commands.all import COMMANDS
from interlock.commands.row import EVERY, AnyCommand
from interlock.wire.envelope import Shape

CLIENT: Final = Path("src") / "interlock" / "client"
PLACES: Final = CLIENT / "places.py"
NOTICE: Final = "Made by `make docs` from the command rows. Do not edit."
SET_BY_CLIENT: Final = "session_id"
"""What a client says with every call, once it was told."""

WIDTH: Final = 84

Imports = set[tuple[str, str]]


def client_pages() -> dict[Path, str]:
    """Return the text of every module that is made, by its place under the root."""
    toolsets: dict[str, list[AnyCommand]] = {}
    for row in COMMANDS.values():
        name = "work" if row.toolset == EVERY else row.toolset
        toolsets.setdefault(name, []).append(row)
    made = {CLIENT / f"{name}.py": _module(name, rows) for name, rows in toolsets.items()}
    made[PLACES] = _places()
    made[CLIENT / "methods.py"] = _methods(sorted(toolsets))
    return {path: _formatted(path, text) for path, text in made.items()}


def _places() -> str:
    lines = [
        f'"""Where each command is found over HTTP. {NOTICE}"""',
        "from typing import Final, NamedTuple",
        "",
        "class Place(NamedTuple):",
        '    """A method and a path, and what a call takes: a request id, a session.',
        "",
        "    What is repeatable may be sent again as it is.",
        '    """',
        "    method: str",
        "    path: str",
        "    is_keyed: bool = False",
        "    has_session: bool = False",
        "    is_repeatable: bool = False",
        "",
        "PLACES: Final[dict[str, Place]] = {",
    ]
    for row in COMMANDS.values():
        flags = {"is_keyed": "request_id", "has_session": SET_BY_CLIENT}
        told = [flag for flag, name in flags.items() if name in row.takes.model_fields]
        told += ["is_repeatable"] if row.is_read or row.event == "heartbeat" else []
        words = "".join(f", {flag}=True" for flag in told)
        lines.append(f'    "{row.name}": Place("{row.method}", "{row.path}"{words}),')
    return "\n".join([*lines, "}"]) + "\n"


def _methods(toolsets: list[str]) -> str:
    lines = [f'"""Every command as a method. {NOTICE}"""']
    lines += [f"from interlock.client.{name} import {name.title()}" for name in toolsets]
    bases = ", ".join(name.title() for name in toolsets)
    lines += ["", f"class Methods({bases}):", '    """What a server can do."""']
    return "\n".join(lines) + "\n"


def _module(toolset: str, rows: list[AnyCommand]) -> str:
    imports: Imports = {("interlock.client.caller", "Caller")}
    imports.add(("interlock.wire.envelope", "Envelope"))
    methods = [line for row in rows for line in _method(row, imports)]
    head = [
        f'"""The toolset {toolset} as methods. {NOTICE}"""',
        *(f"from {module} import {name}" for module, name in sorted(imports)),
        "",
        "# fmt: off",
        f"class {toolset.title()}(Caller):",
        f'    """What the toolset {toolset} can do."""',
    ]
    return "\n".join([*head, *methods]) + "\n"


def _method(row: AnyCommand, imports: Imports) -> Iterator[str]:
    fields = {
        name: field for name, field in row.takes.model_fields.items() if name != SET_BY_CLIENT
    }
    taken = ["self"]
    for name, one in fields.items():
        if one.is_required():
            taken.append(f"{name}: {_spelled(one.annotation, imports)}")
    others = [name for name, one in fields.items() if not one.is_required()]
    taken += ["*"] if others else []
    for name in others:
        taken.append(f"{name}: {_spelled(fields[name].annotation, imports)} | None = None")
    told = [f'"{_wired(name, one)}": {name}' for name, one in fields.items()]
    yield ""
    yield f"    async def {row.name}("
    yield from _filled(taken)
    yield "    ) -> Envelope:"
    yield f'        """{row.doc}"""'
    yield f'        return await self.call("{row.name}", {{'
    yield from _filled(told, "    ")
    yield "        })"


def _filled(words: list[str], more: str = "") -> Iterator[str]:
    """Yield words with commas between them, as many in a line as there is room for."""
    line = ""
    for word in words:
        if line and len(line) + len(word) + 2 > WIDTH:
            yield f"        {more}{line},"
            line = ""
        line = f"{line}, {word}" if line else word
    if line:
        yield f"        {more}{line},"


def _wired(name: str, field: FieldInfo) -> str:
    return field.alias or name


def _spelled(kind: object, imports: Imports) -> str:
    """Return how a caller writes a type; lists and mappings are taken in any form."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _spelled(args[0], imports)
    if origin in (Union, UnionType):
        return " | ".join(_spelled(one, imports) for one in args if one is not NoneType)
    if origin is Literal:
        imports.add(("typing", "Literal"))
        return "Literal[{}]".format(", ".join(f'"{one}"' for one in args))
    return _container(kind, imports)


def _container(kind: object, imports: Imports) -> str:
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple:
        imports.add(("collections.abc", "Sequence"))
        return f"Sequence[{_spelled(args[0], imports)}]"
    if origin is dict:
        imports.add(("collections.abc", "Mapping"))
        return "Mapping[str, object]"
    if isinstance(kind, type) and issubclass(kind, Shape):
        imports.update({(kind.__module__, kind.__name__), ("collections.abc", "Mapping")})
        return f"{kind.__name__} | Mapping[str, object]"
    if kind in (str, int, float, bool, object) and isinstance(kind, type):
        return kind.__name__
    message = f"a field of the type {kind} cannot be spelled"
    raise TypeError(message)


def _formatted(path: Path, text: str) -> str:
    ruff = Path(sys.executable).with_name("ruff")
    for words in (("check", "--select", "I", "--fix", "--quiet"), ("format", "--quiet")):
        command = [ruff, *words, "--stdin-filename", path, "-"]
        text = subprocess.run(
            command, input=text, capture_output=True, text=True, check=True
        ).stdout
    return text
