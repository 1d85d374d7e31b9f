"""Diffs taken apart: file by file, folded and cut where they are long."""

from interlock.doors.web.ticket.hunks import LONG_MAX, OPEN_LINES, fitted, patches, sides
from tests.doors.web.ticket.built import DIFF


def test_a_diff_is_taken_apart_by_files_and_lines() -> None:
    shop, test = patches(DIFF)

    assert (shop.path, shop.added, shop.removed) == ("shop.py", 2, 1)
    assert [line.kind for line in shop.lines] == [
        "head", "skip", "same", "del", "ins", "ins", "same",
    ]  # fmt: skip
    assert shop.lines[3].text == "    return None"
    assert (test.path, test.added, test.lines[0].text) == (
        "test_shop.py",
        2,
        "new file mode 100644",
    )


def test_lines_of_a_file_that_look_like_those_of_a_diff_stay_lines() -> None:
    text = (
        "diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1 +1,2 @@\n"
        "--- not a head\n+++ neither\n"
    )
    (one,) = patches(text)

    assert (one.path, one.added, one.removed) == ("a.md", 1, 1)
    assert [line.text for line in one.lines[1:]] == ["-- not a head", "++ neither"]


def test_names_with_anything_in_them_and_texts_that_are_no_diff_are_shown() -> None:
    quoted = 'diff --git "a/a\\nb.py" "b/a\\nb.py"\n--- "a/a\\nb.py"\n+++ "b/a\\nb.py"\n'
    gone = "diff --git a/old.py b/old.py\ndeleted file mode 100644\n--- a/old.py\n+++ /dev/null\n"
    binary = "diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n"

    assert [one.path for one in patches(quoted + gone + binary)] == [
        '"a\\nb.py"',
        "old.py",
        "x.png",
    ]
    (odd,) = patches("this is no diff\n")
    assert (odd.path, odd.lines[0].text) == ("(no file is named)", "this is no diff")
    assert patches("\n") == []


def test_long_files_are_folded_and_what_is_too_much_is_cut_with_a_count() -> None:
    many = "".join(f"+line {number}\n" for number in range(OPEN_LINES + 1))
    head = "diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -0,0 +1 @@\n"
    found = fitted(patches(head.format("a.py") + "+x\n" + head.format("b.py") + many), 100)

    assert (found[0].is_open, found[1].is_open) == (True, True)
    assert (len(found[1].lines), found[1].left_out) == (98, OPEN_LINES + 2 - 98)
    whole = fitted(patches(head.format("b.py") + many))
    assert (whole[0].is_open, whole[0].left_out) == (False, 0)
    (long,) = patches(head.format("c.py") + "+" + "x" * (LONG_MAX + 5) + "\n")
    assert long.lines[-1].text.endswith("… 5 more")


def test_pieces_lie_between_what_is_no_line_of_the_file() -> None:
    shop, _ = patches(DIFF)

    assert list(sides(shop)) == [(2, 7)]
