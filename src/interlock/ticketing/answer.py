"""What is wrong with an answer: every mistake at once, each with its place in the answer.

A place is a JSON path: ``$.questions[0].phase``. Schemas here are our own; what they cannot say
is checked by the module of the document, which speaks of it in the same form.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

import jsonschema_rs

from interlock.errors import InterlockError
from interlock.outside.schema import Schema, depth, read_schema
from interlock.ticketing.checked import Json

TOLD_MAX: Final = 50
"""How many mistakes are told at once; nobody mends more of them in one go."""

FOUND_MAX: Final = 120
DEPTH_MAX: Final = 64
BARE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Wrong(NamedTuple):
    """One mistake: where, what should be there, and what is."""

    path: str
    expected: str
    found: str

    def told(self) -> dict[str, object]:
        """Tell it by its parts, and in a sentence as errors of every command are told."""
        message = f"expected {self.expected}, found {self.found}"
        return {**self._asdict(), "field": self.path, "message": message}


class AnswerInvalid(InterlockError):
    """An answer or a document does not fit; nothing was changed."""

    code = "ANSWER_INVALID"
    http = 422

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        """Tell all that is wrong, each with its place."""
        count = f"{len(wrong)} mistake{'s' if len(wrong) != 1 else ''}"
        message = f"This does not fit ({count}). {in_words(wrong)}"
        super().__init__(message, fix="Mend every mistake, then send the whole answer again.")
        self.wrong = tuple(wrong)
        self.details = {"errors": [one.told() for one in wrong]}


def in_words(wrong: Sequence[Wrong]) -> str:
    """Tell all that is wrong in one text."""
    return " ".join(f"{one.path}: expected {one.expected}, found {one.found}." for one in wrong)


def place(*words: str | int) -> str:
    """Return the JSON path that leads to a place, by the names and numbers on the way."""
    return "$" + "".join(map(_leg, words))


def _leg(word: str | int) -> str:
    if isinstance(word, int):
        return f"[{word}]"
    return f".{word}" if BARE.fullmatch(word) else f"[{json.dumps(word, ensure_ascii=False)}]"


def told(value: object) -> str:
    """Tell a value in few words."""
    if isinstance(value, Mapping):
        return f"an object with {len(value)} fields" if value else "an empty object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= FOUND_MAX else f"{words[:FOUND_MAX]}… ({len(words):,} characters)"


def check(schema: Json, answer: object) -> Json:
    """Return an answer that fits a schema; raises ``AnswerInvalid`` with all that is wrong."""
    refuse(wrong_with(schema, answer))
    return answer if isinstance(answer, Mapping) else {}


def refuse(wrong: Sequence[Wrong]) -> None:
    """Raise ``AnswerInvalid`` where something is wrong."""
    if wrong:
        raise AnswerInvalid(wrong)


def wrong_with(schema: Json, answer: object) -> tuple[Wrong, ...]:
    """Return what is wrong with an answer by a schema, each mistake with its exact place."""
    strange = _strange(answer)
    if strange:
        return (strange,)
    found = _read(json.dumps(schema)).validator.iter_errors(answer)
    each = (one for error in found for one in _wrong(error, schema))
    return tuple(islice(dict.fromkeys(each), TOLD_MAX))


def _strange(answer: object) -> Wrong | None:
    """Say why a value cannot even be looked at."""
    try:
        is_deep = depth(answer) > DEPTH_MAX
        json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError:
        is_deep = True
    except (TypeError, ValueError):
        return Wrong("$", "JSON", "what JSON cannot hold (half a character, or no number)")
    return Wrong("$", f"at most {DEPTH_MAX} levels", "more of them") if is_deep else None


@lru_cache(maxsize=64)
def _read(text: str) -> Schema:
    return read_schema(json.loads(text))


def _wrong(error: jsonschema_rs.ValidationError, schema: Json) -> Iterator[Wrong]:
    """Yield an error as mistakes; what is missing or too much is told at its own place."""
    kind, way = error.kind, error.instance_path
    if isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
        owner = _at(schema, error.schema_path[:-1])
        yield Wrong(place(*way, kind.property), _described(owner, kind.property), "nothing")
    elif isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
        owner = _at(schema, error.schema_path[:-1])
        names = owner.get("properties") if isinstance(owner, Mapping) else None
        known = ", ".join(names) if isinstance(names, Mapping) and names else "none"
        for name in kind.unexpected:
            value = error.instance[name] if isinstance(error.instance, dict) else None
            yield Wrong(place(*way, name), f"no such field; there are: {known}", told(value))
    else:
        limit = _at(schema, error.schema_path)
        yield Wrong(place(*way), _expected(kind.name, limit, error.message), told(error.instance))


def _at(schema: object, way: Sequence[str | int]) -> object:
    for word in way:
        if isinstance(schema, Mapping):
            schema = schema.get(str(word))
        elif isinstance(schema, list | tuple) and isinstance(word, int):
            schema = schema[word]
    return schema


def _described(owner: object, name: str) -> str:
    """Tell what a field that is missing should hold."""
    inner = _at(owner, ("properties", name))
    if not isinstance(inner, Mapping):
        return "this field"
    kind = _type(inner.get("type")) if inner.get("type") else "a value"
    about = inner.get("description")
    return f"{kind} ({about})" if isinstance(about, str) else kind


def _type(types: object) -> str:
    names = {"string": "text", "integer": "a whole number", "array": "a list",
             "object": "an object", "boolean": "true or false", "null": "null",
             "number": "a number"}  # fmt: skip
    each = [types] if isinstance(types, str) else types
    return " or ".join(names[str(one)] for one in each) if isinstance(each, list) else "a value"


def _words(value: object) -> str:
    each = value if isinstance(value, list | tuple) else [value]
    return " or ".join(json.dumps(one, ensure_ascii=False) for one in each)


EXPECTED: Final[Mapping[str, Callable[[object], str]]] = {
    "type": _type,
    "enum": lambda limit: f"one of {_words(limit)}",
    "const": _words,
    "minimum": lambda limit: f"at least {limit}",
    "maximum": lambda limit: f"at most {limit}",
    "minItems": lambda limit: f"a list of at least {limit}",
    "maxItems": lambda limit: f"a list of at most {limit}",
    "minLength": lambda limit: f"text of at least {limit} characters",
    "maxLength": lambda limit: f"text of at most {limit} characters",
    "pattern": lambda limit: f"text like {limit}",
    "uniqueItems": lambda _limit: "a list without repetitions",
    "oneOf": lambda limit: f"exactly one of the fields {', '.join(_required(limit))}",
}


def _required(branches: object) -> Iterator[str]:
    for branch in branches if isinstance(branches, list | tuple) else ():
        names = branch.get("required") if isinstance(branch, Mapping) else ()
        yield from map(str, names if isinstance(names, list | tuple) else ())


def _expected(keyword: str, limit: object, message: str) -> str:
    tell = EXPECTED.get(keyword)
    return message if tell is None else tell(limit)
