"""What agents and people wrote, made harmless and honest: text stays text.

Nothing that is stored becomes markup of its own: markdown is rendered by us from a short list of
elements and cleaned once more; links lead only to the web and to mail; pictures are links. What
no eye can see (marks that turn the direction of writing, characters without width, control codes)
is shown by its number, so that what somebody approves is what they have read.
"""

import re
from functools import cache, lru_cache
from typing import Final, cast
from unicodedata import name as name_of

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

PROSE_MAX: Final = 20_000
"""Characters of a text that are rendered as markdown; a longer one is shown as it is."""

SHOWN_MAX: Final = 100_000
"""Characters of a text that are shown at all; the whole of it can be downloaded."""

LETTERS: Final = "\u0600-\u10ff"
PICTURES: Final = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
# Joiners belong to some scripts and to composed emoji; anywhere else they only hide something.
UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e"
    "\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
    f"|(?<![{LETTERS}])\u200c|(?<![{LETTERS}{PICTURES}])\u200d"
)

TAGS: Final = {
    "p", "br", "strong", "em", "code", "pre", "blockquote", "ul", "ol", "li", "a", "hr",
    "table", "thead", "tbody", "tr", "th", "td", "s",
}  # fmt: skip
SCHEMES: Final = {"http", "https", "mailto"}
HEAD: Final = "head"
RELATION: Final = "noopener noreferrer nofollow"

_markdown: Final = (
    # Agents write lines and mean lines: what was one below the other stays so.
    MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True})
    .enable(["table", "strikethrough"])
    .disable("image")
)


def plain(text: str) -> str:
    """Return a text in which everything can be seen."""
    if (text.isascii() and text.isprintable()) or not UNSEEN.search(text):
        return text
    return UNSEEN.sub(_number, text)


def _number(found: re.Match[str]) -> str:
    return f"⟨U+{ord(found[0]):04X}⟩"


def marked(text: str) -> Markup:
    """Return a text with marks that stand out where something could not be seen."""
    # Escaped first and as a whole: a long text may have thousands of such places.
    return Markup(UNSEEN.sub(_mark, str(escape(text))))  # noqa: S704  all but the marks is escaped


@cache
def _told(character: str) -> str:
    told = name_of(character, "control character").lower()
    return f'<span class="odd" title="{told}">⟨U+{ord(character):04X}⟩</span>'


def _mark(found: re.Match[str]) -> str:
    return _told(found[0])


def prose(text: str) -> Markup:
    """Return a text as the markdown that it is written in, or as it is where it is long."""
    if len(text) > PROSE_MAX:
        return Markup("<pre>{}</pre>").format(marked(shortened(text)))
    return _rendered(text)


@lru_cache(maxsize=512)
def _rendered(text: str) -> Markup:
    tokens = _markdown.parse(plain(text))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            # Headings of a text must not pass for those of the page.
            token.tag = "p"
            token.attrSet("class", HEAD)
    made = cast("str", _markdown.renderer.render(tokens, _markdown.options, {}))
    return Markup(nh3.clean(  # noqa: S704  cleaned by it, which is what it is for
        made, tags=TAGS, attributes={"a": {"href"}}, allowed_classes={"p": {HEAD}},
        url_schemes=SCHEMES, link_rel=RELATION,
    ))  # fmt: skip


def shortened(text: str) -> str:
    """Return as much of a text as a page shows."""
    if len(text) <= SHOWN_MAX:
        return text
    return f"{text[:SHOWN_MAX]}\n… {len(text) - SHOWN_MAX:,} more characters"
