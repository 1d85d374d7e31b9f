"""OpenCode as an agent: ``opencode run`` with the prompt on its input, events on its output.

Settings of the repository are switched off, ours are above all others, and what it may do is said
by its permissions. We start no server of it for several tasks: it would outlive them and be shared
by tickets, with one home and one set of rights. One that you run is asked by ``opencode_server``.
"""

import json
from typing import ClassVar, Final

from interlock.worker.agents.agent import NONE, READ
from interlock.worker.agents.heard import Event, Heard, count, micros, part, word
from interlock.worker.agents.program import Dialect, Session, Start

PROVIDER: Final = "told"
OFF: Final = (
    "AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD", "PROJECT_CONFIG", "SHARE", "CLAUDE_CODE",
    "EXTERNAL_SKILLS",
)  # fmt: skip
LOOKING: Final = ("read", "glob", "grep", "list")


class OpenCode(Dialect):
    """Speaks with OpenCode."""

    program: ClassVar[str] = "opencode"
    left: ClassVar[tuple[str, ...]] = (".opencode",)

    def start(self, session: Session) -> Start:
        """Tell it everything in its environment; its folders are in the room of the session."""
        words = ["run", "--pure", "--format", "json", "--dir", str(session.folder)]
        model, env = session.model, {f"OPENCODE_DISABLE_{name}": "1" for name in OFF}
        if session.told.url:
            # Which models there are is said by us: nobody else need be asked.
            env["OPENCODE_DISABLE_MODELS_FETCH"] = "1"
            model = f"{PROVIDER}/{model}"
        if model:
            words += ["--model", model]
        # It looks into the home of its user as well, where an earlier session may have left things.
        env["OPENCODE_TEST_HOME"] = str(session.room)
        for name in ("CONFIG", "DATA", "STATE", "CACHE"):
            env[f"XDG_{name}_HOME"] = str(session.room / name.lower())
        env["OPENCODE_CONFIG_CONTENT"] = json.dumps(settings(session))
        return Start(tuple(words), env, session.prompt)

    def event(self, event: Event, heard: Heard) -> None:
        """Take an event: what it says, what it does, and what each turn has cost."""
        kind, said = word(event, "type"), part(event, "part")
        heard.is_known = heard.is_known or kind in {"text", "tool_use", "step_start"}
        if kind == "text":
            heard.says(word(said, "text"))
        elif kind == "tool_use":
            heard.does(word(said, "tool"), part(said, "state").get("input"))
        elif kind == "step_finish":
            tokens = part(said, "tokens")
            heard.tokens_in += count(tokens, "input") + count(
                part(tokens, "cache"), "read", "write"
            )
            heard.tokens_out += count(tokens, "output", "reasoning")
            heard.cost_micros += micros(said.get("cost"))
        elif kind == "error":
            error = part(event, "error")
            message = word(part(error, "data"), "message") or word(error, "message")
            heard.fails(f"{word(error, 'name')} {message}")


def settings(session: Session) -> dict[str, object]:
    """Return its settings: permissions, nothing shared, and the endpoint, if one is told."""
    permission: dict[str, str] = {"*": "allow", "external_directory": "allow", "question": "deny"}
    if session.reach in {NONE, READ}:
        allowed = LOOKING if session.reach == READ else ()
        permission = {"*": "deny", **dict.fromkeys(allowed, "allow")}
    found: dict[str, object] = {
        "autoupdate": False, "share": "disabled", "snapshot": False, "permission": permission,
    }  # fmt: skip
    if session.told.url:
        options = {"baseURL": session.told.url, "apiKey": session.told.key or "none"}
        found["provider"] = {
            PROVIDER: {
                "npm": "@ai-sdk/openai-compatible",
                "name": PROVIDER,
                "options": options,
                "models": {session.model: {"name": session.model, "tool_call": True}},
            }
        }
    return found
