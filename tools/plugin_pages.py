"""The plugin for Claude Code, made from the same files as the MCP prompts.

A skill is a prompt with the words of a skill around it: what a person types takes the place of
the argument, and it sends the reader on to skills where the prompt names prompts.
"""

import json
import re
from pathlib import Path
from typing import Final

from interlock import __version__
from interlock.doors.mcp.prompt import ARGUMENTS, text

PLUGIN: Final = Path("plugin")
MARKET: Final = Path(".claude-plugin") / "marketplace.json"
NAME: Final = "interlock"
SKILLS: Final = ("research", "research-scan", "research-deep", "research-output")
"""The prompts of research: the others need toolsets that the plugin does not offer."""

AUTHOR: Final = {"name": "The Interlock authors"}
ABOUT: Final = "Research plans that keep their place, worked step by step on an Interlock server."
NOTICE: Final = "<!-- Made by `make docs` from src/interlock/doors/mcp/prompts. Do not edit. -->"


def plugin_pages() -> dict[Path, str]:
    """Return the text of every file of the plugin by its place under the root."""
    skills = {PLUGIN / "skills" / name / "SKILL.md": skill(name) for name in SKILLS}
    return {
        **skills,
        MARKET: _json(_market()),
        PLUGIN / ".claude-plugin" / "plugin.json": _json(_manifest()),
        PLUGIN / ".mcp.json": _json({"mcpServers": {NAME: {"command": NAME, "args": ["mcp"]}}}),
        PLUGIN / "README.md": _readme(),
    }


def skill(name: str) -> str:
    """Return a prompt as a skill."""
    found = text(name)
    body = re.sub(r"prompt `([a-z-]+)`", rf"skill `{NAME}:\1`", found.body)
    for argument, _, _ in ARGUMENTS[name]:
        body = body.replace(f"{{{{{argument}}}}}", "$ARGUMENTS")
    hints = " ".join(f"<{argument}>" for argument, _, _ in ARGUMENTS[name])
    head = {"name": name, "description": found.description, "argument-hint": hints}
    # JSON strings are YAML strings, whatever stands in them.
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    return "\n".join(["---", *lines, "---", "", NOTICE, "", body.strip()]) + "\n"


def _manifest() -> dict[str, object]:
    return {"name": NAME, "version": __version__, "description": ABOUT, "author": AUTHOR}


def _market() -> dict[str, object]:
    offered = {"name": NAME, "source": f"./{PLUGIN.as_posix()}", "description": ABOUT}
    return {"name": NAME, "owner": AUTHOR, "description": ABOUT, "plugins": [offered]}


def _readme() -> str:
    rows = [f"| `/{NAME}:{name}` | {text(name).description} |" for name in SKILLS]
    return "\n".join([
        NOTICE, "", "# Interlock for Claude Code", "", ABOUT, "",
        "| skill | |", "|---|---|", *rows, "",
        "The plugin starts `interlock mcp`, so `interlock` must be on the path. In a clone:",
        "", "```", "claude plugin marketplace add .", f"claude plugin install {NAME}@{NAME}", "```",
    ]) + "\n"  # fmt: skip


def _json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
