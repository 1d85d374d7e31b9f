"""The rows that tie machines together: rules with guards and walks, lifts, cascades, pairs.

A *rule* says what one event does: who may send it, which guards refuse it, and the walk of
edges it takes. After the walk the interlock settles: *cascades* go down (unit to parts),
*lifts* go up (parts to unit or parent). *Pairs* say which statuses may stand together. All
rows are data or name a registered function, so they can be exported, drawn and taken out one
by one by the mutation tests.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from interlock.kernel.forms import Form

USER: Final = "user"
AGENT: Final = "agent"
WORKER: Final = "worker"
SYSTEM: Final = "system"
ACTORS: Final = frozenset({USER, AGENT, WORKER, SYSTEM})

VERBS: Final = ("submit", "heartbeat", "release", "take_over", "fail", "lapse")
"""What can be said about a claimed part of any kind."""

Who = Literal["unit", "part", "parent", "current"]
Whom = Literal["all", "children", "dependents", "part", "parent", "current"]

NO_ARGS: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Guard:
    """A test that must hold, and what a caller is told when it does not."""

    test: Form
    code: str = "INVALID_TRANSITION"
    message: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Fire:
    """One stage of a walk: fire ``signal`` on the unit, the part, its parent or the current part.

    With ``maybe`` a thing that has no such edge where it stands is passed over; without it a
    missing edge is a broken walk, which the checker reports. ``from_arg`` takes the signal from
    an argument of the event instead.
    """

    who: Who
    signal: str
    maybe: bool = False
    when: Form | None = None
    reason: str = ""
    from_arg: str = ""


@dataclass(frozen=True, slots=True)
class Do:
    """One stage of a walk that is no edge: a registered function works on the draft."""

    name: str
    when: Form | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """What one event does. ``kind`` is what the event is about; ``sees`` names its slice.

    ``examples`` are argument sets that between them take every path of the rule; the checker
    tries them all, and ``explain`` shows the first that works. ``lease`` says that the caller
    proves with a fence that the part is theirs.
    """

    event: str
    kind: str
    actors: frozenset[str]
    guards: tuple[Guard, ...] = ()
    walk: tuple[Fire | Do, ...] = ()
    sees: tuple[str, ...] = ()
    examples: tuple[Mapping[str, object], ...] = (NO_ARGS,)
    lease: bool = False
    command: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Lift:
    """Parts move what stands above them: while ``when`` holds, ``fire`` is fired on ``who``."""

    name: str
    when: Form
    fire: str
    who: Literal["unit", "parent", "current"] = "unit"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Cascade:
    """Something entered or left a status, so others follow.

    ``fire`` is a signal for ``whom``, those of kind ``to`` that have such an edge; ``do`` is a
    registered function for what is no edge. A unit's ``enters`` counts only if it is still there
    when the walk has ended.
    """

    name: str
    of: str
    enters: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    to: str = ""
    fire: str = ""
    whom: Whom = "all"
    do: str = ""
    when: Form | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A legal pair: while the unit is in one of ``units``, ``holds`` must be true of its parts."""

    name: str
    units: tuple[str, ...]
    holds: Form
