"""The page of promises tells each of them, what tries it, and how much."""

from tools.promise_page import promise_page


def test_every_promise_is_told_with_what_tries_it() -> None:
    page = promise_page()

    assert [line for line in page.splitlines() if line.startswith("## P")][::29] == [
        "## P1 Acknowledged is durable", "## P30 Two stores, one behaviour",
    ]  # fmt: skip
    assert "nobody is let in without a good token (`tests/doors/rest/test_door.py`)" in page
    assert page.startswith("<!-- Made by `make docs`")


def test_figures_and_what_is_not_tried_yet_are_told() -> None:
    page = promise_page()

    assert "| 50,000 | 5,000,000 |" in page
    assert "A fuzz of workflow definitions" in page
