"""The schemas of all answers: closed, described, small, and one for every planning task."""

import json
from collections.abc import Iterator, Mapping

import pytest

from interlock.outside.schema import BYTES_MAX, read_schema
from interlock.ticketing.schemas import SCHEMAS, Sizes, answer_schema
from interlock.workflows.ticket.phases import PHASES, between

LARGEST = Sizes(questions=50, drafts=10)


def objects(schema: object) -> Iterator[Mapping[str, object]]:
    """Yield every schema of an object within a schema."""
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from objects(inner)


def test_every_task_that_is_asked_has_its_schema_and_nothing_else_has() -> None:
    planning = between("SCANNING_RELEVANT_FILES", "VERIFYING_BEADS_COVERAGE")
    tasks = {(one.group, one.task) for one in PHASES if one.task and one.name in planning}

    execution = {("execution", one) for one in ("plan", "prepare", "code", "test", "publish")}
    assert set(SCHEMAS) == tasks | execution


@pytest.mark.parametrize("key", SCHEMAS)
def test_a_schema_is_closed_small_and_can_be_used(key: tuple[str, str]) -> None:
    schema = answer_schema(*key, LARGEST)

    assert read_schema(schema).validator.is_valid({}) is False
    assert len(json.dumps(schema)) < 10_000 < BYTES_MAX
    found = list(objects(schema))
    assert found
    for one in found:
        assert one["additionalProperties"] is False
        properties = one["properties"]
        assert isinstance(properties, Mapping)
        assert set(map(str, one["required"] if isinstance(one["required"], list) else [])) <= set(
            properties
        )


@pytest.mark.parametrize("key", SCHEMAS)
def test_what_is_at_the_top_of_an_answer_is_described(key: tuple[str, str]) -> None:
    properties = answer_schema(*key, LARGEST)["properties"]

    assert isinstance(properties, Mapping)
    assert all("description" in inner for inner in properties.values())


def test_a_schema_follows_the_sizes_of_the_ticket() -> None:
    assert '"maxItems": 7' in json.dumps(answer_schema("interview", "draft", Sizes(questions=7)))
    assert "Draft 3" in json.dumps(answer_schema("prd", "vote", Sizes(drafts=3)))
    assert "Draft 2" not in json.dumps(answer_schema("prd", "vote"))
