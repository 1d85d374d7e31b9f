"""Who is measured beside us, in which environment, and what is not like for like about each."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
ENVIRONMENTS: Final = ROOT / "build" / "peers"
LINEAR, PULL = "linear", "pull"


@dataclass(frozen=True, slots=True)
class Peer:
    """One of them; what it is called in both modes, run by itself and pulled from outside."""

    name: str
    title: str
    linear: str
    pull: str

    @property
    def module(self) -> str:
        """What runs in its environment."""
        return f"tools.bench.peers.{self.name}_peer"

    @property
    def python(self) -> Path:
        """The interpreter of its environment, whether it is there or not."""
        return ENVIRONMENTS / self.name / ".venv" / "bin" / "python"

    def modes(self) -> Iterator[tuple[str, str]]:
        """Yield each mode with what it is called in tables."""
        yield LINEAR, f"{self.title}, {self.linear}"
        yield PULL, f"{self.title}, {self.pull}"

    def told(self) -> str:
        """Return what its adapter says of itself; read, not loaded, because it is not ours."""
        source = Path(__file__).parent / f"{self.name}_peer.py"
        return ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""


PEERS: Final = (
    Peer("langgraph", "LangGraph", "linear", "interrupt/resume"),
    Peer("dbos", "DBOS", "steps", "send/recv"),
    Peer("burr", "Burr", "run", "rebuild + step"),
)


def installed() -> tuple[Peer, ...]:
    """Return those whose environment is there; ``make bench`` makes all of them."""
    return tuple(one for one in PEERS if one.python.exists())
