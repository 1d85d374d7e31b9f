"""The AI clients we know: where each keeps its MCP servers, and how it writes one down.

A row a client. Nothing is read or written here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

NAME: Final = "interlock"
"""What we are called in every client."""

Entry = dict[str, object]


@dataclass(frozen=True, slots=True)
class Machine:
    """What the place of a file depends on."""

    platform: str
    home: Path
    environ: Mapping[str, str]

    def folder(self, variable: str, *otherwise: str) -> Path:
        """Return the folder that a variable names, else one under the home."""
        named = self.environ.get(variable)
        return Path(named) if named else self.home.joinpath(*otherwise)


@dataclass(frozen=True, slots=True)
class Client:
    """One client: its file, the section of it that holds servers, and both kinds of entry."""

    title: str
    place: Callable[[Machine], Path]
    section: str
    local: Callable[[list[str]], Entry]
    remote: Callable[[str, str], Entry]
    after: str
    """What a person does next, so that the client notices."""

    def is_toml(self, path: Path) -> bool:
        """Say whether a file is TOML; all the others are JSON."""
        return path.suffix == ".toml"


def _opencode(machine: Machine) -> Path:
    folder = machine.folder("XDG_CONFIG_HOME", ".config") / "opencode"
    with_comments = folder / "opencode.jsonc"
    return with_comments if with_comments.exists() else folder / "opencode.json"


def _vscode(machine: Machine) -> Path:
    if machine.platform == "darwin":
        folder = machine.home / "Library" / "Application Support"
    elif machine.platform == "win32":
        folder = machine.folder("APPDATA", "AppData", "Roaming")
    else:
        folder = machine.folder("XDG_CONFIG_HOME", ".config")
    return folder / "Code" / "User" / "mcp.json"


def _command(words: list[str]) -> Entry:
    return {"command": words[0], "args": words[1:]}


def _typed(words: list[str]) -> Entry:
    return {"type": "stdio", **_command(words)}


def _address(url: str, token: str) -> Entry:
    return {"url": url, "headers": _bearer(token)}


def _typed_address(url: str, token: str) -> Entry:
    return {"type": "http", **_address(url, token)}


def _bearer(token: str) -> Entry:
    return {"Authorization": f"Bearer {token}"}


CLIENTS: Final[dict[str, Client]] = {
    "claude": Client(
        "Claude Code",
        lambda machine: machine.folder("CLAUDE_CONFIG_DIR") / ".claude.json",
        "mcpServers", _typed, _typed_address,
        "Start a new session; /mcp lists it.",
    ),
    "codex": Client(
        "Codex",
        lambda machine: machine.folder("CODEX_HOME", ".codex") / "config.toml",
        "mcp_servers", _command,
        lambda url, token: {"url": url, "http_headers": _bearer(token)},
        "Start a new session; /mcp lists it.",
    ),
    "opencode": Client(
        "OpenCode",
        _opencode,
        "mcp",
        lambda words: {"type": "local", "command": words, "enabled": True},
        lambda url, token: {"type": "remote", "enabled": True, **_address(url, token)},
        "Start it again; `opencode mcp list` lists it.",
    ),
    "gemini": Client(
        "Gemini CLI",
        lambda machine: machine.folder("GEMINI_CLI_HOME") / ".gemini" / "settings.json",
        "mcpServers", _command, _typed_address,
        "Start it again; /mcp lists it.",
    ),
    "cursor": Client(
        "Cursor",
        lambda machine: machine.home / ".cursor" / "mcp.json",
        "mcpServers", _command, _address,
        "It is under Settings, Tools & MCP.",
    ),
    "vscode": Client(
        "VS Code",
        _vscode,
        "servers", _typed, _typed_address,
        "Run `MCP: List Servers` and start it.",
    ),
}  # fmt: skip
