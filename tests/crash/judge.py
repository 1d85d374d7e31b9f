"""What must hold when all is over: nothing lost, nothing that nobody asked for, nothing twice.

The journals say what was asked and answered, the store says what happened. Everything that does
not fit is returned as a sentence; nothing found is a good end.
"""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.late import LATE
from interlock.service.order import Emptied
from interlock.service.verify import all_units, verify
from interlock.store.chain import Link
from interlock.store.port import ArtifactRow
from tests.crash.intents import BARE, NAMED, TENANT, Intent, perform
from tests.crash.journal import Line, Outcome

PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Effect:
    """The entries that one request has left in the audit of a unit."""

    request: str
    unit: str
    event: str
    actor: str
    last: Link


async def judge(engine: Engine, journal: Mapping[str, Line]) -> list[str]:
    """Compare what clients wrote down with what the store holds."""
    effects, kept = [], []
    async for unit in all_units(engine, TENANT):
        links = await links_of(engine, unit)
        effects += list(parted(unit, links))
        kept += list(await engine.store.artifacts(TENANT, unit))
    found = [str(finding) for finding in (await verify(engine, TENANT)).findings]
    found += _undecided(journal)
    found += compare(effects, journal)
    found += _artifacts(kept, journal)
    found += [line async for line in _forgotten(engine, journal)]
    return found


async def links_of(engine: Engine, unit: str) -> list[Link]:
    links: list[Link] = []
    while True:
        after = links[-1].sequence if links else 0
        page = await engine.store.audit(TENANT, unit, after, PAGE)
        links += [row.link for row in page]
        if len(page) < PAGE:
            return links


def parted(unit: str, links: Iterable[Link]) -> Iterator[Effect]:
    """Part a unit's entries into requests: each begins where one is named."""
    effect: Effect | None = None
    for link in links:
        body = json.loads(link.body)
        if NAMED in body or effect is None:
            if effect is not None:
                yield effect
            request = str(body.get(NAMED, f"nobody at {unit} {link.sequence}"))
            effect = Effect(request, unit, body["event"], body["actor"]["id"], link)
        effect = Effect(effect.request, unit, effect.event, effect.actor, link)
    if effect is not None:
        yield effect


def compare(effects: list[Effect], journal: Mapping[str, Line]) -> list[str]:
    """Compare what happened with what was asked and answered; both may still go on."""
    return [*_unasked(effects, journal), *_lost(effects, journal)]


def _undecided(journal: Mapping[str, Line]) -> list[str]:
    return [f"{name} was never answered" for name, line in journal.items() if not line.outcome]


def _unasked(effects: list[Effect], journal: Mapping[str, Line]) -> Iterator[str]:
    """Find what nobody asked for, what was refused and happened, and what happened twice."""
    seen: set[str] = set()
    for effect in effects:
        name = effect.request
        line = journal.get(name)
        if line is None:
            yield f"{effect.unit}: nobody asked for {name}"
        elif not _fits(effect, line.intent):
            yield f"{name} asked for {line.intent}, and {effect} happened"
        elif line.outcome is not None and line.outcome.refused:
            yield f"{name} was refused with {line.outcome.refused}, and {effect} happened"
        if name in seen:
            yield f"{name} happened twice"
        seen.add(name)


def _fits(effect: Effect, intent: Intent) -> bool:
    events = {"create": "begin", "pass_on": "submit"}
    event = events.get(intent.command, intent.command)
    is_unit = intent.command == "create" or intent.unit == effect.unit
    return (effect.event, effect.actor) == (event, intent.client) and is_unit


def _lost(effects: list[Effect], journal: Mapping[str, Line]) -> Iterator[str]:
    """Find answers whose receipt is not the last entry of what was asked for."""
    by_request = {effect.request: effect for effect in effects}
    for name, intent, text in acked(journal):
        if intent.command == BARE:
            continue
        receipt = _receipt(text)
        effect = by_request.get(name)
        if effect is None:
            yield f"{name} was answered with {receipt} and is lost"
            continue
        stands = {"unit": effect.unit, "sequence": effect.last.sequence, "hash": effect.last.hash}
        if receipt != stands:
            yield f"{name} was answered with {receipt}, and {stands} is in the audit"


@lru_cache(maxsize=10_000)
def _receipt(text: str) -> dict[str, object]:
    """Read the receipt of an answer; the same answers are judged again and again."""
    receipt: dict[str, object] = json.loads(text)["receipt"]
    return receipt


def _artifacts(kept: list[ArtifactRow], journal: Mapping[str, Line]) -> Iterator[str]:
    """Find results that are missing, kept twice, or kept and never handed in."""
    due = [
        handed_in(intent)
        for _, intent, _ in acked(journal)
        if intent.command in ("submit", "pass_on")
    ]
    intended = {handed_in(line.intent) for line in journal.values()}
    found = [(row.unit, row.part, row.digest) for row in kept if row.mark != LATE]
    if sorted(found) != sorted(due):
        odd = set(found) ^ set(due) or f"{len(found)} of {len(due)}"
        yield f"the results that are kept are not those that were handed in: {odd}"
    for row in kept:
        if (row.unit, row.part, row.digest) not in intended:
            yield f"nobody handed in {row}"


def handed_in(intent: Intent) -> tuple[str, int, str]:
    """Return what an intent hands in, as it is kept: unit, part, digest."""
    number = int(intent.part.rpartition(".")[2] or 0)
    return intent.unit, number, sha256(intent.content).hexdigest()


async def _forgotten(engine: Engine, journal: Mapping[str, Line]) -> AsyncIterator[str]:
    """Ask everything again that was answered: the answers must be the same, byte for byte."""
    for name, intent, text in acked(journal):
        if intent.command == BARE:
            continue
        try:
            again = await perform(engine, intent)
        except (InterlockError, Emptied) as error:
            yield f"{name} was answered, and asked again is refused: {error!r}"
            continue
        if (again.text, again.is_replay) != (text, True):
            yield f"{name} was answered with {text}, asked again with {again}"


def acked(journal: Mapping[str, Line]) -> Iterator[tuple[str, Intent, str]]:
    """Return what was answered and not refused: request id, intent, text of the answer."""
    for name, line in journal.items():
        match line.outcome:
            case Outcome(text=text, refused="") if text:
                yield name, line.intent, text
