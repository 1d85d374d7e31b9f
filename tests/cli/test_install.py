"""``interlock mcp install``: printed, or written into a real file, which is never clobbered."""

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interlock.cli.clients import CLIENTS, Machine
from interlock.cli.install import address, command
from interlock.config import Settings
from tests.cli.home import Home
from tests.cli.terminal import Said

TOKEN = "il_" + "1" * 40
Install = Callable[..., Said]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, where nothing is yet."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def install(home: Path, tmp_path: Path) -> Install:
    """The command, on a data folder with a token for agents; port 9 has nobody."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "agent.token").write_text(TOKEN + "\n")
    return lambda *words: Home(data).ask("mcp", "install", *words)


def place(client: str, home: Path) -> Path:
    return CLIENTS[client].place(Machine("linux", home, {}))


def read(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    document: dict[str, Any]
    document = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    return document


@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_printed_is_what_is_written(client: str, home: Path, install: Install) -> None:
    printed = install(client)
    path = place(client, home)
    assert (printed.code, path.exists()) == (0, False)
    assert str(path) in printed.err

    assert install(client, "--write").code == 0

    assert path.read_text(encoding="utf-8") == printed.out
    assert read(path)[CLIENTS[client].section].keys() == {"interlock"}
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("client", CLIENTS)
def test_over_http_the_token_is_written_but_never_printed(
    client: str, home: Path, install: Install
) -> None:
    printed = install(client, "--http", "--port", "9")
    written = install(client, "--http", "--port", "9", "--write")
    text = place(client, home).read_text(encoding="utf-8")

    assert (printed.code, written.code) == (0, 0)
    assert TOKEN not in printed.out + printed.err + written.out + written.err
    assert "agent.token" in printed.out
    assert "Nobody answers at http://127.0.0.1:9 yet" in printed.err
    assert f"Bearer {TOKEN}" in text
    assert "http://127.0.0.1:9/mcp" in text


def test_a_token_closes_a_file_that_others_could_read(home: Path, install: Install) -> None:
    path = place("cursor", home)
    path.parent.mkdir()
    path.write_text("{}")
    path.chmod(0o644)

    install("cursor", "--write")
    assert path.stat().st_mode & 0o777 == 0o644
    install("cursor", "--write", "--http", "--port", "9", "--force")
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_rest_stays_the_old_file_is_kept_and_nothing_is_done_twice(
    home: Path, install: Install
) -> None:
    path = place("gemini", home)
    path.parent.mkdir()
    path.write_text('{"theme": "dark", "mcpServers": {"other": {"command": "x"}}}')
    before = path.read_text()

    first, again = install("gemini", "--write"), install("gemini", "--write")

    found = read(path)
    assert found["theme"] == "dark"
    assert found["mcpServers"].keys() == {"other", "interlock"}
    assert [one.name for one in sorted(path.parent.iterdir())] == [
        "settings.json", "settings.json.backup-1",
    ]  # fmt: skip
    assert (path.parent / "settings.json.backup-1").read_text() == before
    assert "backup-1" in first.err
    assert "has it already" in again.err


def test_an_entry_that_differs_is_refused_unless_forced_and_each_backup_is_kept(
    home: Path, install: Install
) -> None:
    path = place("codex", home)
    path.parent.mkdir()
    path.write_text('[mcp_servers.interlock]\ncommand = "mine"\n')

    refused = install("codex", "--write")
    assert (refused.code, path.read_text()) == (2, '[mcp_servers.interlock]\ncommand = "mine"\n')
    assert refused.err.startswith(f"ALREADY_CONFIGURED {path}: ")
    assert install("codex", "--write", "--force").code == 0
    assert install("codex", "--write", "--force", "--http", "--port", "9").code == 0

    assert sorted(one.suffix for one in path.parent.iterdir()) == [
        ".backup-1",
        ".backup-2",
        ".toml",
    ]


def test_what_cannot_be_read_is_refused_and_stays(home: Path, install: Install) -> None:
    path = place("vscode", home)
    path.parent.mkdir(parents=True)
    for text in (b'{"servers": {} // mine\n}', b"\xff{}"):
        path.write_bytes(text)
        said = install("vscode", "--write", "--force")
        assert (said.code, path.read_bytes()) == (2, text)
        assert said.err.startswith(("CLIENT_CONFIG_UNREADABLE ", "NOT_READABLE "))
    assert list(path.parent.iterdir()) == [path]


def test_a_link_stays_a_link(home: Path, install: Install) -> None:
    real = home / "dotfiles.json"
    real.write_text("{}")
    (home / ".claude.json").symlink_to(real)

    install("claude", "--write")

    assert (home / ".claude.json").is_symlink()
    assert "interlock" in read(real)["mcpServers"]


def test_a_folder_that_cannot_be_made_is_told(home: Path, install: Install) -> None:
    (home / ".cursor").write_text("a file")

    said = install("cursor", "--write")

    assert (said.code, said.err[:13]) == (2, "NOT_WRITABLE ")


def test_without_a_token_it_says_how_to_get_one(home: Path, tmp_path: Path) -> None:
    said = Home(tmp_path / "empty").ask("mcp", "install", "claude", "--http", "--port", "9")

    assert said.code == 2
    assert "interlock serve" in said.err


def test_a_client_that_is_not_known_is_told_with_those_that_are(install: Install) -> None:
    said = install("emacs")

    assert (said.code, said.out) == (2, "")
    assert ", ".join(CLIENTS) in said.err


def test_secrets_of_ours_are_not_copied_but_said_to_be_missing(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLOCK_TOKEN", TOKEN)

    said = install("claude")

    assert TOKEN not in said.out
    assert "INTERLOCK_TOKEN is not written" in said.err


def test_the_command_names_the_data_folder_only_where_it_is_not_the_usual_one(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    usual = command(Settings(home / ".local" / "share" / "interlock"))
    other = command(Settings(tmp_path / "other"))

    assert "--data" not in usual
    assert Path(usual[0]).is_absolute()
    assert os.access(usual[0], os.X_OK)
    assert other[-3:] == ["--data", str(tmp_path / "other"), "mcp"]


def test_the_address_is_one_that_somebody_on_this_machine_can_use() -> None:
    data = Path()

    assert address(Settings(data, host="0.0.0.0", port=1)) == "http://127.0.0.1:1"  # noqa: S104
    assert address(Settings(data, host="::1", port=1)) == "http://[::1]:1"
    assert address(Settings(data, server="https://far/")) == "https://far"
