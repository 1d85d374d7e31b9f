"""What others wrote stays text, and nothing in it is hidden."""

import pytest

from interlock.doors.web.harmless import PROSE_MAX, SHOWN_MAX, marked, plain, prose, shortened


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "![x](https://tracker.example/pixel.png)",
        "<svg/onload=alert(1)>",
        "[x](https://a.example 'onmouseover=alert(1)')",
        '<https://a.example/"onmouseover=alert(1)>',
        "[x]: javascript:alert(1)\n\n[x]",
    ],
)
def test_no_text_becomes_a_tag_or_an_address_that_acts(text: str) -> None:
    page = prose(text)

    for word in ("<script", "<img", "<svg", 'href="javascript', 'href="data', " onmouse", " onerr"):
        assert word not in page.replace("&lt;", "[").replace(" onerror", "[")


def test_markdown_is_rendered_and_its_headings_are_no_headings_of_the_page() -> None:
    page = prose("# Big\n\n**bold** [a](https://a.example)\n\n|a|b|\n|-|-|\n|1|2|")

    assert "<h1" not in page
    assert '<p class="head">Big</p>' in page
    assert "<strong>bold</strong>" in page
    assert '<a href="https://a.example" rel="noopener noreferrer nofollow">a</a>' in page
    assert "<td>1</td>" in page
    assert prose("one\ntwo") == "<p>one<br>\ntwo</p>\n"


def test_what_cannot_be_seen_is_shown_by_its_number() -> None:
    assert plain("a\u202eb\u200bc\x1b[31m\u2066") == "a⟨U+202E⟩b⟨U+200B⟩c⟨U+001B⟩[31m⟨U+2066⟩"
    assert "⟨U+202E⟩" in prose("a\u202eb")
    told = marked("<\u202e>")

    assert told.startswith("&lt;<span class=")
    assert 'title="right-to-left override"' in told


def test_what_belongs_to_a_script_or_a_picture_stays() -> None:
    for text in ("👩\u200d💻", "\u0645\u06cc\u200c\u062e", "line\n\tnext", "naïve Ωmega 東京"):
        assert plain(text) == text


def test_a_long_text_is_shown_as_it_is_and_a_very_long_one_in_part() -> None:
    assert prose("*a* " * PROSE_MAX).startswith("<pre>*a*")
    assert shortened("x" * SHOWN_MAX) == "x" * SHOWN_MAX

    assert shortened("x" * (SHOWN_MAX + 5)).endswith("… 5 more characters")
