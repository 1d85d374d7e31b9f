"""Gemini CLI as an agent: headless, with the prompt on its input and events on its output.

Its system settings, which are above all others, are ours: no hook, no server of tools and no
extension is used. It must be told to trust the folder, or it does nothing there; and it passes over
system settings that lie below a folder which others may write to, as the one for temporary files.
So settings in the tree are not only talked down: where there are any, it is not started.
"""

import json
from typing import ClassVar, Final

from interlock.worker.agents.agent import WRITE
from interlock.worker.agents.heard import Event, Heard, count, part, word
from interlock.worker.agents.program import Dialect, Session, Start

NOBODY: Final = "nobody"
SETTINGS: Final = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "hooksConfig": {"enabled": False},
    "mcp": {"allowed": [NOBODY]},
    "admin": {"mcp": {"enabled": False}, "extensions": {"enabled": False}},
    "advanced": {"ignoreLocalEnv": True},
    "tools": {},
}
"""Above all others; what a program does not know of it, it passes over."""


class Gemini(Dialect):
    """Speaks with Gemini CLI."""

    program: ClassVar[str] = "gemini"
    believed: ClassVar[tuple[str, ...]] = (".gemini",)

    def start(self, session: Session) -> Start:
        """Write its system settings, and start it in the mode of its reach."""
        path = session.write("system.json", json.dumps(SETTINGS))
        session.write(".gemini/settings.json", json.dumps(SETTINGS))
        words = [
            "--output-format", "stream-json", "--skip-trust", "--extensions", "none",
            "--allowed-mcp-server-names", NOBODY,
            "--approval-mode", "yolo" if session.reach == WRITE else "plan",
        ]  # fmt: skip
        if session.model:
            words += ["--model", session.model]
        env = {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(path), "GEMINI_CLI_HOME": str(session.room)}
        if session.told.url:
            env["GOOGLE_GEMINI_BASE_URL"] = session.told.url
        if session.told.key:
            env["GEMINI_API_KEY"] = session.told.key
        return Start(tuple(words), env, session.prompt)

    def event(self, event: Event, heard: Heard) -> None:
        """Take an event: pieces of what it says, what it does, and what it cost."""
        kind = event.get("type")
        heard.is_known = heard.is_known or kind in {"init", "message", "result"}
        if kind == "message" and event.get("role") == "assistant":
            (heard.adds if event.get("delta") else heard.says)(word(event, "content"))
        elif kind == "tool_use":
            heard.does(word(event, "tool_name"), event.get("parameters"))
        elif kind == "error" and event.get("severity") == "error":
            heard.fails(word(event, "message"))
        elif kind == "result":
            stats = part(event, "stats")
            heard.tokens_in = count(stats, "input_tokens")
            heard.tokens_out = count(stats, "output_tokens")
            if event.get("status") == "success":
                heard.error = ""
            else:
                heard.fails(word(part(event, "error"), "message"))
