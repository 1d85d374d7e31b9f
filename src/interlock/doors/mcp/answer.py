"""Answers and errors as results of a tool: the same document as structure and as text."""

import json
from collections.abc import Mapping
from typing import Final

import orjson
from mcp_types import CallToolResult, TextContent

from interlock.outside.marks import Marks
from interlock.wire.envelope import Envelope, Problem
from interlock.wire.trust import mark

ERROR: Final = "error"

Document = dict[str, object]


def document(envelope: Envelope, marks: Marks) -> Document:
    """Return an envelope as it is told to a model: what was stored stands between marks."""
    told = envelope.model_dump(mode="json", exclude_none=True)
    told["data"] = mark(told["data"], marks)
    # A warning may repeat what was stored, such as an expression.
    told["warnings"] = [marks.put(warning) for warning in told["warnings"]]
    # It comes first: whoever reads the marks has read what they mean.
    return {"untrusted": marks.meaning, **told} if marks.is_used else told


def answered(told: Document) -> CallToolResult:
    """Return a document as the result of a tool."""
    return CallToolResult(content=[as_text(told)], structured_content=told)


def refused(problem: Problem, details: Mapping[str, object] | None = None) -> CallToolResult:
    """Return an error as the result of a tool, which its caller can read and act on."""
    told: Document = {"status": ERROR, **problem.model_dump(mode="json"), **(details or {})}
    return CallToolResult(content=[as_text(told)], structured_content=told, is_error=True)


def as_text(told: Document) -> TextContent:
    """Return a document as text."""
    try:
        text = orjson.dumps(told).decode()
    except TypeError:
        # An error may repeat what the caller sent, and that need not be valid text.
        plain = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
        text = plain.encode(errors="backslashreplace").decode()
    return TextContent(type="text", text=text)
