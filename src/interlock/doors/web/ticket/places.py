"""Where in a text the places of a document are: by its JSON path the line it begins in."""

from collections.abc import Iterator, Mapping
from typing import Final

import yaml

from interlock.ticketing.answer import place
from interlock.ticketing.canonical import DEPTH_MAX, LOADER

LENGTH_MAX: Final = 1_000_000
"""Longer texts are not looked through: what is wrong is told by its path alone."""


def places(text: str) -> Mapping[str, int]:
    """Return by path the line of everything in a YAML text, from 1; nothing for any other."""
    if len(text) > LENGTH_MAX:
        return {}
    try:
        root = yaml.compose(text, LOADER)
    except yaml.YAMLError:
        return {}
    return {} if root is None else dict(_below(root, ()))


def _below(node: yaml.Node, way: tuple[str | int, ...]) -> Iterator[tuple[str, int]]:
    yield place(*way), node.start_mark.line + 1
    if len(way) > DEPTH_MAX:
        return
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                # A list or object stands below its name: the name is what is looked for.
                inner = (*way, str(key.value))
                yield from _below(value, inner)
                yield place(*inner), key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield from _below(value, (*way, number))


def line_of(known: Mapping[str, int], path: str) -> int:
    """Return the line of a path, or of the nearest place above it that there is."""
    while path:
        if path in known:
            return known[path]
        path = path[: max(path.rfind("."), path.rfind("["))] if path != "$" else ""
    return 0
