"""A value as it was given, and a text with names filled in and nothing else."""

import pytest

from interlock.toolbox.texts import fill, literal, template
from tests.toolbox.calls import call, fails, fits


@pytest.mark.parametrize("value", [None, 0, "", "ä", [1, {"a": []}], {"b": None}])
def test_a_literal_is_what_it_is(value: object) -> None:
    assert call(literal, value=value) == {"value": value}


def test_a_literal_without_a_value_does_not_fit() -> None:
    assert not fits(literal)
    assert not fits(literal, value=1, other=2)


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("Dear {name}, {n} of {all}.", {"name": "Ada", "n": 3, "all": [1, {"ä": None}]},
         'Dear Ada, 3 of [1, {"ä": null}].'),
        ("{{name}} {{{name}}}", {"name": "x"}, "{name} {x}"),
        ("", {"unused": 1}, ""),
        ("{a}{a}", {"a": "{b}"}, "{b}{b}"),
        ("{yes} {no}", {"yes": True, "no": None}, "true null"),
    ],
)  # fmt: skip
def test_names_are_filled_in_once(text: str, values: dict[str, object], said: str) -> None:
    assert call(template, template=text, values=values) == {"text": said}


@pytest.mark.parametrize(
    "text",
    [
        "{name.__class__}",
        "{name[0]}",
        "{name!r}",
        "{name:>10}",
        "{0}",
        "{}",
        "{",
        "}",
        "{{name}",
        "{ name }",
    ],
)
def test_there_are_no_expressions_in_a_template(text: str) -> None:
    failure = fails(template, template=text, values={"name": "Ada"})

    assert (failure.failure, "brace" in failure.message) == ("validation", True)


def test_names_without_a_value_are_told_all_at_once() -> None:
    failure = fails(template, template="{b} {a} {c}", values={"c": 1})

    assert failure.failure == "validation"
    assert failure.message == "The template names what has no value: a, b."
    assert failure.detail == "There are: c."


def test_a_large_template_is_filled_in_no_time() -> None:
    assert len(fill("{a}" * 100_000, {"a": "xyz"})) == 300_000
