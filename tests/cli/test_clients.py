"""The clients we know: the place of each one's file on each platform, and its kinds of entry."""

from pathlib import Path

import pytest

from interlock.cli.clients import CLIENTS, Machine

HOME = Path("/home/ada")
WORDS = ["/bin/interlock", "mcp"]
PLACES = [
    ("claude", "linux", {}, HOME / ".claude.json"),
    ("claude", "linux", {"CLAUDE_CONFIG_DIR": "/c"}, Path("/c/.claude.json")),
    ("codex", "darwin", {}, HOME / ".codex/config.toml"),
    ("codex", "linux", {"CODEX_HOME": "/c"}, Path("/c/config.toml")),
    ("opencode", "win32", {}, HOME / ".config/opencode/opencode.json"),
    ("opencode", "linux", {"XDG_CONFIG_HOME": "/x"}, Path("/x/opencode/opencode.json")),
    ("gemini", "linux", {}, HOME / ".gemini/settings.json"),
    ("gemini", "linux", {"GEMINI_CLI_HOME": "/g"}, Path("/g/.gemini/settings.json")),
    ("cursor", "win32", {}, HOME / ".cursor/mcp.json"),
    ("vscode", "linux", {}, HOME / ".config/Code/User/mcp.json"),
    ("vscode", "darwin", {}, HOME / "Library/Application Support/Code/User/mcp.json"),
    ("vscode", "win32", {}, HOME / "AppData/Roaming/Code/User/mcp.json"),
    ("vscode", "win32", {"APPDATA": "/a"}, Path("/a/Code/User/mcp.json")),
]
ENTRIES = {
    "claude": ("mcpServers", {"type", "command", "args"}, {"type", "url", "headers"}),
    "codex": ("mcp_servers", {"command", "args"}, {"url", "http_headers"}),
    "opencode": ("mcp", {"type", "command", "enabled"}, {"type", "url", "headers", "enabled"}),
    "gemini": ("mcpServers", {"command", "args"}, {"type", "url", "headers"}),
    "cursor": ("mcpServers", {"command", "args"}, {"url", "headers"}),
    "vscode": ("servers", {"type", "command", "args"}, {"type", "url", "headers"}),
}


@pytest.mark.parametrize(("name", "platform", "environ", "place"), PLACES)
def test_each_file_has_its_place(
    name: str, platform: str, environ: dict[str, str], place: Path
) -> None:
    assert CLIENTS[name].place(Machine(platform, HOME, environ)) == place


def test_opencode_with_comments_is_taken_where_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / ".config" / "opencode" / "opencode.jsonc"
    path.parent.mkdir(parents=True)
    path.touch()

    assert CLIENTS["opencode"].place(Machine("linux", tmp_path, {})) == path


@pytest.mark.parametrize("name", CLIENTS)
def test_each_client_is_spoken_to_in_its_own_words(name: str) -> None:
    client, (section, local, remote) = CLIENTS[name], ENTRIES[name]

    assert client.section == section
    assert client.local(WORDS).keys() == local
    made = client.remote("http://here/mcp", "il_secret")
    assert made.keys() == remote
    assert made["url"] == "http://here/mcp"
    assert {"Authorization": "Bearer il_secret"} in made.values()
