"""What has happened to a part since its caller had it: told with a refusal, so they can go on.

Whoever comes back to work that is not theirs any more (a chat was rewound, a laptop was closed)
is told who has it now, since when, and what was done meanwhile. It is read from the end of the
audit, only when a refusal is told, and it never stands in the way of one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, cast

from interlock.errors import InterlockError
from interlock.kernel.refusal import Refusal
from interlock.service.engine import Engine
from interlock.service.order import Order
from interlock.service.record import Body, read_body
from interlock.store.rows import unit_of
from interlock.store.script import Load, Loaded, Nothing, Script

LOOKED_AT: Final = 1_000
"""How many entries, from the end of the audit back, are looked at."""

TOLD: Final = 4
"""How many changes are told, the last ones."""

ALIKE: Final = ("event", "actor", "at")
"""What the moves of one command have in common."""

WORD: Final = re.compile(r"[\w.:@+-]{1,80}", re.ASCII)
"""What may be told of a name that a caller chose: no sentence can be made of it."""


async def tell_since(engine: Engine, order: Order, no: Refusal) -> None:
    """Add to a refusal what its caller has missed, where they came with a lease or for one."""
    part = no.leased
    if part is None or order.is_clock or order.about == order.unit:
        return
    # A refusal is told even where the database cannot say any more.
    with suppress(InterlockError):
        found = await _entries(engine, order.tenant, order.about)
        no.since = " ".join([*_held(part, found), *_done(no.fence, found)])


async def _entries(engine: Engine, tenant: str, part: str) -> list[Body]:
    """Return what the end of the audit says of a part."""
    unit = unit_of(part)

    def script() -> Script:
        loaded = cast("Loaded | None", (yield Load(unit)))
        return Nothing(str(0 if loaded is None else loaded.unit.version))

    version = int((await engine.store.run(tenant, script)).reply)
    rows = await engine.store.audit(tenant, unit, max(version - LOOKED_AT, 0), LOOKED_AT)
    quoted = f'"{part}"'
    bodies = (read_body(row.link.body) for row in rows if quoted in row.link.body)
    return [body for body in bodies if part in cast("Sequence[str]", body.get("ids", ()))]


def _held(fields: Mapping[str, object], found: Sequence[Body]) -> Iterable[str]:
    """Say who has it now, and since when where that can be seen."""
    holder = fields.get("holder")
    if holder is None:
        yield "Nobody holds it now."
        return
    claims = [body for body in found if _written(body).get("fence") == fields["fence"]]
    since = f" since {_when(claims[-1])}" if claims else ""
    late = "; the lease has run out" if fields.get("lapsed") else ""
    yield f"It is held by {_word(holder)}{since}{late}."


def _done(fence: object, found: Sequence[Body]) -> Iterable[str]:
    """Say what was done after the caller's own claim, else what was done last."""
    places = [place for place, body in enumerate(found) if _written(body).get("fence", -1) == fence]
    later = found[places[-1] + 1 :] if places else found
    told = [_change(bodies) for bodies in _commands(later)][-TOLD:]
    if told:
        yield f"{'Since your claim' if places else 'Last'}: {'; '.join(told)}."


def _commands(found: Sequence[Body]) -> Iterable[list[Body]]:
    """Yield the moves of each command.

    Two alike may come at the same moment; but no command makes a part move the same way twice.
    """
    moves: list[Body] = []
    for body in (one for one in found if one["change"] == "move"):
        is_other = any(body[name] != moves[-1][name] for name in ALIKE) if moves else False
        if is_other or any(body["signal"] == one["signal"] for one in moves):
            yield moves
            moves = []
        moves.append(body)
    if moves:
        yield moves


def _change(bodies: Sequence[Body]) -> str:
    last = bodies[-1]
    way = ", ".join(str(body["target"]) for body in bodies)
    reasons = [f" ({_word(body['reason'])})" for body in bodies if body.get("reason")]
    actor = cast("Mapping[str, object]", last["actor"])
    who = f"{actor['kind']} {_word(actor.get('session') or actor['id'])}"
    return f"{way}{reasons[0] if reasons else ''} by {who} at {_when(last)}"


def _written(body: Body) -> Mapping[str, object]:
    return cast("Mapping[str, object]", body.get("set", {}))


def _word(name: object) -> str:
    text = str(name)
    return text if WORD.fullmatch(text) else "somebody"


def _when(body: Body) -> str:
    moment = datetime.fromtimestamp(cast("int", body["at"]) / 1000, UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
