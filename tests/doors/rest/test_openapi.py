"""The document: true to the rows, whole, and valid."""

import json
from collections.abc import Iterator
from typing import Any, cast

import jsonschema_rs
import pytest

from interlock.commands.all import COMMANDS
from interlock.doors.rest.openapi import document, text
from interlock.doors.rest.places import OWN

Document = dict[str, Any]


@pytest.fixture(scope="module")
def told() -> Document:
    return cast("Document", json.loads(text()))


def operations(told: Document) -> Iterator[tuple[str, str, Document]]:
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def test_every_command_is_an_operation_at_its_place_and_so_is_what_is_the_door_s_own(
    told: Document,
) -> None:
    found = {one["operationId"]: f"{method} {path}" for path, method, one in operations(told)}

    assert {row.name: row.http for row in COMMANDS.values()}.items() <= found.items()
    assert {place for name, place in found.items() if name not in COMMANDS} == {
        f"GET {path}" for path in OWN
    }


def test_every_argument_is_told_once_and_nothing_else(told: Document) -> None:
    shapes = told["components"]["schemas"]
    for path, method, operation in operations(told):
        row = COMMANDS.get(operation["operationId"])
        if row is None:
            continue
        parameters = operation["parameters"]
        assert [one["name"] for one in parameters if one["in"] == "path"] == list(row.in_path)
        names = {one.alias or name for name, one in row.takes.model_fields.items()}
        if method == "GET":
            assert "requestBody" not in operation
            continue
        place = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        body = shapes[place.rpartition("/")[2]]
        assert set(body["properties"]) | set(row.in_path) == names, path
        assert body["additionalProperties"] is False
        headers = {one["name"] for one in parameters if one["in"] == "header"}
        assert headers == {"Idempotency-Key"} | ({"If-Match"} if row.takes_version else set())


def test_no_shape_stands_for_two_places_that_differ_in_what_is_in_their_path() -> None:
    in_path: dict[str, set[tuple[str, ...]]] = {}
    for row in COMMANDS.values():
        if not row.is_read:
            in_path.setdefault(row.takes.__name__, set()).add(row.in_path)

    assert [name for name, places in in_path.items() if len(places) > 1] == []


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for one in value.values():
            yield from references(one)
    elif isinstance(value, list):
        for one in value:
            yield from references(one)


def test_every_reference_leads_somewhere_and_every_schema_is_one(told: Document) -> None:
    for place in set(references(told)):
        value: Any = told
        for name in place.removeprefix("#/").split("/"):
            value = value[name]
    for schema in told["components"]["schemas"].values():
        # Where it is not one, no validator can be made of it.
        jsonschema_rs.validator_for({**schema, "components": told["components"]})


def test_every_operation_says_how_it_can_fail(told: Document) -> None:
    expected = {"400", "401", "403", "404", "409", "412", "429"}
    for path, method, operation in operations(told):
        if operation["operationId"] != "get_openapi":
            assert expected <= set(operation["responses"]), path
            assert method == "GET" or {"413", "415"} <= set(operation["responses"]), path


def test_it_is_the_same_every_time() -> None:
    assert document() == document()
