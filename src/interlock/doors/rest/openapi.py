"""The API as OpenAPI 3.1, made from the rows of the commands and the shapes they take."""

import json
from collections.abc import Iterable
from typing import Final

from interlock import __version__
from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.doors.http import MEDIA_TYPE
from interlock.doors.rest.events import FILTERS, FROM
from interlock.doors.rest.fields import Schema, fields_of
from interlock.doors.rest.places import CONTENT, DRAWING, EVENTS, OPENAPI, PREFIX
from interlock.wire.envelope import Envelope

REFERENCE: Final = "#/components/schemas/{model}"
TEXT: Final[Schema] = {"type": "string"}

PROBLEM: Final[Schema] = {
    "type": "object",
    "description": "What went wrong, as RFC 9457 has it, and what to do about it.",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": TEXT,
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": TEXT,
        "instance": {"type": "string", "format": "uri-reference"},
        "code": {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"},
        "message": TEXT,
        "fix": TEXT,
        "retryable": {"type": "boolean"},
        "legal_moves": {"type": "array", "items": TEXT},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": TEXT, "message": TEXT},
                "required": ["field", "message"],
            },
        },
    },
    "required": [
        "type", "title", "status", "detail", "code", "message", "fix", "retryable", "legal_moves",
        "errors",
    ],
}  # fmt: skip

PROBLEMS: Final = {
    "400": "The request cannot be read.",
    "401": "There is no good token with it.",
    "403": "The token does not allow it.",
    "404": "There is no such thing, or it is not yours to see.",
    "409": "The rules say no where things stand, or others were faster.",
    "412": "The unit has moved on from the version in If-Match.",
    "413": "It is larger than is taken.",
    "415": "The body is no JSON.",
    "422": "What was sent cannot be used; `errors` says what is wrong with which field.",
    "424": "What it depends on is not set up.",
    "429": "Too much at once.",
    "500": "Something went wrong in the server.",
    "502": "A server that was asked gave no good answer.",
    "503": "The database or another server does not answer now.",
    "507": "There is no room left.",
}
BODILESS: Final = frozenset({"413", "415"})
"""What only a request with a body can be told."""

KEY: Final[Schema] = {
    "name": "Idempotency-Key", "in": "header", "required": False,
    "description": "Makes the call safe to repeat: same key, same answer, byte for byte.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}  # fmt: skip
IF_MATCH: Final[Schema] = {
    "name": "If-Match", "in": "header", "required": False,
    "description": "The ETag of the unit as it was seen: where it has moved on, nothing is done.",
    "schema": {"type": "string", "pattern": r'^(\*|"[0-9]{1,15}(\.[0-9a-f]{1,64})?")$'},
}  # fmt: skip
TAG: Final[Schema] = {"ETag": {"schema": TEXT, "description": "What was seen, for a later call."}}


def document() -> Schema:
    """Return the whole document."""
    shapes: dict[str, object] = {"Problem": PROBLEM, "Envelope": _envelope()}
    paths: dict[str, dict[str, object]] = {}
    for row in COMMANDS.values():
        paths.setdefault(row.path, {})[row.method.lower()] = _operation(row, shapes)
    for path, operation in _own():
        paths.setdefault(path, {})["get"] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Interlock", "version": __version__,
            "description": "Keeps the place of long work. See docs/rest.md for how to use it.",
        },
        "servers": [{"url": PREFIX}],
        "security": [{"token": []}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted(shapes.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {
                f"Problem{status}": _content(MEDIA_TYPE, what, "Problem")
                for status, what in PROBLEMS.items()
            },
        },
    }  # fmt: skip


def text() -> str:
    """Return the document as it is kept beside the other docs."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def _envelope() -> Schema:
    schema = Envelope.model_json_schema(ref_template=REFERENCE)
    shapes = schema.pop("$defs")
    # The receipt is told in place: it is a part of no other answer.
    receipt = shapes["Receipt"]
    schema["properties"]["receipt"] = receipt
    schema["properties"]["durability"] = TEXT
    schema["required"] = ["status", "next_action", "legal_moves", "data", "warnings"]
    return dict(schema)


def _operation(row: AnyCommand, shapes: dict[str, object]) -> Schema:
    parameters = [*_in_path(row), *_in_query(row)]
    status = "201" if row.makes_unit else "200"
    good = _content("application/json", row.doc, "Envelope")
    good["headers"] = TAG
    responses: dict[str, object] = {status: good}
    operation: Schema = {
        "operationId": row.name, "summary": row.doc, "tags": [row.path.split("/")[1]],
        "description": f"Needs the scope `{row.scope}`.",
    }  # fmt: skip
    if row.is_read:
        responses["304"] = {"description": "You have seen it."}
    else:
        parameters.append(KEY)
        operation["requestBody"] = _body(row, shapes)
    if row.takes_version:
        parameters.append(IF_MATCH)
    skipped = BODILESS if row.is_read else frozenset[str]()
    responses |= _problems(status for status in PROBLEMS if status not in skipped)
    return operation | {"parameters": parameters, "responses": responses}


def _in_path(row: AnyCommand) -> Iterable[Schema]:
    members = row.takes.model_json_schema()["properties"]
    for name in row.in_path:
        # A slash in an id must be encoded, and a dot alone is taken for a path by many clients.
        yield {"name": name, "in": "path", "required": True, "schema": _plain(members[name])}


def _in_query(row: AnyCommand) -> Iterable[Schema]:
    for field in fields_of(row) if row.is_read else ():
        told: Schema = {"name": field.name, "in": "query", "required": field.is_required}
        if "description" in field.schema:
            told["description"] = field.schema["description"]
        yield told | {"schema": _plain(field.schema)}


def _plain(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name not in ("title", "description")}


def _body(row: AnyCommand, shapes: dict[str, object]) -> Schema:
    schema = row.takes.model_json_schema(ref_template=REFERENCE)
    shapes |= schema.pop("$defs", {})
    for name in row.in_path:
        del schema["properties"][name]
    needed = [name for name in schema.pop("required", []) if name not in row.in_path]
    if needed:
        schema["required"] = needed
    shapes[row.takes.__name__] = schema
    place = {"$ref": REFERENCE.format(model=row.takes.__name__)}
    return {"required": bool(needed), "content": {"application/json": {"schema": place}}}


def _content(media: str, what: str, shape: str) -> Schema:
    schema = {"$ref": REFERENCE.format(model=shape)}
    return {"description": what, "content": {media: {"schema": schema}}}


def _problems(statuses: Iterable[str]) -> dict[str, object]:
    return {status: {"$ref": f"#/components/responses/Problem{status}"} for status in statuses}


def _own() -> Iterable[tuple[str, Schema]]:
    """Yield the operations that are no command's."""
    every = _problems(status for status in PROBLEMS if status not in BODILESS)
    seen = {"304": {"description": "You have seen it."}}
    yield EVENTS, {
        "operationId": "stream_events", "tags": ["events"],
        "summary": "What happens, as server-sent events; each is an entry of an audit.",
        "parameters": [
            *(_several(name) for name in FILTERS),
            {"name": "from", "in": "query", "schema": {"type": "string", "enum": list(FROM)}},
            {"name": "after", "in": "query", "schema": TEXT,
             "description": "The id of an event: begin after it, unless Last-Event-ID says more."},
            {"name": "Last-Event-ID", "in": "header", "schema": TEXT,
             "description": "The id of the last event that was seen: go on after it."},
        ],
        "responses": {"200": _raw("text/event-stream", "The stream."), **every},
    }  # fmt: skip
    yield OPENAPI, {
        "operationId": "get_openapi", "summary": "This document.", "tags": ["openapi.json"],
        "security": [],
        "responses": {
            "200": {"description": "The document.",
                    "content": {"application/json": {"schema": {"type": "object"}}}},
            **seen, **_problems(("400",)),
        },
    }  # fmt: skip
    yield CONTENT, {
        "operationId": "get_bytes", "tags": ["units"],
        "summary": "The bytes of an artifact; what is neither plain text nor JSON is for saving.",
        "parameters": [_named("id"), _named("digest", pattern="^[0-9a-f]{64}$")],
        "responses": {"200": _raw("*/*", "The bytes."), **seen, **every},
    }  # fmt: skip
    yield DRAWING, {
        "operationId": "get_drawing", "summary": "A workflow's machines, drawn.",
        "tags": ["workflows"], "parameters": [_named("name")],
        "responses": {"200": _raw("image/svg+xml", "The drawing."), **seen, **every},
    }  # fmt: skip


def _several(name: str) -> Schema:
    schema = {"type": "array", "items": {"type": "string", "minLength": 1}}
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _named(name: str, **more: object) -> Schema:
    schema = {"type": "string", "minLength": 1, **more}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _raw(media: str, what: str) -> Schema:
    return {"description": what, "content": {media: {}}, "headers": TAG}
