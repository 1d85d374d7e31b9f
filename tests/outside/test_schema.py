"""Schemas of callers are judged before use: nothing is fetched, and checking comes to an end."""

from time import perf_counter

import pytest

from interlock.outside.schema import InvalidSchema, depth, read_schema
from tests.service.endpoints import endpoint

PERSON = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "age": {"$ref": "#/$defs/count"}},
    "$defs": {"count": {"type": "integer", "minimum": 0}},
}
TREE = {"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}}


def doubling(times: int) -> dict[str, object]:
    """Return a schema whose every part refers twice to the next."""
    parts: dict[str, object] = {"p0": {"type": "string"}}
    for place in range(1, times + 1):
        parts[f"p{place}"] = {"allOf": [{"$ref": f"#/$defs/p{place - 1}"}] * 2}
    return {"$defs": parts, "$ref": f"#/$defs/p{times}"}


def nested(times: int) -> dict[str, object]:
    value: dict[str, object] = {}
    for _ in range(times):
        value = {"left": value}
    return value


def test_what_fits_has_nothing_wrong_and_the_rest_is_told_with_its_place() -> None:
    schema = read_schema(PERSON)

    assert schema.wrong({"name": "Ada", "age": 36}) == []
    assert sorted(schema.wrong({"age": -1})) == [
        "age: -1 is less than the minimum of 0",
        'the answer: "name" is a required property',
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "nothing"},
        {"$ref": "https://example.org/schema.json"},
        {"$ref": "file:///etc/passwd"},
        {"$ref": "other.json"},
        {"$schema": "https://example.org/meta"},
        {"$ref": "#/$defs/missing"},
        {"$dynamicRef": "#x"},
        {"pattern": "("},
        {"pattern": "(a{1000}){1000}"},
        {"description": "x" * 70_000},
        doubling(20),
    ],
    ids=lambda schema: str(schema)[:40],
)
def test_what_cannot_or_must_not_be_used_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(InvalidSchema) as no:
        read_schema(schema)

    assert no.value.code == "INVALID_SCHEMA"
    assert "stands alone" in no.value.fix


def test_nothing_is_fetched() -> None:
    with endpoint({}) as fake:
        for name in ("$ref", "$schema"):
            with pytest.raises(InvalidSchema):
                read_schema({name: f"{fake.url}/schema.json"})

    assert fake.heard == []


def test_a_pattern_takes_no_time() -> None:
    schema = read_schema({"pattern": "(a+)+$"})
    before = perf_counter()

    assert len(schema.wrong("a" * 50_000 + "!")) == 1
    assert perf_counter() - before < 10


def test_a_schema_that_refers_to_itself_is_checked_as_deep_as_can_be() -> None:
    schema = read_schema(TREE)

    assert schema.wrong(nested(8)) == []
    assert schema.wrong({"left": {"right": 3}}) == ['left/right: 3 is not of type "object"']
    assert "nested too deep" in schema.wrong(nested(30))[0]
    assert read_schema({"items": {"$ref": "#"}}).wrong([[[[[[[]]]]]]]) == []


def test_depth_counts_what_is_nested() -> None:
    assert [depth(1), depth([]), depth({"a": [1]})] == [0, 1, 2]
