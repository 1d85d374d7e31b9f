"""Codex as an agent: ``codex exec --json`` with the prompt on its input.

Its own sandbox says what it may do. The repository is not trusted, so the settings that lie in it
are not loaded; ours are a file in a home that is made anew for each session.
"""

import json
from typing import ClassVar, Final

from interlock.worker.agents.agent import WRITE
from interlock.worker.agents.heard import Event, Heard, count, part, word
from interlock.worker.agents.program import Dialect, Session, Start

KEY: Final = "CODEX_API_KEY"
PROVIDER: Final = "told"


class Codex(Dialect):
    """Speaks with Codex."""

    program: ClassVar[str] = "codex"

    def start(self, session: Session) -> Start:
        """Write its settings, and start it in the sandbox of its reach."""
        session.write("config.toml", settings(session))
        sandbox = "workspace-write" if session.reach == WRITE else "read-only"
        words = [
            "exec", "--json", "--skip-git-repo-check", "--ephemeral", "--ignore-rules",
            "--color", "never", "--sandbox", sandbox,
        ]  # fmt: skip
        if session.model:
            words += ["--model", session.model]
        env = {"CODEX_HOME": str(session.room)}
        if session.told.key:
            env[KEY] = session.told.key
        # Without a prompt among its words it reads one from its input.
        return Start(tuple(words), env, session.prompt)

    def event(self, event: Event, heard: Heard) -> None:
        """Take an event: items as they are done, and what a turn has cost."""
        kind = word(event, "type")
        heard.is_known = heard.is_known or kind.startswith(("thread.", "turn.", "item."))
        if kind in {"item.started", "item.completed"}:
            self._item(part(event, "item"), heard, is_done=kind == "item.completed")
        elif kind == "turn.completed":
            usage = part(event, "usage")
            heard.tokens_in += count(usage, "input_tokens")
            heard.tokens_out += count(usage, "output_tokens")
            # What it complained of on the way was no failure.
            heard.error = ""
        elif kind == "turn.failed":
            heard.fails(word(part(event, "error"), "message"))
        elif kind == "error":
            heard.fails(word(event, "message"))

    def _item(self, item: Event, heard: Heard, *, is_done: bool) -> None:
        kind = item.get("type")
        if kind == "agent_message" and is_done:
            heard.says(word(item, "text"))
        elif kind == "command_execution" and not is_done:
            heard.does("shell", word(item, "command"))
        elif kind in {"file_change", "mcp_tool_call", "web_search"} and is_done:
            heard.does(str(kind), item.get("changes"))


def settings(session: Session) -> str:
    """Return its settings: nobody is asked, nothing is told, and the repository is not trusted."""
    quoted = json.dumps  # a text of TOML is written as one of JSON
    lines = [
        'approval_policy = "never"',
        "check_for_update_on_startup = false",
        "[analytics]", "enabled = false",
        "[history]", 'persistence = "none"',
        "[sandbox_workspace_write]", "network_access = true",
        "[shell_environment_policy]", f"exclude = [{quoted(KEY)}]",
        f"[projects.{quoted(str(session.folder))}]", 'trust_level = "untrusted"',
    ]  # fmt: skip
    if session.told.url:
        lines = [
            f"model_provider = {quoted(PROVIDER)}", *lines,
            f"[model_providers.{PROVIDER}]", f"name = {quoted(PROVIDER)}",
            f"base_url = {quoted(session.told.url)}", 'wire_api = "responses"',
            *([f"env_key = {quoted(KEY)}"] if session.told.key else []),
        ]  # fmt: skip
    return "\n".join(lines) + "\n"
