"""Claude Code as an agent: ``claude -p`` with the prompt on its input, events on its output.

No source of settings is loaded but what stands on the command line: neither those of the
repository nor those of a person, so no hook and no server of tools of theirs is started. What it
may do is said by which tools it has. Bypassing permissions is not used: it refuses that to root.
"""

import json
from typing import ClassVar, Final

from interlock.worker.agents.agent import NONE, READ
from interlock.worker.agents.heard import Event, Heard, count, micros, part, word
from interlock.worker.agents.program import Dialect, Session, Start

LOOKING: Final = "Read,Glob,Grep"
WORKING: Final = f"{LOOKING},Edit,Write,NotebookEdit,Bash,BashOutput,KillShell,TodoWrite"
SETTINGS: Final = {"disableAllHooks": True, "includeCoAuthoredBy": False}
QUIET: Final = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "ENABLE_TOOL_SEARCH": "false",
}
SPENT: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Claude(Dialect):
    """Speaks with Claude Code."""

    program: ClassVar[str] = "claude"

    def start(self, session: Session) -> Start:
        """Give it the tools of its reach, and no settings but ours."""
        tools = "" if session.reach == NONE else LOOKING if session.reach == READ else WORKING
        words = [
            "-p", "--output-format", "stream-json", "--verbose", "--no-session-persistence",
            "--setting-sources", "", "--settings", json.dumps(SETTINGS), "--strict-mcp-config",
            "--disable-slash-commands", "--permission-mode", "dontAsk", "--tools", tools,
        ]  # fmt: skip
        if tools:
            words += ["--allowedTools", tools]
        if session.model:
            words += ["--model", session.model]
        env = {**QUIET, "CLAUDE_CONFIG_DIR": str(session.room)}
        if session.told.url:
            env["ANTHROPIC_BASE_URL"] = session.told.url
        if session.told.key:
            env["ANTHROPIC_API_KEY"] = session.told.key
        return Start(tuple(words), env, session.prompt)

    def event(self, event: Event, heard: Heard) -> None:
        """Take an event: what it says, what it does, and its last word with what it cost."""
        kind = event.get("type")
        heard.is_known = heard.is_known or kind in {"system", "assistant", "result"}
        if kind == "assistant":
            content = part(event, "message").get("content")
            for block in content if isinstance(content, list) else ():
                self._block(block, heard)
        elif kind == "result":
            self._result(event, heard)

    def _block(self, block: object, heard: Heard) -> None:
        if not isinstance(block, dict):
            return
        if block.get("type") == "text":
            heard.says(word(block, "text"))
        elif block.get("type") == "tool_use":
            heard.does(word(block, "name"), block.get("input"))

    def _result(self, event: Event, heard: Heard) -> None:
        usage = part(event, "usage")
        heard.tokens_in = count(usage, *SPENT)
        heard.tokens_out = count(usage, "output_tokens")
        heard.cost_micros = micros(event.get("total_cost_usd"))
        result = word(event, "result")
        if event.get("is_error") or event.get("subtype") != "success":
            status = event.get("api_error_status") or ""
            heard.fails(f"{event.get('subtype')} {status} {result}")
        elif result and result != heard.text:
            heard.says(result)
