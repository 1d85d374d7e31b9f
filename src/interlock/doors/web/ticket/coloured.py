"""Code with its colours: by what a word is, as a class that the styles of the page know.

Only languages that are listed, only lines of a usual length, and only so much of a page: what
somebody wrote to be slow to read is shown without colours. The text itself is made harmless like
any other, token by token.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from markupsafe import Markup
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String

from interlock.doors.web.harmless import marked
from interlock.doors.web.ticket.hunks import Line, Patch, sides

PAGE_MAX: Final = 80_000
"""So many characters of a page are coloured."""

PIECE_MAX: Final = 20_000
LONG_MAX: Final = 400
"""Longer pieces, or those with a longer line, are not."""

LANGUAGES: Final = {
    ".py": "python", ".pyi": "python", ".js": "javascript", ".mjs": "javascript",
    ".jsx": "javascript", ".ts": "typescript", ".tsx": "typescript", ".go": "go", ".rs": "rust",
    ".java": "java", ".kt": "kotlin", ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp",
    ".hpp": "cpp", ".cs": "csharp", ".rb": "ruby", ".php": "php", ".swift": "swift",
    ".sh": "bash", ".bash": "bash", ".sql": "sql", ".html": "html", ".css": "css",
    ".json": "json", ".toml": "toml", ".yaml": "yaml", ".yml": "yaml", ".ini": "ini",
    ".ex": "elixir", ".exs": "elixir", ".lua": "lua", ".scala": "scala",
}  # fmt: skip
"""What a file is written in, by the end of its name."""

CLASSES: Final = (
    (Comment, "tok-comment"), (String, "tok-text"), (Number, "tok-number"),
    (Keyword, "tok-word"), (Name.Function, "tok-name"), (Name.Class, "tok-name"),
    (Name.Decorator, "tok-name"), (Name.Tag, "tok-word"), (Name.Builtin, "tok-word"),
)  # fmt: skip


def coloured(found: Sequence[Patch]) -> Iterator[list[Markup]]:
    """Yield for each patch its lines, harmless, with colours as far as there is room for them."""
    room = PAGE_MAX
    for patch in found:
        shown = [marked(line.text) for line in patch.lines]
        language = language_of(patch.path)
        for first, last in sides(patch) if language else ():
            piece = tuple(patch.lines[first:last])
            size = sum(len(line.text) for line in piece)
            if size > min(room, PIECE_MAX) or any(len(line.text) > LONG_MAX for line in piece):
                continue
            room -= size
            shown[first:last] = _piece(piece, language)
        yield shown


def language_of(path: str) -> str:
    """Return what a file is written in; empty where nobody knows."""
    return LANGUAGES.get(PurePosixPath(path.rstrip('"')).suffix.lower(), "")


def _piece(lines: tuple[Line, ...], language: str) -> list[Markup]:
    """Colour a piece as it was and as it is: in between it is no program."""
    after = tuple(line.text for line in lines if line.kind != "del")
    new = iter(_highlighted(after, language))
    if len(after) == len(lines):
        return list(new)
    before = tuple(line.text for line in lines if line.kind != "ins")
    old = iter(_highlighted(before, language))
    told = []
    for line in lines:
        was = next(old) if line.kind != "ins" else Markup()
        told.append(was if line.kind == "del" else next(new))
    return told


@lru_cache(maxsize=512)
def _highlighted(lines: tuple[str, ...], language: str) -> tuple[Markup, ...]:
    """Return the lines of a text with their colours; plain where a lexer has changed it."""
    shown: list[list[Markup]] = [[]]
    read: list[list[str]] = [[]]
    for kind, text in _lexer(language).get_tokens("\n".join(lines)):
        name = _class(kind)
        for number, piece in enumerate(text.split("\n")):
            if number:
                shown.append([])
                read.append([])
            if piece:
                shown[-1].append(_word(piece, name))
                read[-1].append(piece)
    if tuple("".join(row) for row in read) != lines:
        return tuple(map(marked, lines))
    return tuple(Markup().join(row) for row in shown)


def _word(text: str, name: str) -> Markup:
    shown = marked(text)
    return Markup('<span class="{}">{}</span>').format(name, shown) if name else shown


@lru_cache(maxsize=256)
def _class(kind: object) -> str:
    return next((name for above, name in CLASSES if kind in above), "")


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer:
    # Blank lines at either end are lines of the file, too.
    return get_lexer_by_name(language, stripnl=False, ensurenl=False)
