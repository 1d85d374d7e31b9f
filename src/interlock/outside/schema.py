"""JSON Schemas that callers send: read, judged, and used to check what a model has answered.

A schema is not trusted. Nothing outside of it is ever fetched, patterns are matched in linear
time, and one whose references multiply until checking takes for ever is refused before use.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, Never

import jsonschema_rs

from interlock.errors import InterlockError

BYTES_MAX: Final = 64 * 1024
VISITS_MAX: Final = 10_000
"""How many parts of a schema one value may be checked against."""

EFFORT_MAX: Final = 2_000_000
"""The same for a whole answer, where a schema refers to itself."""

ERRORS_TOLD: Final = 8
ERROR_MAX: Final = 300
DYNAMIC: Final = ("$dynamicRef", "$recursiveRef")


class InvalidSchema(InterlockError):
    """The JSON Schema cannot be used."""

    code = "INVALID_SCHEMA"
    http = 422


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema that can be used; ``text`` is what a model is shown."""

    text: str
    validator: jsonschema_rs.Validator
    # How often it refers to itself, and how much there is to visit each time.
    turns: int
    visits: int

    def wrong(self, value: object) -> list[str]:
        """Return what is wrong with a value, each with its place; nothing where it fits."""
        if self.turns > 1 and self.visits * self.turns ** depth(value) > EFFORT_MAX:
            return ["the answer is nested too deep to be checked against this schema"]
        found = islice(self.validator.iter_errors(value), ERRORS_TOLD)
        return [f"{_place(one)}: {one.message}"[:ERROR_MAX] for one in found]


def read_schema(schema: Mapping[str, object]) -> Schema:
    """Judge a schema; raises ``InvalidSchema`` that says what is wrong with it."""
    text = json.dumps(schema, ensure_ascii=False)
    if len(text.encode()) > BYTES_MAX:
        raise _refused(f"it has more than {BYTES_MAX:,} bytes")
    turns, visits = _Measure(schema).measure()
    try:
        validator = jsonschema_rs.validator_for(
            dict(schema), retriever=_fetch_nothing, pattern_options=jsonschema_rs.RegexOptions()
        )
    except ValueError as exc:
        raise _refused(str(exc).partition("\n")[0][:ERROR_MAX]) from exc
    return Schema(text, validator, turns, visits)


def _refused(why: str) -> InvalidSchema:
    fix = "Send a JSON Schema that stands alone: references within it begin with '#'."
    return InvalidSchema(f"The schema cannot be used: {why}.", fix=fix)


def _fetch_nothing(uri: str) -> Never:
    message = f"{uri} is outside of the schema, and nothing is fetched"
    raise ValueError(message)


def _place(error: jsonschema_rs.ValidationError) -> str:
    return "/".join(map(str, error.instance_path)) or "the answer"


def depth(value: object) -> int:
    """Return how deep a value is nested."""
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


class _Measure:
    """Follows every reference of a schema, each way anew, as checking would."""

    def __init__(self, schema: Mapping[str, object]) -> None:
        self._schema = schema
        self._known: dict[str, int] = {}
        self._under_way: set[str] = set()
        self._turns = 0

    def measure(self) -> tuple[int, int]:
        """Return how often the schema refers to itself, and how much there is to visit."""
        visits = self._follow("#")
        return self._turns, visits

    def _follow(self, reference: str) -> int:
        if reference in self._under_way:
            self._turns += 1
            return 1
        if reference not in self._known:
            self._under_way.add(reference)
            self._known[reference] = self._visits(_at(self._schema, reference))
            self._under_way.discard(reference)
        return self._known[reference]

    def _visits(self, node: object) -> int:
        total = 1
        for name, value in _children(node):
            if name in DYNAMIC:
                raise _refused(f"{name} is not taken")
            if name == "$ref" and isinstance(value, str):
                if not value.startswith("#"):
                    raise _refused(f"it refers to {value[:100]!r}, and nothing is fetched")
                total += self._follow(value)
            else:
                total += self._visits(value)
            if total > VISITS_MAX:
                raise _refused("its references multiply: checking would take for ever")
        return total


def _children(node: object) -> Iterator[tuple[str, object]]:
    if isinstance(node, Mapping):
        yield from node.items()
    elif isinstance(node, list | tuple):
        for one in node:
            yield "", one


def _at(schema: object, reference: str) -> object:
    """Return what a reference within the schema names; None where it names nothing."""
    node = schema
    for name in reference.removeprefix("#").split("/")[1:]:
        plain = name.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping):
            node = node.get(plain)
        elif isinstance(node, list | tuple) and plain.isdecimal() and int(plain) < len(node):
            node = node[int(plain)]
        else:
            return None
    return node
