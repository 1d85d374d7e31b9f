"""Claude Code itself works a whole plan over our server; only the model is a stand-in."""

import json
from pathlib import Path

import pytest

from tests.cli.home import Home
from tests.clients.model import Model
from tests.clients.running import Client, had, units
from tests.clients.script import CALLS, DONE, STEPS, TOOLS, Document
from tests.doors.mcp.clients import Serving
from tools.plugin_pages import SKILLS

ROOT = Path(__file__).parents[2]
ALLOWED = [f"mcp__interlock__{tool}" for tool in TOOLS]


@pytest.fixture
def claude(tmp_path: Path, endpoint: Model) -> Client:
    given = {
        "CLAUDE_CONFIG_DIR": str(tmp_path / "claude" / "settings"),
        "ANTHROPIC_BASE_URL": endpoint.url,
        "ANTHROPIC_API_KEY": "sk-none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "ENABLE_TOOL_SEARCH": "false",
    }
    (tmp_path / "claude" / "settings").mkdir(parents=True)
    return Client(had("claude"), tmp_path / "claude", given)


def http_entry(server: Serving) -> Document:
    headers = {"Authorization": f"Bearer {server.token}"}
    return {"type": "http", "url": f"{server.url}/mcp", "headers": headers}


def test_claude_code_works_a_plan_of_three_steps_to_its_end(
    tmp_path: Path, claude: Client, endpoint: Model, server: Serving
) -> None:
    settings = json.dumps({"mcpServers": {"interlock": http_entry(server)}})
    path = claude.write("mcp.json", settings)

    said = claude.run(
        "-p", "Find the cheapest offer.", "--output-format", "stream-json", "--verbose",
        "--strict-mcp-config", "--mcp-config", str(path), "--allowedTools", *ALLOWED,
        "--max-turns", "20",
    )  # fmt: skip

    assert said.code == 0, said
    assert said.lines[-1]["result"].startswith(DONE), said.lines[-1]
    assert endpoint.calls == [f"mcp__interlock__{tool}" for tool in CALLS]
    asked = [one for one in endpoint.log if one.told in endpoint.calls]
    assert {one.user_agent.partition("/")[0] for one in asked} == {"claude-cli"}
    assert units(tmp_path / "data") == [("completed", {"step": {"completed": len(STEPS)}})]


@pytest.mark.parametrize("how", ["http", "stdio"])
def test_claude_mcp_list_says_connected_once_we_have_installed_ourselves(
    how: str, tmp_path: Path, claude: Client, server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", claude.given["CLAUDE_CONFIG_DIR"])
    words = ["--http", "--port", str(server.port)] if how == "http" else []
    installed = Home(tmp_path / "data").ask("mcp", "install", "claude", "--write", *words)
    assert (installed.code, "Nobody answers" in installed.err) == (0, False)

    said = claude.run("mcp", "list")

    assert said.code == 0, said
    [line] = [line for line in said.out.splitlines() if line.startswith("interlock:")]
    assert "Connected" in line, said


def test_claude_code_takes_the_plugin_and_offers_its_skills(
    claude: Client, endpoint: Model, server: Serving
) -> None:
    said = claude.run("plugin", "validate", "--strict", str(ROOT / "plugin"))
    assert said.code == 0, said
    path = claude.write("mcp.json", json.dumps({"mcpServers": {"interlock": http_entry(server)}}))

    said = claude.run(
        "-p", "/interlock:research-scan Which offer is the cheapest?", "--output-format",
        "stream-json", "--verbose", "--plugin-dir", str(ROOT / "plugin"), "--strict-mcp-config",
        "--mcp-config", str(path), "--allowedTools", *ALLOWED, "--max-turns", "20",
    )  # fmt: skip

    assert said.code == 0, said
    assert {f"interlock:{name}" for name in SKILLS} <= {*said.lines[0]["slash_commands"]}
    assert "# A quick scan: Which offer is the cheapest?" in endpoint.heard
