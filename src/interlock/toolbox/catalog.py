"""Which tools there are: ours, those of Python modules, and those of MCP servers.

Python modules are loaded at once, and a mistake in one is told at once. Servers are asked when
somebody says so (``child.refresh``), and what they said last is kept: a server that is away takes
nothing with it but the answer to new questions.
"""

import importlib
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Final

from interlock.errors import InterlockError
from interlock.outside.schema import InvalidSchema, read_schema
from interlock.servers import Server
from interlock.toolbox.around import Around
from interlock.toolbox.built_in import TOOLS
from interlock.toolbox.kept import read_kept, write_kept
from interlock.toolbox.tool import NAME, RESOURCE_UNAVAILABLE, Described, Run, Tool, ToolFailure

DOT: Final = "."
"""Stands between a server and its tool; a tool of ours has none in its name."""

ANYTHING: Final = {"type": "object"}


class ToolsNotLoaded(InterlockError):
    """A Python module of the settings cannot be used as tools."""

    code = "TOOLS_NOT_LOADED"
    http = 500


class Catalog:
    """The tools by their names, and what is wrong with servers that could not tell theirs."""

    def __init__(self, around: Around, file: Path | None = None) -> None:
        """Load what is named; raises ``ToolsNotLoaded`` where a module cannot be.

        What servers tell is kept in a file, if one is given, and known from there the next time.
        """
        self.around = around
        self._file = file
        self._tools: dict[str, Tool] = {}
        self._listed = {} if file is None else read_kept(file, around.servers)
        self._wrong: dict[str, tuple[str, ...]] = {}
        for tool in chain(TOOLS, *(_tools_of(name) for name in around.modules)):
            if self._tools.setdefault(tool.name, tool) is not tool:
                message = f"Two tools are called {tool.name}."
                raise ToolsNotLoaded(message, fix="Give one of them another name.")

    def describe(self) -> Mapping[str, Described]:
        """Return all tools that are known by their names: ours, then those of servers."""
        ours = {name: tool.described for name, tool in self._tools.items()}
        return ours | {
            name: one for server in self._listed.values() for name, one in server.items()
        }

    def find(self, name: str) -> Tool | None:
        """Return a tool that can be run; a server's can be even if it was never listed."""
        if DOT not in name:
            return self._tools.get(name)
        if not NAME.fullmatch(name):
            return None
        known = self.describe().get(name)
        server, _, its = name.partition(DOT)
        parameters, result = (known.parameters, known.result) if known else (ANYTHING, ANYTHING)
        doc = known.doc if known else ""
        run = _remote(self._server(server), server, its)
        return Tool(name, doc, parameters, result, (f"mcp:{server}",), run)

    def keep(self, server: str, told: Iterable[Described]) -> None:
        """Keep what a server says its tools are; those that nobody could use are noted."""
        kept: dict[str, Described] = {}
        wrong: list[str] = []
        for one in told:
            why = _why_not(one)
            if why:
                wrong.append(f"{one.name[:80]}: {why}")
            else:
                kept[one.name] = one
        self._listed[server] = kept
        self._wrong[server] = tuple(wrong)
        if self._file is not None:
            write_kept(self._file, self.around.servers, self._listed)

    def note(self, server: str, wrong: str) -> None:
        """Keep why a server could not be asked; what it said before stays."""
        self._wrong[server] = (wrong,)

    def unlisted(self) -> tuple[Server, ...]:
        """Return the servers that have not told their tools yet."""
        return tuple(one for one in self.around.servers if one.name not in self._listed)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with servers and their tools."""
        return tuple(f"{name}: {one}" for name, wrong in self._wrong.items() for one in wrong)

    def _server(self, name: str) -> Server | None:
        return next((one for one in self.around.servers if one.name == name), None)


def _remote(server: Server | None, name: str, its: str) -> Run:
    async def run(arguments: Mapping[str, object], around: Around) -> object:
        del around
        if server is None:
            message = f"No MCP server {name} is configured."
            detail = f"The operator names it in the settings: [mcp_servers.{name}]."
            raise ToolFailure(RESOURCE_UNAVAILABLE, message, detail=detail)
        # Loading the SDK takes longer than most tools do.
        from interlock.toolbox.remote import called  # noqa: PLC0415 (as said)

        return await called(server, its, arguments)

    return run


def _tools_of(name: str) -> Iterator[Tool]:
    module = _load(name)
    found = [value for _, value in inspect.getmembers(module) if isinstance(value, Tool)]
    if not found:
        message = f"The module {name} has no tools."
        raise ToolsNotLoaded(
            message, fix="Decorate its functions with interlock.toolbox.tool.tool."
        )
    for tool in found:
        why = "a dot stands for a server" if DOT in tool.name else _why_not(tool.described)
        if why:
            message = f"The tool {tool.name} of {name} cannot be used: {why}."
            raise ToolsNotLoaded(message, fix="Correct it, or take the module out of the settings.")
        yield tool


def _load(name: str) -> ModuleType:
    try:
        # What it prints must not get into what we say: over stdio that is the protocol.
        with redirect_stdout(sys.stderr):
            return importlib.import_module(name)
    except Exception as exc:
        message = f"The module {name} cannot be loaded: {type(exc).__name__}: {exc}"
        fix = "Install it where interlock runs, or correct INTERLOCK_TOOLS."
        raise ToolsNotLoaded(message, fix=fix) from exc


def _why_not(one: Described) -> str:
    """Return why a tool cannot be used; nothing where it can."""
    if not NAME.fullmatch(one.name):
        return "this is no name of a tool"
    for what, schema in (("parameters", one.parameters), ("result", one.result)):
        if schema.get("type") != "object":
            return f"its {what} are no object"
        try:
            read_schema(schema)
        except InvalidSchema as wrong:
            return f"its {what}: {wrong.message}"
    return ""
