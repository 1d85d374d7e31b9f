"""How things go here: what waits, for whom, since when, and how fast we answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from interlock.clock import span
from interlock.doors.web.guest import Data, Guest, behind_login, rows
from interlock.doors.web.plot import plot
from interlock.service.engine import Engine

HELD: Final = 50
"""How many are listed that somebody works on."""

Sample = Mapping[str, float | None]


class Figure(NamedTuple):
    """A number, the sentence that says what it means, and how it went."""

    name: str
    title: str
    value: str
    sentence: str
    drawn: Markup


@dataclass(frozen=True, slots=True)
class HealthPage:
    """The page about how things go."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [behind_login(self.engine, "/health", self.show)]

    async def show(self, guest: Guest) -> Response:
        """Show what waits and how fast we are, and who works on what."""
        events = await guest.events()
        found = await guest.call("get_health")
        held = await guest.call("list_leases", limit=HELD, cursor=guest.asked("after") or None)
        now = self.engine.store.now()
        return await guest.page(
            "health.html", place="health", events=events, found=found,
            figures=figures(found, now), trouble=trouble(found), waiting=waiting(found),
            held=rows(held, "leases"), cursor=held.get("cursor"),
        )  # fmt: skip


def waiting(found: Data) -> list[tuple[str, int]]:
    """Return what waits for an agent, by kind, the most first."""
    kinds = [(str(one["kind"]), cast("int", one["waiting"])) for one in rows(found, "queue")]
    return sorted((one for one in kinds if one[1]), key=lambda one: (-one[1], one[0]))


def trouble(found: Data) -> list[str]:
    """Say what somebody should look at; nothing where all is well."""
    told = []
    stalled, overdue = cast("int", found["stalled"]), _of(found, "leases", "overdue")
    if stalled:
        told.append(f"{stalled} {'has' if stalled == 1 else 'have'} stalled")
    if overdue:
        told.append(f"{overdue} {'has' if overdue == 1 else 'have'} heard nothing in time")
    return told


def _of(found: Data, group: str, name: str) -> int:
    return cast("Mapping[str, int | None]", found[group])[name] or 0


def figures(found: Data, now: int) -> list[Figure]:
    """Return the figures of the page, in their order."""
    samples = cast("Sequence[Sample]", found["samples"])
    waits = sum(number for _, number in waiting(found))
    gates, held = _of(found, "gates", "open"), _of(found, "leases", "held")
    oldest, stalled = _of(found, "gates", "oldest"), cast("int", found["stalled"])
    age = now - oldest if oldest else 0
    lapses, latest = _sum(samples, "lapses"), _latest(samples, "commit_p95_ms")
    middle = _latest(samples, "commit_p50_ms")
    return [
        Figure("queue", "Waits for an agent", f"{waits:,}",
               "Work that any agent may take." if waits else "No work waits to be taken.",
               _plot(samples, "waiting", "Waits for an agent")),
        Figure("gates", "Waits for a person", f"{gates:,}",
               f"The oldest waits for {span(age)}." if gates else "No decision is open.",
               _plot(samples, "gate_age_ms", "Age of the oldest decision", is_span=True)),
        Figure("stalls", "Stalled", f"{stalled:,}",
               "Their agents went quiet. Take over, or let another agent." if stalled
               else f"{_sum(samples, 'stalls') or 'None'} stalled in the time shown.",
               _plot(samples, "stalls", "Stalled")),
        Figure("lapses", "Gone quiet", f"{lapses:,}",
               f"No sign of life in time, so others may take it. {held:,} are worked on now.",
               _plot(samples, "lapses", "Gone quiet")),
        Figure("commits", "Time to write", "no writes" if latest is None else f"{latest:g} ms",
               "Nothing was written lately." if middle is None
               else f"95 of 100 writes were faster; half took less than {middle:g} ms.",
               _plot(samples, "commit_p95_ms", "Time to write, 95 of 100", unit=" ms")),
    ]  # fmt: skip


def _sum(samples: Sequence[Sample], name: str) -> int:
    return int(sum(sample[name] or 0 for sample in samples))


def _latest(samples: Sequence[Sample], name: str) -> float | None:
    """Return the last value that was measured."""
    known = [sample[name] for sample in samples if sample[name] is not None]
    return known[-1] if known else None


def _plot(
    samples: Sequence[Sample], name: str, label: str, *, unit: str = "", is_span: bool = False
) -> Markup:
    def say(value: float) -> str:
        return span(int(value)) if is_span else f"{value:g}{unit}"

    return plot([sample[name] for sample in samples], label, say)
