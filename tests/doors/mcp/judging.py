"""What an answer of the MCP door must be like, whatever was sent: told as a sentence if it is not."""

import json
from typing import Final

from tests.doors.mcp.clients import Document

INTERNAL: Final = -32603


def strict(text: bytes) -> Document:
    """Read JSON as strictly as it is meant: UTF-8, no NaN, no lone surrogate."""

    def no(word: str) -> None:
        raise ValueError(word)

    found: Document = json.loads(text.decode(), parse_constant=no)
    # The id is the caller's own, and comes back as it was sent, whatever it is made of.
    ours = {name: value for name, value in found.items() if name != "id"}
    json.dumps(ours, ensure_ascii=False).encode()
    return found


def wrong_with(answer: Document) -> str:
    """Say what is wrong with one message of the door; nothing, if all is well."""
    if answer.get("jsonrpc") != "2.0" or ("result" in answer) == ("error" in answer):
        return "no answer of JSON-RPC"
    if "Traceback" in json.dumps(answer):
        return "a stack trace is told"
    if "error" in answer:
        return "an internal error is told" if answer["error"]["code"] == INTERNAL else ""
    is_ours = is_refused(answer) and answer["result"]["structuredContent"]["code"] == "INTERNAL"
    return "something went wrong in the server" if is_ours else ""


def wrong_over_http(status: int, kind: str, text: bytes, body: bytes) -> str:
    """Say what is wrong with an answer over HTTP."""
    if status >= 500:
        return f"it answers {status}"
    try:
        if kind == "application/json" and text:
            told = strict(text)
            is_other = status == 200 and told.get("id") != json.loads(body)["id"]
            return "it answers under another id" if is_other else wrong_with(told)
        if kind == "application/problem+json":
            return "" if strict(text)["code"] else "a problem without a code"
    except ValueError as exc:
        return f"what it answers cannot be read: {exc}"
    return "no answer at all" if status == 200 else ""


def is_refused(answer: Document) -> bool:
    """Say whether an answer refuses what was asked."""
    return "error" in answer or bool(answer["result"].get("isError"))
