"""What a query may say, and how it is read."""

import pytest

from interlock.commands.all import COMMANDS
from interlock.doors.rest.fields import as_asked, fields_of, read_query
from interlock.service.errors import InvalidInput

READS = [row for row in COMMANDS.values() if row.is_read]


def test_no_two_parameters_of_a_read_have_the_same_name() -> None:
    for row in READS:
        names = [*row.in_path, *(field.name for field in fields_of(row))]
        assert len(set(names)) == len(names), row.name
        assert {field.kind for field in fields_of(row)} <= {
            "string", "integer", "number", "boolean",
        }  # fmt: skip


def test_a_shape_within_a_shape_is_laid_flat_and_a_list_is_repeated() -> None:
    pairs = [("query", "q"), ("tags", "a"), ("tags", "b"), ("kind", "output"), ("limit", "3")]

    found = read_query(COMMANDS["search_sources"], pairs)

    assert found == {"query": "q", "limit": 3, "filters": {"tags": ["a", "b"], "kind": "output"}}


def test_yes_and_no_are_spelled_as_in_json() -> None:
    row = COMMANDS["list_active_plans"]

    assert read_query(row, [("include_ended", "true")]) == {"filter": {"include_ended": True}}
    for wrong in ("True", "1", "yes", ""):
        with pytest.raises(InvalidInput, match="true or false"):
            read_query(row, [("include_ended", wrong)])


@pytest.mark.parametrize("wrong", ["", "x", "1.0", " 1", "1_000", "\u0661", "+1", "9" * 31, "1e3"])
def test_a_whole_number_is_nothing_but_digits(wrong: str) -> None:
    with pytest.raises(InvalidInput, match="whole number"):
        read_query(COMMANDS["list_units"], [("limit", wrong)])


def test_every_mistake_is_told_beside_its_field() -> None:
    pairs = [("limit", "x"), ("limt", "1"), ("status", "a"), ("status", "b"), ("\x1b[0m", "")]

    with pytest.raises(InvalidInput) as no:
        read_query(COMMANDS["list_units"], pairs)

    assert dict(no.value.fields) == {
        "limt": "is no parameter; did you mean limit?",
        "\x1b[0m": "is no parameter",
        "limit": "should be a whole number",
        "status": "is given more than once",
    }
    assert no.value.message.isprintable()


def test_a_mistake_in_a_shape_within_is_told_by_the_name_that_was_used() -> None:
    wrong = (("filter.status", "no"), ("limit", "no"))

    assert as_asked(COMMANDS["list_active_plans"], wrong) == (("status", "no"), ("limit", "no"))
    assert as_asked(COMMANDS["create_research_plan"], wrong) == wrong
