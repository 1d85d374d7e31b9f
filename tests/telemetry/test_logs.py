"""Logs: one line a record, in the form that fits who reads it, and never a secret."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from interlock.telemetry.logs import REQUEST, TOLD, JsonLines, TextLines, hidden, request_id, set_up

SECRET = "il_" + "0123456789abcdef" * 2 + "01234567"
CANARIES = (
    SECRET,
    f"Authorization: Bearer {SECRET}",
    "authorization: basic dXNlcjpwYXNzY2FuYXJ5",
    "postgresql://app:passcanary@db/interlock",
    "token=passcanary",
    '{"password": "passcanary"}',
    "lease: passcanary",
)


@pytest.fixture
def kept() -> Iterator[None]:
    """Leave the logging of the tests as it was."""
    root = logging.getLogger()
    ours = logging.getLogger("interlock")
    before = (root.handlers[:], root.level, ours.level)
    yield
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    ours.setLevel(before[2])


def record(message: str, *args: object, **more: object) -> logging.LogRecord:
    made = logging.LogRecord("interlock.test", logging.WARNING, "", 1, message, args, None)
    made.__dict__ |= more
    return made


def test_a_record_is_one_json_document_a_line() -> None:
    line = JsonLines().format(record("two\n%s", "lines", **{TOLD: {"ms": 1.5, "path": "/a\nb"}}))

    assert "\n" not in line
    found = json.loads(line)
    assert found.pop("at").endswith("Z")
    assert found == {
        "level": "warning", "log": "interlock.test", "message": "two\nlines", "ms": 1.5,
        "path": "/a\nb",
    }  # fmt: skip


def test_a_line_knows_its_request() -> None:
    token = REQUEST.set("req-1")
    try:
        assert json.loads(JsonLines().format(record("x")))["request"] == "req-1"
        assert TextLines().format(record("x")).endswith("interlock.test x request=req-1")
    finally:
        REQUEST.reset(token)


def test_text_that_others_have_sent_begins_no_line_and_moves_no_cursor() -> None:
    line = TextLines().format(record("a\nb\x1b[2J", **{TOLD: {"path": "/x\r\ny"}}))

    assert line.endswith("a?b?[2J path=/x??y")


@pytest.mark.parametrize("form", [JsonLines(), TextLines()])
@pytest.mark.parametrize("canary", CANARIES)
def test_no_secret_is_in_any_line(form: logging.Formatter, canary: str) -> None:
    def failing() -> None:
        raise ValueError(canary)

    made = record("said %s", canary, **{TOLD: {"path": f"/{canary}"}})
    try:
        failing()
    except ValueError as bug:
        made.exc_info = (ValueError, bug, bug.__traceback__)
    line = form.format(made)

    assert "ValueError" in line
    for word in ("passcanary", SECRET, SECRET[3:], "dXNlcjpwYXNzY2FuYXJ5"):
        assert word not in line


def test_a_link_to_a_decision_is_one() -> None:
    assert hidden("GET /decide/abc.DEF-_0 200") == "GET /decide/(hidden) 200"


def test_what_is_no_secret_stays() -> None:
    for plain in ("GET /v1/plans/plan-0123456789ab 200", "http://127.0.0.1:7400/mcp", "bearer"):
        assert hidden(plain) == plain


@pytest.mark.parametrize(
    ("given", "is_taken"),
    [("req-1", True), ("A.b_c-9", True), ("x" * 64, True), ("x" * 65, False), ("", False),
     ("a b", False), ("a\nb", False), (SECRET, False), ("-a", False), ("ä", False)],
)  # fmt: skip
def test_an_id_of_a_caller_is_taken_if_it_is_plain_and_short(given: str, *, is_taken: bool) -> None:
    assert request_id(given, "made") == (given if is_taken else "made")


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(("kind", "is_json"), [("json", True), ("text", False), ("", True)])
def test_lines_are_json_unless_people_read_them(kind: str, *, is_json: bool) -> None:
    stream = io.StringIO()
    set_up(kind, "info", stream)
    logging.getLogger("interlock.x").info("hello")
    logging.getLogger("interlock.x").debug("not this")
    logging.getLogger("library").info("nor this")
    logging.getLogger("library").warning("but this")

    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("{") is is_json


@pytest.mark.usefixtures("kept")
def test_a_terminal_gets_text() -> None:
    class Terminal(io.StringIO):
        """A stream that people look at."""

        def isatty(self) -> bool:
            return True

    stream = Terminal()
    set_up("", "error", stream)
    logging.getLogger("interlock.x").warning("not this")
    logging.getLogger("interlock.x").error("hello")

    assert stream.getvalue().rstrip().endswith("ERROR interlock.x hello")
