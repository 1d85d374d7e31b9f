"""What one use of the language may vary: the roots a path can start at, and the limits.

The signs, the words and their meaning are the same everywhere and are not here. Limits can be
lowered but never raised: the promise of 10 ms an expression was measured at the defaults.
"""

from dataclasses import dataclass, field
from typing import Final

CHARACTERS_MAX: Final = 2_000
DEPTH_MAX: Final = 32
NODES_MAX: Final = 10_000

# Words with a meaning of their own: no path may begin with one, but a later name may be one.
RESERVED: Final = frozenset({"true", "false", "null", "in", "exists"})


@dataclass(frozen=True, slots=True)
class Limits:
    """How large one expression may be.

    ``depth`` counts the ``(`` and ``!`` around a comparison. ``nodes`` counts every comparison,
    ``exists``, ``!``, ``&&`` or ``||`` chain, path, name or index in a path, and literal.
    """

    characters: int = CHARACTERS_MAX
    depth: int = DEPTH_MAX
    nodes: int = NODES_MAX

    def __post_init__(self) -> None:
        """Refuse a limit above the default: raised depth would let the parser run out of stack."""
        for name, given, most in (
            ("characters", self.characters, CHARACTERS_MAX),
            ("depth", self.depth, DEPTH_MAX),
            ("nodes", self.nodes, NODES_MAX),
        ):
            if not 1 <= given <= most:
                message = f"the limit {name} must be from 1 to {most:,}, not {given:,}"
                raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The roots of paths; a first name that is none of them is looked up in ``default_root``."""

    roots: frozenset[str]
    default_root: str
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """Refuse roots that no expression could name."""
        if self.default_root not in self.roots:
            message = f"the default root {self.default_root!r} is not one of the roots"
            raise ValueError(message)
        for root in sorted(self.roots):
            if not root.isidentifier() or root in RESERVED:
                message = f"{root!r} cannot be a root: it is reserved or not a name"
                raise ValueError(message)
