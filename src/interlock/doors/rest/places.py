"""Where everything is: a path becomes a place; one that is none is told the nearest there is.

Paths are taken apart before they are decoded, so that an id may hold any character.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from interlock.commands.row import AnyCommand
from interlock.doors.http import NoSuchPath

PREFIX: Final = "/v1"
EVENTS: Final = "/events"
OPENAPI: Final = "/openapi.json"
CONTENT: Final = "/units/{id}/artifacts/{digest}/content"
DRAWING: Final = "/workflows/{name}/drawing"
OWN: Final = (EVENTS, OPENAPI, CONTENT, DRAWING)
"""Paths that can be got and are no command's."""


class Place(NamedTuple):
    """What is at a path for one method; no row: it is the door's own."""

    method: str
    path: str
    row: AnyCommand | None = None


class Found(NamedTuple):
    """What is at a path, by method, and what stands in it where names are in braces."""

    places: Mapping[str, Place]
    params: Mapping[str, str]

    @property
    def methods(self) -> tuple[str, ...]:
        """Every method that is answered there."""
        more = ("HEAD",) if "GET" in self.places else ()
        return (*sorted({*self.places, *more}), "OPTIONS")


class Places:
    """All places of the door."""

    def __init__(self, rows: Iterable[AnyCommand]) -> None:
        """Take the rows of the commands; the door's own places are added."""
        places = [Place(row.method, row.path, row) for row in rows]
        places += [Place("GET", path) for path in OWN]
        # A path that is spelled out is meant before one that takes anything.
        self.all = tuple(sorted(places, key=lambda place: place.path.count("{")))
        self._by_path: dict[str, dict[str, Place]] = {}
        for place in self.all:
            self._by_path.setdefault(place.path, {})[place.method] = place
        # Paths taken apart, by how many parts they have.
        self._apart: dict[int, list[tuple[str, list[str]]]] = {}
        for path in self._by_path:
            segments = path.split("/")[1:]
            self._apart.setdefault(len(segments), []).append((path, segments))

    def find(self, path: str) -> Found:
        """Return what is at a path below the version, as it was sent; raises ``NoSuchPath``."""
        parts = [_decoded(part) for part in path.split("/")[1:]]
        for known, segments in self._apart.get(len(parts), ()):
            params = _match(segments, parts)
            if params is not None:
                return Found(self._by_path[known], params)
        raise NoSuchPath("There is nothing at this path.", fix=self._nearest(path))

    def _nearest(self, path: str) -> str:
        known = {place.path for place in self.all}
        near = get_close_matches(path[:200], known, n=1)
        return f"Did you mean {PREFIX}{near[0]}?" if near else f"See {PREFIX}{OPENAPI}."


def _match(segments: list[str], parts: list[str]) -> dict[str, str] | None:
    """Return what stands where names are in braces; None where the paths differ."""
    params: dict[str, str] = {}
    for segment, part in zip(segments, parts, strict=True):
        if segment.startswith("{") and part:
            params[segment[1:-1]] = part
        elif segment != part:
            return None
    return params


def _decoded(part: str) -> str:
    """Return a part of a path as text; nothing where it is none."""
    try:
        return unquote_to_bytes(part).decode()
    except UnicodeDecodeError:
        return ""
