"""Real command lines as agents: they code in a working tree, and believe nothing that lies in it.

Only the model is a stand-in. Claude Code runs wherever npm can fetch it; the others where they are
installed already (`make clients`).
"""

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from interlock.family import end_family
from interlock.worker.agents.agent import Said
from interlock.worker.agents.claude import Claude
from interlock.worker.agents.codex import Codex
from interlock.worker.agents.gemini import Gemini
from interlock.worker.agents.opencode import OpenCode
from interlock.worker.agents.opencode_server import OpenCodeServer
from interlock.worker.agents.program import Dialect, Program, Session, Start, Told
from tests.clients.coding import ANSWER, CONTENT, FILE, asked, coding
from tests.clients.model import Model, model
from tests.clients.running import had, present
from tools.clients.programs import NODE_FOLDER


@dataclass(frozen=True, slots=True)
class Desk:
    """An agent, the tree it works in, and all that was heard and seen."""

    agent: Program
    tree: Path
    home: Path
    endpoint: Model
    heard: list[str]
    offered: list[str]

    def ask(self, reach: str = "write") -> Said:
        """Ask for a file and an answer."""
        return asyncio.run(self.agent.run(asked(self.tree, self.home, self.heard, reach)))


@contextmanager
def desk(
    folder: Path, program: Path, dialect: Dialect, monkeypatch: pytest.MonkeyPatch, name: str = "m"
) -> Iterator[Desk]:
    """Set a table for an agent: a repository, a home, and a model on loopback."""
    monkeypatch.setenv("PATH", f"{NODE_FOLDER}:/usr/local/bin:/usr/bin:/bin")
    tree = folder / "tree"
    tree.mkdir()
    subprocess.run(["git", "init", "-q", str(tree)], check=True)  # noqa: S607 (it is on the path)
    offered: list[str] = []
    with model(coding(tree, offered)) as endpoint:
        path = "" if isinstance(dialect, Claude | Gemini) else "/v1"
        told = Told("a", (str(program),), model=name, url=f"{endpoint.url}{path}", key="sk-no-such")
        agent = Program(dialect, told, folder / "agents")
        yield Desk(agent, tree, folder / "home", endpoint, [], offered)


def planted(tree: Path, canary: Path) -> None:
    """Put configuration into a repository that starts a program in every way we know."""
    line = f"touch {canary}"
    hook = [{"matcher": "", "hooks": [{"type": "command", "command": line}]}]
    events = ("SessionStart", "PreToolUse", "UserPromptSubmit", "Stop")
    server = {"canary": {"command": "sh", "args": ["-c", line]}}
    files = {
        ".claude/settings.json": {
            "hooks": dict.fromkeys(events, hook), "enableAllProjectMcpServers": True,
        },
        ".mcp.json": {"mcpServers": server},
        ".gemini/settings.json": {
            "hooksConfig": {"enabled": True}, "mcpServers": server,
            "hooks": dict.fromkeys(("SessionStart", "BeforeAgent", "BeforeTool"), hook),
        },
    }  # fmt: skip
    local = {"mcp": {"canary": {"type": "local", "command": ["sh", "-c", line]}}}
    places = ("opencode.json", ".opencode/opencode.json", ".config/opencode/opencode.json")
    files |= dict.fromkeys(places, local)
    for name, content in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(json.dumps(content))
    codex = f'[mcp_servers.canary]\ncommand = "sh"\nargs = ["-c", "{line}"]\n'
    # What programs made with Bun read by themselves.
    (tree / "bunfig.toml").write_text('preload = ["./preload.js"]\n')
    (tree / "preload.js").write_text(f'require("fs").writeFileSync("{canary}", "")\n')
    (tree / ".env").write_text("OPENCODE_DISABLE_PROJECT_CONFIG=\nOPENCODE_CONFIG_CONTENT={}\n")
    (tree / ".codex").mkdir()
    (tree / ".codex" / "config.toml").write_text(codex)


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    with desk(tmp_path, had("claude"), Claude(), monkeypatch) as made:
        yield made


def coded(table: Desk, but: str = "") -> Said:
    """Let an agent code beside planted configuration, but one; return what it said."""
    canary = table.tree.parent / "canary"
    # The home, too: an earlier session in it may have left something there.
    for place in (table.tree, table.home):
        planted(place, canary)
    if but:
        shutil.rmtree(table.tree / but)

    said = table.ask()

    assert said.answer == ANSWER
    assert (table.tree / FILE).read_text() == CONTENT, table.endpoint.log
    assert not canary.exists()
    assert any(line.startswith("> ") for line in table.heard), table.heard
    assert [*(table.home / "sessions").iterdir()] == []
    return said


def test_claude_code_codes_and_believes_nothing_in_the_tree(claude: Desk) -> None:
    said = coded(claude)

    assert "Write" in claude.offered
    assert (said.tokens_in, said.tokens_out) == (20, 40)


def test_claude_code_that_may_only_read_has_nothing_to_write_with(claude: Desk) -> None:
    said = claude.ask("read")

    assert said.answer == ANSWER
    assert sorted(claude.offered) == ["Glob", "Grep", "Read"]
    assert not (claude.tree / FILE).exists()


class Believing(Claude):
    """What it would be without our words."""

    def start(self, session: Session) -> Start:
        """Take out what keeps the settings of a repository away."""
        start = super().start(session)
        words = list(start.words)
        for name in ("--setting-sources", "--settings"):
            del words[words.index(name) : words.index(name) + 2]
        return Start(tuple(words), start.env, start.stdin)


def test_without_our_words_the_hooks_of_a_repository_do_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk(tmp_path, had("claude"), Believing(), monkeypatch) as table:
        planted(table.tree, tmp_path / "canary")
        table.ask()

    assert (tmp_path / "canary").exists()


def test_codex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with desk(tmp_path, present("codex"), Codex(), monkeypatch) as table:
        assert coded(table).tokens_out > 0


def test_opencode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with desk(tmp_path, present("opencode"), OpenCode(), monkeypatch) as table:
        coded(table)


@contextmanager
def serving(table: Desk) -> Iterator[str]:
    """Run a server of OpenCode that somebody has set up; yield where it listens."""
    room = table.tree.parent / "server"
    room.mkdir()
    told = table.agent.told
    start = table.agent.dialect.start(Session(told, "", "m", "write", room, table.tree))
    env = {"PATH": os.environ["PATH"], "HOME": str(room), **start.env}
    line = [*table.agent.line, "serve", "--pure", "--port", "0"]
    with subprocess.Popen(
        line, env=env, cwd=room, text=True, stdout=subprocess.PIPE, start_new_session=True
    ) as server:
        assert server.stdout is not None
        try:
            yield next(line for line in server.stdout if "http://" in line).split()[-1]
        finally:
            end_family(server.pid)


def test_opencode_by_a_server_that_somebody_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        desk(tmp_path, present("opencode"), OpenCode(), monkeypatch) as table,
        serving(table) as url,
    ):
        agent = OpenCodeServer(url, model="told/m")
        said = asyncio.run(agent.run(asked(table.tree, table.home, table.heard)))

    assert said.answer == ANSWER
    assert (table.tree / FILE).read_text() == CONTENT


def test_gemini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = present("gemini")
    with desk(tmp_path, program, Gemini(), monkeypatch, "gemini-2.5-flash") as table:
        assert coded(table, but=".gemini").tokens_out > 0


@pytest.mark.parametrize(
    ("name", "dialect", "named"),
    [("codex", Codex(), "m"), ("opencode", OpenCode(), "m"), ("gemini", Gemini(), "gemini-2.5-flash")],
)  # fmt: skip
def test_one_that_may_only_read_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, dialect: Dialect, named: str
) -> None:
    with desk(tmp_path, present(name), dialect, monkeypatch, named) as table:
        said = table.ask("read")

    assert said.answer == ANSWER
    assert not (table.tree / FILE).exists()
