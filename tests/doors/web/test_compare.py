"""Comparisons: what went and what came, with a little around it."""

from interlock.doors.web.compare import LINES_MAX, LONG_MAX, Row, compare


def test_what_is_the_same_has_no_rows() -> None:
    assert compare(["a", "b"], ["a", "b"]) == []


def test_a_change_is_shown_with_what_is_around_it() -> None:
    before = [str(number) for number in range(20)]
    after = [*before[:10], "ten", *before[11:]]

    assert compare(before, after) == [
        Row("skip", "…"),
        *(Row("same", text) for text in ("7", "8", "9")),
        Row("del", "10"),
        Row("ins", "ten"),
        *(Row("same", text) for text in ("11", "12", "13")),
    ]


def test_two_changes_far_apart_leave_out_what_is_between_them() -> None:
    before = [str(number) for number in range(40)]
    after = ["x", *before[1:39], "y"]
    rows = compare(before, after)

    assert [row.kind for row in rows].count("skip") == 1
    assert rows[0] == Row("del", "0")


def test_what_is_long_is_cut_and_that_is_said() -> None:
    many = [str(number) for number in range(LINES_MAX + 1)]
    rows = compare(many, ["x" * (LONG_MAX + 1), *many])

    assert rows[0] == Row("skip", f"Only the first {LINES_MAX:,} lines are compared.")
    assert any(row.text == "x" * LONG_MAX + "…" for row in rows)


def test_what_differs_only_further_down_is_not_told_as_the_same() -> None:
    many = [str(number) for number in range(LINES_MAX + 1)]

    assert [row.kind for row in compare(many, many)] == ["skip"]
