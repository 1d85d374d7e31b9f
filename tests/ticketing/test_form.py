"""Pieces of schemas: what they take, and that what they refuse is refused."""

import pytest

from interlock.ticketing.answer import wrong_with
from interlock.ticketing.checked import Json
from interlock.ticketing.form import choice, described, flag, line, lines, number, remark, shape

THING = shape(
    {
        "name": line("What it is called.", 5),
        "kind": choice(("a", "b"), "Which kind."),
        "count": number(1, 3, "How many."),
        "tags": lines("Words.", 1, 2),
        "is_new": flag("Whether it is new."),
        "note": remark("Anything."),
    },
    optional=("note",),
)
GOOD: Json = {"name": "x", "kind": "a", "count": 2, "tags": ["t"], "is_new": True}


def test_what_fits_is_taken() -> None:
    assert wrong_with(THING, GOOD) == ()
    assert wrong_with(THING, {**GOOD, "note": ""}) == ()
    assert described(THING, "A thing.")["description"] == "A thing."


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""), ("name", " \n"), ("name", "\x1c\u3000"), ("name", "longer"), ("kind", "c"), ("count", 0),
        ("count", 4), ("count", True), ("tags", []), ("tags", ["a", "b", "c"]), ("tags", [" "]),
        ("is_new", "yes"), ("note", 1), ("other", 1),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(field: str, value: object) -> None:
    found = wrong_with(THING, {**GOOD, field: value})

    assert found[0].path.startswith(f"$.{field}")


@pytest.mark.parametrize("field", ["name", "kind", "count", "tags", "is_new"])
def test_every_field_is_required_unless_it_is_optional(field: str) -> None:
    found = wrong_with(THING, {name: value for name, value in GOOD.items() if name != field})

    assert [one.path for one in found] == [f"$.{field}"]
