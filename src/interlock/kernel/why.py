"""An explanation: where a thing stands, which calls move it, what must change before others do.

It only holds and tells; ``explain`` finds out.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from interlock.kernel.seen import Actor, PartId

PROOFS: Final = frozenset({"fence", "lease"})
"""Arguments that are told with their value: what a holder proves with that the part is theirs."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that would be accepted now: what it is, who may make it, what it would move.

    ``by`` is the one it was tried as: for a part that is held, its holder.
    """

    event: str
    command: str
    actors: tuple[str, ...]
    by: Actor
    part: PartId | None
    args: Mapping[str, object]
    moves: tuple[str, ...]
    # 0: moves what was asked about; 1: moves or makes something else; 2: changes no status.
    reach: int
    # Ends the unit without success.
    is_giving_up: bool = False

    def text(self) -> str:
        """Say the call: what to send, about what, with which arguments, and who can."""
        about = "" if self.part is None else f" {self.part}"
        told = "".join(f" --{name} {value}" for name, value in self.args.items() if name in PROOFS)
        asked = "".join(f" --{name} …" for name in self.args if name not in PROOFS)
        return f"{self.command or self.event}{about}{told}{asked}   by {' or '.join(self.actors)}"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is not so now: why a call is refused, or what a lift waits for."""

    what: str
    actors: tuple[str, ...]
    code: str = ""
    # The calls that are refused for it.
    holds_back: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wait:
    """Something that is waited for: who is to do what about which part, and why.

    ``events`` are what they would send, the one that lets it go on first; ``state`` is the row of
    the workflow's table that says so.
    """

    state: str
    who: tuple[str, ...]
    what: str
    events: tuple[str, ...]
    part: PartId | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Why a thing is where it is. ``since`` is the caller's to fill in: the kernel has no clock.

    ``first`` are calls about something else after which this could move; ``waits`` are what the
    unit waits for in the words of its workflow, where it has any.
    """

    kind: str
    status: str
    is_ended: bool
    calls: tuple[Call, ...]
    facts: tuple[Fact, ...]
    first: tuple[Call, ...] = ()
    holder: str = ""
    since: int | None = None
    waits: tuple[Wait, ...] = ()

    def text(self) -> str:
        """Return the explanation for people."""
        held = f", held by {self.holder}" if self.holder else ""
        head = f"The {self.kind} is {self.status}{held}."
        if self.is_ended and not self.calls:
            return f"{head} It has ended; nothing moves it any more."
        return "\n".join([head, *self.sections()])

    def sections(self) -> Iterator[str]:
        """Yield the lines below the first one."""
        if self.waits:
            yield "It waits for"
            yield from (f"  · {' or '.join(wait.who)}: {wait.what}" for wait in self.waits)
        own = [call for call in self.calls if not call.reach and not call.is_giving_up]
        yield from _listed("It moves when", own)
        yield from _listed("It can move after", self.first)
        meanwhile = [call for call in self.calls if call.reach and not call.is_giving_up]
        yield from _listed("Meanwhile", meanwhile)
        yield from _listed("To give it up", [call for call in self.calls if call.is_giving_up])
        if self.facts:
            yield "Not now"
            for fact in self.facts:
                code = f" [{fact.code}]" if fact.code else ""
                held = f": {', '.join(fact.holds_back)}" if fact.holds_back else ""
                yield f"  · {fact.what}{code}{held}"


def _listed(title: str, calls: Iterable[Call]) -> Iterator[str]:
    for number, call in enumerate(calls):
        if not number:
            yield title
        yield f"  · {call.text()}"
        if call.moves:
            yield f"      {'; '.join(call.moves)}"
