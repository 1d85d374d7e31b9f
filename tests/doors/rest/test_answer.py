"""Answers over HTTP: status, bytes and tags."""

from starlette.datastructures import Headers

from interlock.commands.all import COMMANDS
from interlock.doors.rest.answer import answered, document, is_seen
from interlock.wire.envelope import Envelope

NONE = Headers({})
RECEIPT = {"unit": "plan-0", "sequence": 7, "hash": "ab" * 32}


def told(**more: object) -> dict[str, object]:
    return document(Envelope.model_validate({"status": "ok", **more}))


def test_what_is_absent_is_left_out_and_text_stays_text() -> None:
    answer = answered(COMMANDS["ping"], told(data={"a": "é", "b": None}), NONE)

    assert answer.body == (
        b'{"status":"ok","next_action":"","legal_moves":[],'
        b'"data":{"a":"\xc3\xa9","b":null},"warnings":[]}'
    )


def test_what_makes_a_unit_says_where_it_is() -> None:
    answer = answered(COMMANDS["create_research_plan"], told(receipt=RECEIPT), NONE)

    assert (answer.status_code, answer.headers["location"]) == (201, "/v1/units/plan-0")
    assert answer.headers["etag"] == '"7.abababababababab"'


def test_the_tag_of_a_unit_begins_with_its_version_that_of_a_list_has_none() -> None:
    unit = answered(COMMANDS["get_unit"], told(data={"version": 7}), NONE).headers["etag"]
    other = answered(COMMANDS["get_unit"], told(data={"version": 7, "x": 1}), NONE).headers["etag"]
    artifact = answered(COMMANDS["get_artifact"], told(data={"version": 7}), NONE).headers["etag"]

    assert unit.startswith('"7.')
    assert other.startswith('"7.')
    assert unit != other
    assert artifact.startswith('"-')
    assert "etag" not in answered(COMMANDS["submit_feedback"], told(), NONE).headers


def test_what_was_seen_is_not_said_again() -> None:
    row = COMMANDS["get_unit"]
    tag = answered(row, told(), NONE).headers["etag"]

    for given in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = answered(row, told(), Headers({"if-none-match": given}))
        assert (again.status_code, again.body, again.headers["etag"]) == (304, b"", tag)
    assert not is_seen(tag, Headers({"if-none-match": '"x"'}))
    command = answered(
        COMMANDS["fail_plan"], told(receipt=RECEIPT), Headers({"if-none-match": "*"})
    )
    assert command.status_code == 200
