"""Pictures: what the kernel drew as text becomes SVG. The only module that knows Graphviz.

Graphviz is a C library with one memory for all threads, so drawings are made one at a time; the
same text is drawn once. What comes out refers to nothing outside of itself, takes its ink from
the text around it (or, standing alone, from the reader's light or dark mode) and has a title.
"""

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import Final

import pygraphviz

from interlock.errors import InterlockError

CACHE_MAX: Final = 256
"""How many drawings are kept; a machine with its marks needs one for each status."""

# As the root of a document of its own a picture chooses its ink; inside of a page it inherits it.
STYLE: Final = (
    "svg:root{color:#1f2328;background:#fff}"
    "@media (prefers-color-scheme:dark){svg:root{color:#e6edf3;background:#0d1117}}"
)
ORIGIN: Final = re.compile(r"<!-- drawn from sha256:([0-9a-f]{64}) -->")

_OPENING: Final = re.compile(
    r"<svg width=\"(?P<width>[^\"]+)\" height=\"(?P<height>[^\"]+)\"\s+"
    r"viewBox=\"(?P<box>[^\"]+)\"[^>]*>\s*"
    r"<g id=\"[^\"]*\" class=\"graph\"(?P<move>[^>]*)>\s*<title>(?P<title>.*?)</title>",
    re.DOTALL,
)
_COMMENT: Final = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_NUMBERED_ID: Final = re.compile(r" id=\"(?:node|edge|clust|a_\w+)\d+\"")

# How Graphviz begins a line of its own, and how its font libraries do.
TOLD: Final = ("Error", "Warning", "in ", "...")
GRUMBLES: Final = ("Fontconfig", "Pango")

_one_at_a_time: Final = Lock()


class InvalidDrawing(InterlockError):
    """The text is not a drawing that Graphviz can read."""

    code = "INVALID_DRAWING"
    http = 422


@lru_cache(maxsize=CACHE_MAX)
def svg(dot_text: str) -> str:
    """Return a drawing in DOT as SVG; raises InvalidDrawing with what Graphviz says is wrong."""
    with _one_at_a_time, _overheard() as heard:
        try:
            drawn = pygraphviz.AGraph(string=dot_text).draw(format="svg", prog="dot").decode()
        except (ValueError, pygraphviz.DotError):
            drawn = ""
    match = _OPENING.search(_COMMENT.sub("", drawn))
    if match is None:
        said = "; ".join(heard) or "no graph in it"
        raise InvalidDrawing(
            f"Graphviz cannot draw this: {said}.", fix="Mend the DOT text; `dot -c` names the line."
        )
    return _dressed(match, origin(dot_text))


def origin(dot_text: str) -> str:
    """Return the digest that a picture of this text carries, so that a stale one is noticed.

    Pictures themselves cannot be compared: their layout depends on the fonts of the machine.
    """
    return hashlib.sha256(f"{STYLE}\n{dot_text}".encode()).hexdigest()


def drawn_from(picture: str) -> str:
    """Return the digest a picture carries, or the empty string when it carries none."""
    match = ORIGIN.search(picture)
    return match.group(1) if match else ""


def _dressed(opening: re.Match[str], digest: str) -> str:
    """Take off what is Graphviz's own (prolog, numbers, black ink) and put on what is ours."""
    body = _NUMBERED_ID.sub("", opening.string[opening.end() :])
    for paint in ("fill", "stroke"):
        body = body.replace(f'{paint}="black"', f'{paint}="currentColor"')
    width, height, box, move, title = opening.group("width", "height", "box", "move", "title")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="interlock-picture" role="img"'
        f' width="{width}" height="{height}" viewBox="{box}" fill="currentColor">\n'
        f"<title>{title}</title>\n"
        f"<!-- drawn from sha256:{digest} -->\n"
        f"<style>{STYLE}</style>\n"
        f'<g class="graph"{move}>{body}'
    )


@contextmanager
def _overheard() -> Iterator[list[str]]:
    """Collect what the C library prints on standard error; what is not meant for us is passed on.

    Its font library grumbles about configuration files that are newer than itself. That is no
    news to somebody who asked for a diagram, so those lines are dropped.
    """
    heard: list[str] = []
    try:
        real = os.dup(2)
    except OSError:  # no standard error at all, as in a service without a terminal
        yield heard
        return
    sys.stderr.flush()
    with tempfile.TemporaryFile() as ear:
        os.dup2(ear.fileno(), 2)
        try:
            yield heard
        finally:
            sys.stderr.flush()
            os.dup2(real, 2)
            ear.seek(0)
            for line in ear.read().decode(errors="replace").splitlines():
                if line.startswith(TOLD):
                    heard.append(line.strip())
                elif not line.startswith(GRUMBLES):
                    os.write(real, f"{line}\n".encode())
            os.close(real)
