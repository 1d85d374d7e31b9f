"""A piece of work as a worker holds it, what runs it, and at which pace. Nothing is sent here."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple

from interlock.clock import Clock
from interlock.wire.envelope import Envelope

CLAIMED: Final = "claimed"
BEAT_MIN_S: Final = 0.3
"""A sign of life comes not more often, wherever the clock of the server stands."""

HandIn = Callable[[str, Mapping[str, object]], Awaitable[Envelope]]
"""Calls a command about the work until it is answered; raises ``Refused`` where that is a no."""


class Pace(NamedTuple):
    """How much at once, and how long everything takes at most."""

    slots: int = 1
    # How long the server may wait for work before it answers that there is none: so long an
    # idle worker may take to stop, because a claim must not be cut off.
    wait_s: float = 3.0
    # A cancel reaches what runs within this time; the lease may ask for less.
    heartbeat_s: float = 10.0
    # What what runs is given to end once we were told to stop.
    grace_s: float = 30.0
    # The first pause when a call fails, and the longest.
    backoff_s: float = 0.5
    backoff_max_s: float = 30.0


class Work(NamedTuple):
    """A piece of work that was claimed."""

    unit: str
    part: str
    kind: str
    lease: str
    beat_s: float
    # The part as the server told it.
    told: Mapping[str, object]
    # How long the lease lasts from each sign of life.
    lasts_s: float = 600.0


class Wanted(NamedTuple):
    """What kind of work is asked for, and for whom; nobody named: whoever it is for.

    Work that is bound to a place is handed out to whoever names that site.
    """

    workflow: str
    kind: str = ""
    role: str = ""
    member: str = ""
    site: str = ""


Runner = Callable[[Work, HandIn], Awaitable[str]]
"""Runs a piece of work, hands in what came of it, and says in a few words how it went."""


def work_of(answer: Envelope, beat_s: float, clock: Clock) -> Work | None:
    """Return the work that an answer hands out; None where there was none."""
    part = answer.data.get("part")
    if answer.status != CLAIMED or not isinstance(part, Mapping):
        return None
    lease = part.get("lease")
    if not isinstance(lease, Mapping):
        return None  # claimed and failed on the spot: there is nothing to run
    left_s = (int(lease["expires_at"]) - clock.now()) / 1000
    lasts_s = float(str(lease.get("lasts_ms") or 1000 * left_s)) / 1000
    return Work(
        str(answer.data.get("unit_id", "")), str(part["part_id"]), str(part["kind"]),
        str(lease["token"]), min(beat_s, max(BEAT_MIN_S, left_s / 3)), part, max(lasts_s, 0.0),
    )  # fmt: skip


def standing(answer: Envelope, kind: str) -> str:
    """Return where a part stands by an answer about it; nothing where it is not told."""
    for name in ("part", kind):
        told = answer.data.get(name)
        if isinstance(told, Mapping):
            return str(told.get("status", ""))
    return ""
