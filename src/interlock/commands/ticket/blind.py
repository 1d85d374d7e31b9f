"""What agents are not told of a ticket while its council drafts or votes.

Members judge on their own: none of them may see what another has written or given before the round
is over, nor who wrote what they vote on. People see everything; whoever is no person is told the
rest, and that something is missing. What is withheld is told once the round is over.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from interlock.kernel.rules import USER
from interlock.service.engine import Engine, Principal
from interlock.service.errors import NotFound
from interlock.service.order import Reply
from interlock.service.some import read_some
from interlock.store.port import ArtifactRow
from interlock.store.rows import dump, unit_of
from interlock.workflows.ticket.phases import BLOCKED, ROUNDS

SECRET: Final = ("drafts", "totals", "seed")
"""Fields of a ticket: whose drafts there are, the points so far, and how names were shuffled."""

WITHHELD: Final = (
    "While the council drafts or votes, agents are not told its drafts, points and logs."
)
PREFIX: Final = "ticket-"
MARKS: Final = tuple(f'"{name}":' for name in SECRET)


async def is_blind(engine: Engine, caller: Principal, name: str) -> bool:
    """Say whether a caller must not see what a council does; raises ``NotFound``."""
    if caller.kind == USER or not name.startswith(PREFIX):
        return False
    unit = (await read_some(engine, caller.tenant, unit_of(name))).unit.unit
    # A round that went wrong is not over: it goes on with the drafts there are.
    phase = unit.fields["previous"] if unit.status == BLOCKED else unit.status
    return phase in ROUNDS


def warned(*, is_withheld: bool) -> list[str]:
    """Return what is said where something is missing."""
    return [WITHHELD] if is_withheld else []


def without_secrets(fields: Mapping[str, object]) -> Reply:
    """Return the fields of a ticket that everybody may know."""
    return {name: value for name, value in fields.items() if name not in SECRET}


def without_answers(rows: Sequence[ArtifactRow]) -> tuple[ArtifactRow, ...]:
    """Return what is kept for the ticket itself; answers are kept for parts."""
    return tuple(row for row in rows if not row.part)


async def must_see(
    engine: Engine, caller: Principal, unit: str, rows: Sequence[ArtifactRow]
) -> None:
    """Raise ``NotFound`` where all that is kept under these rows is withheld from a caller."""
    if not without_answers(rows) and await is_blind(engine, caller, unit):
        raise NotFound(rows[0].digest)


def entry_shown(unit: str, body: str) -> str:
    """Return an entry of an audit without what is withheld; it names what is missing.

    Its hash is that of the whole: who verifies it waits until the round is over.
    """
    if not unit.startswith(PREFIX) or not any(mark in body for mark in MARKS):
        return body
    told: dict[str, object] = json.loads(body)
    missing: set[str] = set()
    for place in ("set", "fields"):
        held = told.get(place)
        if isinstance(held, dict):
            missing |= held.keys() & set(SECRET)
            told[place] = without_secrets(held)
    return dump({**told, "withheld": sorted(missing)}) if missing else body
