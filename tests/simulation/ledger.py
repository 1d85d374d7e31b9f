"""What was sent and what was answered; and whether the audit bears the answers out.

Every command has a name of its own, which the audit tells with each of its entries. So nothing can
be there that nobody sent, nothing twice, nothing that was refused; and what was answered must be
there. A command whose answer was lost may have happened or not: asked again, it is answered.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, cast

from interlock.service.engine import Engine, Principal
from interlock.service.order import fence_of
from interlock.service.run import Answer
from interlock.store.rows import unit_of
from interlock.store.script import Key
from tests.simulation.mirror import Mirror

BELIEVED: Final = ("STORE_BUSY", "STORE_FULL")
"""Failures that say that nothing was applied; whatever else a store fails with leaves it open."""

HELD_MAX: Final = 60
"""How many leases are remembered, the last ones: who comes back later finds nothing new."""


@dataclass(slots=True)
class Sent:
    """A command as it was sent; it can be sent again word for word."""

    tag: str
    by: Principal
    what: str
    do: Callable[[Engine], Awaitable[Answer | None]]
    key: Key | None = None
    # With which lease, about which part; about which gate.
    lease: str = ""
    part: str = ""
    gate: str = ""
    # What it decides on, as it was shown to whoever sends it.
    digest: str = ""
    # Whether it may look for documents: the tickets of a simulation have none that can be read.
    reads_documents: bool = False
    # The only thing that may be said to it; empty is anything.
    must: str = ""
    # Whether it hands out a lease or extends one, and whether it tells its name in the audit.
    is_held: bool = False
    is_named: bool = True
    text: str = ""
    refused: str = ""
    # Whether somebody was told that it was carried out, and not that it had been.
    is_done: bool = False
    is_open: bool = False
    """Whether nobody knows what became of it, for at least one of the times it was sent."""


@dataclass(slots=True)
class Held:
    """A lease as an agent was given it."""

    by: Principal
    unit: str
    part: str
    token: str


@dataclass(slots=True)
class Ledger:
    """All commands of a run."""

    mirror: Mirror
    incarnation: str = ""
    sent: dict[str, Sent] = field(default_factory=dict)
    keyed: list[Sent] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    _fresh: list[tuple[Sent, Answer]] = field(default_factory=list)

    def add(self, sent: Sent) -> None:
        """Note a command before it is sent."""
        if sent.tag not in self.sent:
            self.sent[sent.tag] = sent
            if sent.key is not None:
                self.keyed.append(sent)

    def answer(self, sent: Sent, answer: Answer | None) -> None:
        """Note an answer; none is an answer, too."""
        if sent.must:
            self.mirror.find(sent.tag, f"was to be told {sent.must}, and was answered")
        if answer is None:
            return
        if sent.text and sent.text != answer.text:
            self.mirror.find(sent.tag, f"was answered {sent.text}, and then {answer.text}")
        if sent.is_done and not answer.is_replay:
            self.mirror.find(sent.tag, "was answered, and carried out again")
        sent.is_done = sent.is_done or not answer.is_replay
        sent.text = answer.text
        self._fresh.append((sent, answer))

    def refuse(self, sent: Sent, code: str) -> None:
        """Note a refusal, which must be the right one where only one is."""
        sent.refused = code
        if sent.must not in ("", code):
            self.mirror.find(sent.tag, f"was to be told {sent.must}, and was told {code}")
        if sent.reads_documents and code == "CORRUPT_STATE":
            sent.is_open = True
        elif code in ("CORRUPT_STATE", "INTERNAL"):
            self.mirror.find(sent.tag, f"was told {code}")
        if sent.text:
            self.mirror.find(sent.tag, f"was answered, and asked again is told {code}")

    def check(self) -> None:
        """Compare the answers since the last look with what the audit says by now."""
        fresh, self._fresh = self._fresh, []
        for sent, answer in fresh:
            reply = cast("dict[str, Any]", answer.reply)
            if "receipt" in reply:
                self._check_receipt(sent, reply)
                self._take_lease(sent, reply, is_replay=answer.is_replay)
        # What is said at once needs not be looked for at the end.
        for tag in self.mirror.first_heard():
            if tag not in self.sent:
                self.mirror.find(tag, "nobody asked for it")
            elif self.sent[tag].by.tenant != self.mirror.owners[tag]:
                self.mirror.find(tag, "a stranger did it")

    def _check_receipt(self, sent: Sent, reply: dict[str, Any]) -> None:
        receipt, mirror = reply["receipt"], self.mirror
        unit = mirror.units.get(receipt["unit"])
        if unit is None or not _has(unit.hashes, receipt):
            mirror.find(sent.tag, f"was answered with {receipt} and is lost")
        elif unit.tenant != sent.by.tenant:
            mirror.find(sent.tag, "a stranger was answered")
        if sent.is_named and mirror.named[sent.tag] != 1:
            mirror.find(sent.tag, f"was answered, and happened {mirror.named[sent.tag]} times")
        if sent.lease:
            had = mirror.fences.get((sent.tag, sent.part))
            if had is not None and had != fence_of(sent.lease, self.incarnation):
                mirror.find(sent.tag, f"was accepted with a lease that was not good ({had})")
        shown = mirror.shown.get((sent.tag, sent.part or str(receipt["unit"])))
        if sent.digest and shown is not None and shown != sent.digest:
            mirror.find(sent.tag, f"decided on {sent.digest}, and {shown} was shown")
        closed = mirror.closed.get(sent.gate)
        if closed is not None and mirror.begun.get(sent.tag, 0) > closed[1]:
            mirror.find(sent.tag, f"decided {sent.gate}, which {closed[0]} had decided")

    def _take_lease(self, sent: Sent, reply: dict[str, Any], *, is_replay: bool) -> None:
        lease, part = reply.get("lease"), reply.get("part")
        if not sent.is_held or not lease or not part:
            return
        unit = unit_of(part)
        if sent.lease != lease["token"]:
            self.held.append(Held(sent.by, unit, part, lease["token"]))
            del self.held[:-HELD_MAX]
        thing = self.mirror.units[unit].parts.get(part)
        fence = fence_of(lease["token"], self.incarnation)
        # An answer given again is about a time from which the database may have been shifted.
        if thing is None or thing.fence != fence or (is_replay and self.mirror.shift):
            return
        until = lease["expires_at"] + self.mirror.shift
        thing.until = max(until, thing.until) if thing.told == fence else until
        thing.told = fence

    def settle(self) -> None:
        """Say at the end what was refused and happened, or was answered and did not."""
        for tag, sent in self.sent.items():
            entries, names = self.mirror.entries[tag], self.mirror.named[tag]
            if entries and not sent.text and not sent.is_open:
                self.mirror.find(tag, f"was told {sent.refused or 'nothing'}, and happened")
            if sent.text and sent.is_named and names != 1:
                self.mirror.find(tag, f"was answered, and happened {names} times")


def _has(hashes: list[str], receipt: dict[str, Any]) -> bool:
    place = int(receipt["sequence"])
    return 0 < place <= len(hashes) and bool(hashes[place - 1] == receipt["hash"])
