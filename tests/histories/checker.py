"""Is a history explained by one order? Told in time that grows with its length alone.

The log of a unit says in which order its versions came to be. What is left to ask of each
operation is whether it fits there: a read tells a version that there was, none that was over
before the read began, and none that was made after it. Whatever does not fit has a name.

``graph`` asks the same of the dependencies between operations, without knowing any of this.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tests.histories.graph import cycles
from tests.histories.operation import History, Operation, Written

CYCLIC: Final = frozenset({
    "lost update", "stale read", "non-monotonic read", "future read", "real-time order",
})  # fmt: skip
"""What must be seen as a cycle, too."""

TAKES: Final = frozenset({"claim"})
GIVES: Final = frozenset({"release", "submit", "request_review"})
DECIDES: Final = frozenset({"approve", "modify"})


class Anomaly(NamedTuple):
    """Something that no order explains, and the operations that make it."""

    kind: str
    unit: str
    told: str

    def __str__(self) -> str:
        """Say it in a sentence."""
        return f"{self.kind} of {self.unit}: {self.told}"


def check(history: History) -> list[Anomaly]:
    """Return all that is wrong with a history."""
    found: list[Anomaly] = []
    for unit, operations, log in history.by_unit():
        own = [*_check_unit(unit, operations, log)]
        circles = cycles(operations, log)
        if any(one.kind in CYCLIC for one in own) != bool(circles):
            told = f"the dependencies have {len(circles)} cycles, and was found: {own}"
            own.append(Anomaly("disagreement", unit, told))
        found += own
        found += [Anomaly("cycle", unit, told) for told in circles]
    return found


def _check_unit(
    unit: str, operations: Sequence[Operation], log: Sequence[Written]
) -> Iterator[Anomaly]:
    one = _Unit(unit, {written.request: written for written in log}, log)
    yield from one.answers(operations)
    yield from one.writes(operations)
    yield from one.reads(operations)
    yield from one.times(operations)
    yield from one.holders(operations)


@dataclass(slots=True)
class _Unit:
    name: str
    by_request: Mapping[str, Written]
    log: Sequence[Written]
    # By version: who has made it. Only the last entry of a request makes one.
    made: dict[int, Written] = field(init=False)
    # By entry: whose it is.
    covers: dict[int, Written] = field(init=False)

    def __post_init__(self) -> None:
        self.made = {written.last: written for written in self.log}
        self.covers = {}
        for written in self.log:
            self.covers |= dict.fromkeys(range(written.first, written.last + 1), written)

    def _say(self, kind: str, told: str) -> Anomaly:
        return Anomaly(kind, self.name, told)

    # -- each by itself ------------------------------------------------------------------------

    def answers(self, operations: Iterable[Operation]) -> Iterator[Anomaly]:
        """Find what was answered wrongly, whatever else was going on."""
        sent = set()
        for one in operations:
            sent.add(one.name)
            if one.wrong:
                yield self._say("wrong answer", f"{one}: {one.wrong}")
            if one.refused and one.name in self.by_request:
                yield self._say("phantom", f"{one} was refused with {one.refused}, and happened")
        seen = set()
        for written in self.log:
            if written.request not in sent:
                yield self._say("phantom", f"nobody sent {written}")
            if written.request in seen:
                yield self._say("phantom", f"{written.request} happened twice")
            seen.add(written.request)

    def writes(self, operations: Iterable[Operation]) -> Iterator[Anomaly]:
        """Find writes that are not there, and such as were decided on another version."""
        known = {one.name for one in operations}
        for one in operations:
            if not one.is_write:
                continue
            made = self.by_request.get(one.name)
            if made is None or (made.last, made.head) != (one.version, one.head):
                other = self.covers.get(one.version)
                is_replaced = other is not None and other.request in known - {one.name}
                kind = "lost update" if is_replaced else "lost write"
                yield self._say(kind, f"{one} was acknowledged; there is {other or made}")
            elif one.based_on and made.first != one.based_on + 1:
                between = self.covers.get(one.based_on + 1)
                told = f"{one} was decided on version {one.based_on}, after it came {between}"
                yield self._say("lost update", told)

    def reads(self, operations: Iterable[Operation]) -> Iterator[Anomaly]:
        """Find reads of what never stood."""
        last = self.log[-1].last if self.log else 0
        for one in operations:
            if not one.is_read:
                continue
            made = self.made.get(one.version)
            if made is None and one.version < last:
                yield self._say("intermediate read", f"{one}: that is the middle of a commit")
            elif made is None or (one.head and made.head != one.head):
                yield self._say("aborted read", f"{one}: no such version was committed")

    # -- one after the other -------------------------------------------------------------------

    def times(self, operations: Sequence[Operation]) -> Iterator[Anomaly]:
        """Find what was answered before something began, and comes after it in the order."""
        told = [one for one in operations if self._is_placed(one)]
        ended = sorted(told, key=lambda one: one.returned_ns)
        newest: Operation | None = None
        by_client: dict[str, Operation] = {}
        place = 0
        for one in sorted(told, key=lambda one: one.invoked_ns):
            while place < len(ended) and ended[place].returned_ns < one.invoked_ns:
                done = ended[place]
                newest = _newer(newest, done)
                by_client[done.client] = _newer(by_client.get(done.client), done)
                place += 1
            for other in (by_client.get(one.client), newest):
                if other is not None and _is_before(one, other):
                    yield self._say(_kind(one, other), f"{one} began after {other} had ended")
                    break
        yield from self._future(told)

    def _is_placed(self, one: Operation) -> bool:
        if one.is_write:
            made = self.by_request.get(one.name)
            return made is not None and made.last == one.version
        return one.is_read and one.version in self.made

    def _future(self, told: Iterable[Operation]) -> Iterator[Anomaly]:
        writers = {one.version: one for one in told if one.is_write}
        for one in told:
            writer = writers.get(one.version)
            if one.is_read and writer is not None and writer.invoked_ns > one.returned_ns:
                yield self._say("future read", f"{one} had ended before {writer} began")

    # -- who has what --------------------------------------------------------------------------

    def holders(self, operations: Iterable[Operation]) -> Iterator[Anomaly]:
        """Find parts with two holders, and gates with two decisions, in the order of the log."""
        held: dict[str, Operation] = {}
        asked: set[str] = set()
        placed = [one for one in operations if one.is_write and self._is_placed(one) and one.part]
        for one in sorted(placed, key=lambda one: one.version):
            kind = _conflict(one, held.get(one.part), is_asked=one.part in asked)
            if kind:
                held_by = f"held by {held.get(one.part)}, asked about: {sorted(asked)}"
                yield self._say(kind, f"{one} of {one.client}, {held_by}")
            if one.command in DECIDES:
                asked.discard(one.part)
            elif one.command in GIVES:
                held.pop(one.part, None)
            elif one.command in TAKES:
                held[one.part] = one
            if one.command == "request_review":
                asked.add(one.part)


def _conflict(one: Operation, holder: Operation | None, *, is_asked: bool) -> str:
    """Say what is wrong with a write, given who holds its part and whether a decision is due."""
    if one.command in DECIDES:
        return "" if is_asked else "two decisions"
    if one.command in TAKES:
        return "" if holder is None else "two holders"
    return "" if holder is not None and holder.client == one.client else "stale fence"


def _newer(one: Operation | None, other: Operation) -> Operation:
    return other if one is None or other.version >= one.version else one


def _is_before(one: Operation, done: Operation) -> bool:
    """Say whether something comes before what had ended when it began; two writes never share."""
    return one.version < done.version or (one.is_write and one.version == done.version)


def _kind(one: Operation, done: Operation) -> str:
    if one.is_write:
        return "real-time order"
    return "non-monotonic read" if one.client == done.client else "stale read"
