"""``interlock expression``: syntax with the place of a mistake, and a value for a scope."""

import json

import pytest

from tests.cli.terminal import Said, ask, start


def test_a_good_expression_is_printed_as_it_was_understood() -> None:
    assert ask("expression", "found<3&&kind==='paper'") == Said(
        0, 'result.found < 3 && result.kind === "paper"\n', ""
    )


@pytest.mark.parametrize(("found", "value"), [(2, "true"), (3, "false")])
def test_an_expression_is_tried_on_a_scope(found: int, value: str) -> None:
    scope = json.dumps({"result": {"found": found}})

    assert ask("expression", "found < 3", "--scope", scope) == Said(
        0, f"result.found < 3 is {value}\n", ""
    )


@pytest.mark.parametrize(
    ("scope", "value"), [((), None), (("--scope", '{"result": {"found": 2}}'), True)]
)
def test_an_expression_as_data(scope: tuple[str, ...], value: object) -> None:
    said = ask("expression", "found < 3", "--json", *scope)

    assert json.loads(said.out) == {"expression": "result.found < 3", "value": value}


def test_a_process_told_of_a_mistake_shows_where_it_is() -> None:
    said = start("expression", "found < 3 &&")
    shown, caret, told, *_ = said.err.splitlines()

    assert (said.code, said.out) == (2, "")
    assert (shown, caret) == ("found < 3 &&", "            ^")
    assert told.startswith("INVALID_EXPRESSION ")
    assert "position 12" in told


@pytest.mark.parametrize(
    "text", ["", "a = 1", "open('x')", "a\nb", "(" * 40, "x" * 3_000, "\ud800"]
)
def test_whatever_is_written_ends_in_words(text: str) -> None:
    said = ask("expression", text)

    assert (said.code, said.out) == (2, "")
    assert "INVALID_EXPRESSION " in said.err


@pytest.mark.parametrize("scope", ["{", "[1]", "3", "[" * 100_000])
def test_a_scope_that_is_no_object_is_told(scope: str) -> None:
    said = ask("expression", "found < 3", "--scope", scope)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("INVALID_SCOPE ")
    assert '{"result": {"found": 3}}' in said.err
