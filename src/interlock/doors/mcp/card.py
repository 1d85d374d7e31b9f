"""The card of a gate: a page that a client shows beside the answer of a tool (MCP Apps).

The page is one for all gates, and holds no data: the client hands it the tool's answer, and calls
tools for it with the client's own credential. So it can do nothing that the agent cannot do, and
where a person must decide it only shows the way to the gate's page. Which tools it calls depends
on what the connection is offered. Who has not said that they show cards sees nothing of this.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID, client_supports_apps
from mcp_types import ReadResourceResult, TextResourceContents, Tool

from interlock.doors.mcp.call import Context
from interlock.doors.mcp.tools import toolset

URI: Final = "ui://interlock/gate"
EXTENSION: Final = EXTENSION_ID
SHOWN_BY: Final = ("request_user_review", "get_gate")
"""The tools whose answer is about one gate; a card beside every status would only be in the way."""

PAGES: Final = Path(__file__).parent / "pages"
HOLE: Final = re.compile("%([a-z-]+)%")

OWN: Final = {"read": "get_gate", "by": "gate_id", "decide": "decide_gate", "decisions": ""}
"""How the card works where the verbs of gates are offered: a gate says what can be decided."""

REVIEW: Final = {
    "read": "get_plan_status", "by": "plan_id", "decide": "submit_user_decision",
    "decisions": "approve modify reject skip",
}  # fmt: skip
"""How it works where only plans are."""


def shows_cards(context: Context) -> bool:
    """Say whether a client shows cards, as far as we can know.

    Over HTTP an older client says so once, in a request of its own, and nothing is kept between
    requests. It is told of the card whether it shows one or not: who does not ignores it.
    """
    return context.session.client_capabilities is None or client_supports_apps(context)


def with_cards(tools: Iterable[Tool]) -> list[Tool]:
    """Return the same tools, those about a gate with their card."""
    card = {"ui": {"resourceUri": URI}}
    return [
        tool.model_copy(update={"meta": card}) if tool.name in SHOWN_BY else tool for tool in tools
    ]


def read_card(name: str) -> ReadResourceResult:
    """Return the card as a resource, for the connection of a toolset."""
    content = TextResourceContents(
        uri=URI, mime_type=APP_MIME_TYPE, text=card(name), _meta={"ui": {"prefersBorder": True}}
    )
    return ReadResourceResult(contents=[content])


@cache
def card(name: str) -> str:
    """Return the page, for the connection of a toolset; nothing but its own script runs in it."""
    style, script = _asset("gate.css"), _asset("gate.js")
    tools = OWN if OWN["read"] in toolset(name).takes else REVIEW
    values: Mapping[str, str] = {
        **{key: escape(value) for key, value in tools.items()},
        "style": style, "style-hash": _hash(style), "script": script, "script-hash": _hash(script),
    }  # fmt: skip
    return HOLE.sub(lambda hole: values[hole[1]], _asset("gate.html"))


def _asset(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return how a policy names what may run."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
