"""Looks into documents: what is there, and what reads as empty."""

from interlock.ticketing.checked import part, rows, text, texts

DOCUMENT = {"a": "  word ", "b": ["x ", "", " ", 3, "y"], "c": [{"d": 1}, "no"], "e": {"f": "g"}}


def test_what_is_there_is_returned_bare() -> None:
    assert text(DOCUMENT, "a") == "word"
    assert texts(DOCUMENT, "b") == ["x", "y"]
    assert rows(DOCUMENT, "c") == [{"d": 1}]
    assert part(DOCUMENT, "e") == {"f": "g"}


def test_what_is_missing_or_another_thing_reads_as_empty() -> None:
    for name in ("none", "e"):
        assert (text(DOCUMENT, name), texts(DOCUMENT, name), rows(DOCUMENT, name)) == ("", [], [])
    assert part(DOCUMENT, "a") == part(DOCUMENT, "none") == {}
