"""What a request says becomes arguments; what cannot be read is refused."""

import pytest
from starlette.datastructures import Headers
from starlette.requests import Request

from interlock.doors.rest.asked import query_of, read_json, version_of
from interlock.doors.rest.refusals import BadRequest, TokenInQuery, WrongMediaType
from interlock.errors import InterlockError
from interlock.service.errors import InvalidInput, StaleVersion

JSON = Headers({"content-type": "application/json"})


def asking(query: bytes) -> Request:
    return Request({"type": "http", "headers": [], "query_string": query})


def test_a_query_is_read_in_order_and_blanks_are_kept() -> None:
    assert query_of(asking(b"a=1&b=%C3%A9&a=&c")) == [("a", "1"), ("b", "é"), ("a", ""), ("c", "")]


@pytest.mark.parametrize("query", [b"a=%ff", b"a=\xff", b"&".join([b"a=1"] * 201)])
def test_a_query_that_is_no_text_is_refused(query: bytes) -> None:
    with pytest.raises(BadRequest):
        query_of(asking(query))


@pytest.mark.parametrize("query", ["token=x", "Access_Token=x", "api_key=", f"q=il_{'0a' * 20}"])
def test_a_token_in_a_query_is_refused_and_never_said_again(query: str) -> None:
    with pytest.raises(TokenInQuery) as no:
        query_of(asking(query.encode()))

    assert query.partition("=")[2] in ("", "x") or query.partition("=")[2] not in str(no.value)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"{", BadRequest), (b"\xff{}", BadRequest), (b'{"a": NaN}', BadRequest),
        (b'{"a": Infinity}', BadRequest), (b'{"a": 1, "a": 2}', BadRequest),
        (b'{"a": {"b": 1, "b": 1}}', BadRequest), (b"[" * 100_000, BadRequest),
        (b'{"a": ' + b"1" * 5_000 + b"}", BadRequest), (b"{} {}", BadRequest),
        (b"\xef\xbb\xbf{}", BadRequest), (b"[]", InvalidInput), (b'"a"', InvalidInput),
        (b"null", InvalidInput),
    ],
    ids=range(13),
)  # fmt: skip
def test_a_body_that_is_no_json_object_is_refused(
    body: bytes, expected: type[InterlockError]
) -> None:
    with pytest.raises(expected) as no:
        read_json(body, JSON)

    assert no.value.fix
    assert len(no.value.message) < 400


def test_an_empty_body_says_nothing_and_needs_no_type() -> None:
    assert read_json(b"", Headers({})) == {}
    assert read_json(
        b'{"a": [1]}', Headers({"content-type": 'Application/JSON; charset="UTF-8"'})
    ) == {"a": [1]}


@pytest.mark.parametrize(
    "headers",
    [
        {}, {"content-type": "text/plain"}, {"content-type": "application/json; charset=latin-1"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
    ids=range(4),
)  # fmt: skip
def test_a_body_of_another_kind_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(WrongMediaType):
        read_json(b"{}", Headers(headers))


def test_a_version_is_read_from_our_own_tags_alone() -> None:
    assert version_of(Headers({})) is None
    assert version_of(Headers({"if-match": "*"})) is None
    assert version_of(Headers({"if-match": '"12.0af"'})) == version_of(
        Headers({"if-match": '"12"'})
    )
    for other in ('W/"12.0af"', '"x"', '""'):
        with pytest.raises(StaleVersion):
            version_of(Headers({"if-match": other}))
    for wrong in ("12", '"a", "b"', ""):
        with pytest.raises(BadRequest):
            version_of(Headers({"if-match": wrong}))
