"""Where in a text the places of a document are."""

from interlock.doors.web.ticket.places import LENGTH_MAX, line_of, places

TEXT = """\
schema_version: 1
questions:
  - id: Q01
    options:
      - id: o1
  - id: Q02
odd key: x
"""


def test_every_place_has_its_line_and_a_missing_one_that_of_what_it_belongs_to() -> None:
    known = places(TEXT)

    assert line_of(known, "$.schema_version") == 1
    assert line_of(known, "$.questions") == 2
    assert line_of(known, "$.questions[0].options[0].id") == 5
    assert line_of(known, "$.questions[1]") == 6
    assert line_of(known, "$.questions[1].prompt") == 6
    assert line_of(known, '$["odd key"]') == 7
    assert line_of(known, "$.nowhere.at[3].all") == 1


def test_what_is_no_document_has_no_places() -> None:
    assert places("a: [b") == {}
    assert places("") == {}
    assert places("a" * (LENGTH_MAX + 1)) == {}
    assert line_of({}, "$.a") == 0
