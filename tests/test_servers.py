"""MCP servers in the settings: read from a table or from JSON; mistakes have their line and key."""

from pathlib import Path

import pytest

from interlock.config import ConfigError, load
from interlock.servers import Server, read_servers, server_of, table_of
from interlock.values import Wrong

GOOD = """
port = 7500
[mcp_servers.files]
command = ["python", "-m", "files"]
env = { KEY = "s3cret" }

[mcp_servers.github]
url = "https://mcp.example.org/mcp/"
headers = { Authorization = "Bearer s3cret" }
"""
SERVERS = (
    Server("files", ("python", "-m", "files"), env={"KEY": "s3cret"}),
    Server("github", url="https://mcp.example.org/mcp", headers={"Authorization": "Bearer s3cret"}),
)


def read(folder: Path, text: str) -> tuple[Server, ...]:
    (folder / "interlock.toml").write_text(text)
    return load({"data": folder}, {}).mcp_servers


def test_tables_of_the_file_are_servers(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD) == SERVERS
    assert "s3cret" not in repr(load({"data": tmp_path}, {}))


def test_a_server_and_its_table_say_the_same() -> None:
    assert [server_of(one.name, table_of(one)) for one in SERVERS] == [*SERVERS]


def test_the_variable_says_the_same_as_json(tmp_path: Path) -> None:
    said = '{"files": {"command": ["x"]}}'

    found = load({"data": tmp_path}, {"INTERLOCK_MCP_SERVERS": said})

    assert found.mcp_servers == (Server("files", ("x",)),)


def test_all_mistakes_are_told_with_line_and_key(tmp_path: Path) -> None:
    text = """port = 7500
[mcp_servers.a]
comand = ["x"]
[mcp_servers.b]
command = "x"
[mcp_servers.c]
url = "ftp://x"
headers = 3
[mcp_servers."d d"]
command = ["x"]
url = "https://x"
"""
    path = tmp_path / "interlock.toml"
    with pytest.raises(ConfigError) as no:
        read(tmp_path, text)

    assert no.value.message.splitlines() == [
        f"mcp_servers.a.comand in {path}, line 3: there is no such key",
        f"mcp_servers.a in {path}, line 2: has not exactly one of command and url",
        f"mcp_servers.b.command in {path}, line 5: is not a command",
        f"mcp_servers.c.url in {path}, line 7: is not the address of a server",
        f"mcp_servers.c.headers in {path}, line 8: is not a table of texts",
        f"mcp_servers.d d in {path}, line 9: is not a name",
        f"mcp_servers.d d in {path}, line 9: has not exactly one of command and url",
    ]
    assert "did you mean command?" in no.value.fix


@pytest.mark.parametrize("value", ["{", "3", 3, [], "[" * 100_000])
def test_what_is_no_table_is_refused(value: object) -> None:
    with pytest.raises(Wrong, match="is not"):
        read_servers(value)


def test_a_mistake_in_the_variable_names_its_key(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as no:
        load({"data": tmp_path}, {"INTERLOCK_MCP_SERVERS": '{"a": {"command": []}, "b": 3}'})
    assert no.value.message == "INTERLOCK_MCP_SERVERS: b: is not a table"

    with pytest.raises(ConfigError) as no:
        load({"data": tmp_path}, {"INTERLOCK_MCP_SERVERS": '{"a": {"command": [""]}}'})
    assert no.value.message == "INTERLOCK_MCP_SERVERS: a.command: is not a command"


def test_what_else_tools_may_use_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "interlock.toml").write_text('tools = "one, two.three"\nfetch_hosts = "a.b, .c.d"')

    found = load({"data": tmp_path}, {})

    assert (found.tools, found.fetch_hosts) == ("one,two.three", "a.b,.c.d")
