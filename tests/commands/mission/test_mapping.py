"""Paths lead into values and schemas; types are compared as far as they are said."""

import pytest

from interlock.commands.mission.mapping import (
    NoSuchPath,
    assets_of,
    at_path,
    is_unlike,
    names_of,
    only_word,
    part_of,
    required_of,
    schema_at,
    types_told,
    wrong_with,
)

VALUE = {"rows": [{"name": "a"}, {"name": "b"}], "0": "zero"}


def test_a_path_leads_into_a_value() -> None:
    assert at_path(VALUE, "") is VALUE
    assert at_path(VALUE, "rows.1.name") == "b"
    assert at_path(VALUE, "0") == "zero"


@pytest.mark.parametrize("path", ["nothing", "rows.2", "rows.-1", "rows.x", "rows.0.name.a", "."])
def test_a_path_that_leads_nowhere_is_refused(path: str) -> None:
    with pytest.raises(NoSuchPath):
        at_path(VALUE, path)


def test_a_path_leads_into_a_schema_as_far_as_it_says() -> None:
    rows = {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}
    schema = {"properties": {"rows": rows}}

    assert schema_at(schema, "rows.0.a") == {"type": "string"}
    assert schema_at(schema, "rows.0.b") is None
    assert schema_at(None, "rows") is None
    assert schema_at(schema, "") == schema


def test_a_property_brings_along_what_it_refers_to() -> None:
    schema = {"$defs": {"n": {"type": "number"}}, "properties": {"a": {"$ref": "#/$defs/n"}}}
    part = part_of(schema, "a")

    assert wrong_with(1, part) == []
    assert wrong_with("x", part) != []
    assert part_of(schema, "b") is None


def test_what_cannot_be_read_judges_nothing() -> None:
    assert wrong_with(1, None) == []
    assert wrong_with(1, {"type": "no such type"}) == []


def test_which_names_there_are() -> None:
    properties: dict[str, object] = {"properties": {"a": {}}, "required": ["a"]}

    assert (names_of(properties), required_of(properties)) == (("a",), ("a",))
    assert names_of({**properties, "additionalProperties": False}) == ("a",)
    assert names_of({**properties, "additionalProperties": True}) is None
    assert (names_of({}), required_of({})) == (None, ())


@pytest.mark.parametrize(
    ("given", "wanted", "unlike"),
    [
        ("string", "number", True), ("integer", "number", False), ("number", "integer", False),
        (["string", "null"], "string", False), (None, "string", False), ("string", None, False),
        ("array", ["object", "null"], True),
    ],
)  # fmt: skip
def test_types_are_unlike_only_where_nothing_fits_both(
    given: object, wanted: object, *, unlike: bool
) -> None:
    assert is_unlike({"type": given}, {"type": wanted}) is unlike


def test_types_and_words_are_told() -> None:
    assert types_told({"type": ["null", "array"]}) == "array or null"
    assert types_told(None) == "anything"
    assert only_word({"asset": 1, "path": 2}, ("asset", "step")) == "asset"
    assert only_word({"asset": 1, "step": 2}, ("asset", "step")) == ""
    assert list(assets_of({"a": {"asset": "x"}, "b": {"literal": 1}, "c": {"asset": 1}})) == ["x"]
