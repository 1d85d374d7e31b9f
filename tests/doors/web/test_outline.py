"""Content laid out for people, and written down for a comparison."""

from interlock.doors.web.outline import (
    DEPTH_MAX,
    ITEMS_MAX,
    ROWS_MAX,
    Piece,
    as_json,
    lines,
    pieces,
    title,
)


def test_names_texts_lists_and_trees_are_laid_out_and_what_is_empty_is_not() -> None:
    content = {"summary": "Two\nlines", "rows": ["a", 1], "draft": {"n": 2.5}, "none": [], "no": ""}

    assert pieces(content) == (
        Piece("Summary", "text", "Two\nlines"),
        Piece("Rows", "list", items=("a", "1")),
        Piece("Draft", "tree", pieces=(Piece("N", "text", "2.5"),)),
    )
    assert pieces("just text") == (Piece("Content", "text", "just text"),)


def test_what_is_too_deep_or_too_much_is_shown_as_json() -> None:
    deep: object = {"end": 1}
    for _ in range(DEPTH_MAX + 1):
        deep = {"in": deep}
    found = pieces(deep)
    for _ in range(DEPTH_MAX):
        found = found[0].pieces

    assert found[0].kind == "code"
    many = {str(number): number for number in range(ITEMS_MAX + 1)}
    assert pieces(many) == (Piece("content", "code", as_json(many)),)
    assert pieces({"rows": [{"a": 1}] * (ROWS_MAX + 1)})[0].kind == "code"


def test_rows_that_are_trees_are_numbered() -> None:
    (rows,) = pieces({"rows": [{"a": 1}, {"b": "two"}]})

    assert [(one.name, one.kind) for one in rows.pieces] == [("1", "tree"), ("2", "tree")]
    assert rows.pieces[1].pieces == (Piece("B", "text", "two"),)


def test_lines_follow_the_tree_and_the_lines_of_texts() -> None:
    content = {"a": "one", "b": "two\nthree", "c": ["x", {"y": None}], "d": True}

    assert lines(content) == [
        "a: one", "b:", "  two", "  three", "c:", "  - x", "  -", "    y: null", "d: true",
    ]  # fmt: skip
    assert lines("x\ny") == ["x", "y"]


def test_a_title_is_a_name_as_people_write_it() -> None:
    assert (title("result_summary"), title("")) == ("Result summary", "")


def test_no_more_lines_are_written_down_than_are_asked_for() -> None:
    assert lines({"a": "b\nc\nd", "e": "f"}, 3) == ["a:", "  b", "  c"]
    assert lines("a\nb\nc", 2) == ["a", "b"]
