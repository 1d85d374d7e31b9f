"""What the checker explores: a workflow, where it starts, how large it may grow, what is tried.

Bounds are part of every report: a proof is only worth what it covered. The world outside (an
agent dies, a lease runs out, a tool fails) is a declared set of events like any other; only the
death of an agent is no event of the workflow, because nobody sends one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from interlock.kernel.expression import Expression, Grammar, parse
from interlock.kernel.rules import NO_ARGS
from interlock.kernel.seen import Actor, Part, Unit
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.workflow import Workflow

PLAIN: Final = Grammar(roots=frozenset({"event"}), default_root="event")

ALIVE: Final = "agent"
GONE: Final = "gone"
"""Holders, as the checker sees them: an agent that lives, and one that will never call again."""

STATES_MAX: Final = 5_000_000
"""Where a check gives up: no sound scope of a size that is any use comes near it."""

COMMANDS_MAX: Final = 3
"""With every agent dead, a person must be able to end a unit in at most so many commands."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A branch that one variant hangs on the part; ``ahead`` counts places to its target."""

    expression: Expression
    action: str
    params: Mapping[str, object] = field(default_factory=lambda: NO_ARGS)
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to send an event. ``lease`` says with which fence: current, former, stale, none.

    ``is_also_a_persons`` says that a person could send the very same with the same effect.
    """

    event: str
    kind: str
    actor: Actor
    args: Mapping[str, object]
    lease: str = ""
    turns: tuple[Turn, ...] = ()
    is_also_a_persons: bool = False

    @property
    def label(self) -> str:
        """A few words for traces."""
        told = [str(v) for v in self.args.values() if isinstance(v, str | bool | int)]
        words = [self.lease + " lease"] if self.lease in ("former", "stale") else []
        words += [turn.action for turn in self.turns]
        return ", ".join(words + told[:2])


def _nobody(_: Unit) -> bool:
    return False


def _nowhere(_: Unit, __: tuple[Part, ...]) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Scope:
    """Everything one check covers.

    ``is_wide`` says that the bounds leave room for every edge and status to be used.
    ``most`` cuts the space: no state has more parts of a kind. ``is_doomed`` names the units
    for which success is not expected any more, ``is_held`` those that wait for a person outside of
    any gate. ``is_failing`` names the states that end at a gate of trouble whatever agents do now,
    because the one who had the last attempt is dead. ``extra`` are variants beyond those that
    follow from the rules themselves.
    """

    flow: Workflow
    starts: tuple[Snapshot, ...]
    bounds: Mapping[str, object]
    most: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    extra: tuple[Variant, ...] = ()
    grammar: Grammar = PLAIN
    is_wide: bool = True
    is_doomed: Callable[[Unit], bool] = _nobody
    is_held: Callable[[Unit], bool] = _nobody
    is_failing: Callable[[Unit, tuple[Part, ...]], bool] = _nowhere
    commands_max: int = COMMANDS_MAX
    states_max: int = STATES_MAX

    def read(self, text: str) -> Expression:
        """Read the expression of a branch, as the workflow reads them."""
        return parse(text, self.grammar)
