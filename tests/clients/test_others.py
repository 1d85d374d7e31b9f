"""Codex, OpenCode, Gemini and the inspector on our server; they run where they are installed."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.home import Home
from tests.clients.model import Model
from tests.clients.running import Client, Said, present, units
from tests.clients.script import CALLS, DONE, STEPS, own_name
from tests.doors.mcp.clients import Serving

PROMPT = "Find the cheapest offer."
LIMIT_S = 120
Told = Callable[..., None]


@pytest.fixture
def told(tmp_path: Path, server: Serving, monkeypatch: pytest.MonkeyPatch) -> Told:
    """`interlock mcp install` for a client whose home this is, over HTTP."""

    def install(client: Client, name: str, **environment: str) -> None:
        monkeypatch.setenv("HOME", str(client.folder))
        for key, value in environment.items():
            monkeypatch.setenv(key, value)
        words = ("mcp", "install", name, "--http", "--port", str(server.port), "--write")
        said = Home(tmp_path / "data").ask(*words)
        assert said.code == 0, said

    return install


def made(name: str, folder: Path, given: dict[str, str]) -> Client:
    """Give a program that is there a home of its own."""
    program = present(name)
    (folder / name).mkdir()
    return Client(program, folder / name, given)


def finished(said: Said, endpoint: Model, data: Path, agent: str) -> None:
    """The plan was worked to its end by calls that this client made."""
    assert said.code == 0, (said, endpoint.log)
    assert DONE in said.out, (said, endpoint.log)
    assert tuple(own_name(one) for one in endpoint.calls) == CALLS
    asked = [one for one in endpoint.log if one.told in endpoint.calls]
    assert all(agent in one.user_agent.lower() for one in asked), asked
    assert units(data) == [("completed", {"step": {"completed": len(STEPS)}})]


def test_codex(tmp_path: Path, endpoint: Model, told: Told) -> None:
    codex = made("codex", tmp_path, {"CODEX_HOME": str(tmp_path / "codex"), "KEY": "none"})
    settings = f"""\
model = "stand-in"
model_provider = "loopback"
approval_policy = "never"

[model_providers.loopback]
name = "loopback"
base_url = "{endpoint.url}/v1"
env_key = "KEY"
wire_api = "responses"
"""
    codex.write("config.toml", settings)
    told(codex, "codex", CODEX_HOME=str(codex.folder))

    words = (
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
    )
    said = codex.run(*words, PROMPT, limit_s=LIMIT_S)

    finished(said, endpoint, tmp_path / "data", "codex")


def test_opencode(tmp_path: Path, endpoint: Model, told: Told) -> None:
    flags = ("MODELS_FETCH", "AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD")
    opencode = made("opencode", tmp_path, {f"OPENCODE_DISABLE_{flag}": "1" for flag in flags})
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "loopback",
        "options": {"baseURL": f"{endpoint.url}/v1", "apiKey": "none"},
        "models": {"stand-in": {"name": "stand-in", "tool_call": True}},
    }
    settings = {"model": "loopback/stand-in", "provider": {"loopback": provider}}
    opencode.write(".config/opencode/opencode.json", json.dumps(settings))
    told(opencode, "opencode", XDG_CONFIG_HOME=str(opencode.folder / ".config"))

    said = opencode.run("run", "--format", "json", PROMPT, limit_s=LIMIT_S)

    finished(said, endpoint, tmp_path / "data", "opencode")


def test_gemini(tmp_path: Path, endpoint: Model, told: Told) -> None:
    given = {"GOOGLE_GEMINI_BASE_URL": endpoint.url, "GEMINI_API_KEY": "none"}
    gemini = made("gemini", tmp_path, given)
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
    }
    gemini.write(".gemini/settings.json", json.dumps(settings))
    told(gemini, "gemini", GEMINI_CLI_HOME="")

    # A model that is named is not chosen by asking another one first.
    words = (
        "--model",
        "gemini-2.5-flash",
        "--yolo",
        "--skip-trust",
        "--output-format",
        "stream-json",
    )
    said = gemini.run("-p", PROMPT, *words, limit_s=LIMIT_S)

    finished(said, endpoint, tmp_path / "data", "gemini")


def test_the_inspector_calls_a_tool(tmp_path: Path, server: Serving) -> None:
    inspector = made("inspector", tmp_path, {})
    header = f"Authorization: Bearer {server.token}"

    said = inspector.run(
        "--cli", f"{server.url}/mcp", "--transport", "http", "--header", header,
        "--method", "tools/call", "--tool-name", "ping", "--format", "json",
    )  # fmt: skip

    assert said.code == 0, said
    assert said.lines[0]["result"]["structuredContent"]["data"]["scopes"] == ["read", "work"]
