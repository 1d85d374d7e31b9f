"""What an exploration gathers: the graph, and what only the walk itself can see."""

from dataclasses import dataclass, field

from interlock.kernel.check.graph import Graph


@dataclass(slots=True)
class Problem:
    """Something the walk itself saw go wrong: the state, the event tried there, and what broke."""

    kind: str
    state: int
    label: int
    message: str


@dataclass(slots=True)
class Walk:
    """Everything an exploration gathered."""

    graph: Graph
    problems: list[Problem] = field(default_factory=list)
    edges: set[tuple[str, str, str]] = field(default_factory=set)
    statuses: set[tuple[str, str]] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
