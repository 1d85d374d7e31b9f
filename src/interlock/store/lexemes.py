"""Cut SQL into its smallest pieces, as far as both databases agree on them.

Enough to find parameters, to see where a statement ends and to compare two texts; it is no
parser. Not known here: names in brackets or backquotes, and comments inside comments.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_LEXEME = re.compile(
    r"""
      (?P<comment>   --[^\n]* | /\*.*?\*/ )
    | (?P<text>      [eE]'(?:[^'\\]|\\.|'')*' | '(?:[^']|'')*'
                   | (?P<tag>\$(?:[A-Za-z_]\w*)?\$).*?(?P=tag) )
    | (?P<quoted>    "(?:[^"]|"")*" )
    | (?P<parameter> :[A-Za-z_]\w* )
    | (?P<place>     \$\d+ )
    | (?P<word>      [A-Za-z_][\w$]* | \d[\w.]* )
    | (?P<sign>      :: | \S )
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_NAME = re.compile(r'"[a-z_][a-z0-9_]*"')


class Lexeme(NamedTuple):
    """One piece: its kind (the names in the pattern above), its text and where it begins."""

    kind: str
    text: str
    start: int


def lexemes(sql: str) -> Iterator[Lexeme]:
    """Yield the pieces of a text from left to right, comments included, blanks left out."""
    for match in _LEXEME.finditer(sql):
        # The tag of a dollar quote is a group too, but it ends inside the text around it.
        yield Lexeme(match.lastgroup or "", match.group(), match.start())


def plain(sql: str) -> list[str]:
    """Return the pieces without anything that means nothing to a database.

    Comments go, and words that need neither capitals nor quotes lose them: two texts with the
    same pieces say the same.
    """
    words = []
    for kind, text, _ in lexemes(sql):
        if kind == "comment":
            continue
        if kind == "quoted" and _PLAIN_NAME.fullmatch(text):
            words.append(text.strip('"'))
        else:
            words.append(text.lower() if kind in {"word", "parameter"} else text)
    return words


def statement_heads(sql: str) -> Iterator[str]:
    """Yield the first word of every statement, in capitals; the body of a trigger counts too."""
    is_first = True
    for kind, text, _ in lexemes(sql):
        if kind == "comment":
            continue
        if is_first and kind == "word":
            yield text.upper()
        is_first = text == ";"
