"""Commands as data: what a client intends, and how the service is asked for it.

An intent can be written down before it is sent and sent again word for word, which is all that a
client needs whose server may die. Each names its request id in the audit too, so that whoever
looks at an entry later can tell who asked for it.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Final

from interlock.service.create import NewPart, NewUnit, create
from interlock.service.engine import Engine, Principal
from interlock.service.order import Asked, Kept, Order, Result
from interlock.service.run import Answer, advance
from interlock.store.rows import dump
from interlock.store.script import Key

TENANT: Final = "acme"
NAMED: Final = "request"
"""Under this name an entry of the audit says which request it belongs to."""

STEPS: Final = 6
PEOPLE: Final = frozenset({"approve", "reject", "fail_plan"})
BARE: Final = "pulse"
"""A sign of life without a request id: it leaves no entry and needs none."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a client is about to ask for.

    ``text`` is what was found, shown or decided on; of a new unit, how many parts it has.
    """

    id: str
    client: str
    command: str
    unit: str = ""
    part: str = ""
    lease: str = ""
    text: str = ""

    @property
    def key(self) -> Key | None:
        """The request id as the service takes it, with the digest of everything else."""
        if self.command == BARE:
            return None
        return Key(self.client, self.id, sha256(dump(asdict(self)).encode()).hexdigest())

    @property
    def content(self) -> bytes:
        """What a submit hands in to be kept."""
        return dump({"request": self.id, "text": self.text}).encode()


async def perform(engine: Engine, intent: Intent) -> Answer:
    """Ask the service for what is intended."""
    kind = "user" if intent.command in PEOPLE else "agent"
    caller = Principal(TENANT, kind, intent.client)
    if intent.command == "create":
        return await create(engine, caller, _new(intent), word, intent.key)
    asked = ASKED[intent.command](intent)
    order = Order(TENANT, caller.actor(), intent.unit, asked, word, intent.key)
    return await advance(engine, order)


def word(result: Result) -> dict[str, object]:
    """Word an answer: where the unit stands, and each part that was spoken of, with its lease."""
    parts = []
    for done in result.done:
        if done.part is not None:
            lease = result.lease(done.part)
            parts.append({"part": done.part.id, "lease": lease and lease["token"]})
    return {"unit": result.unit.id, "status": result.unit.unit.status, "parts": parts}


def _new(intent: Intent) -> NewUnit:
    count = int(intent.text or STEPS)
    # The last step waits for the first two, so that open needs are counted on the way.
    parts = [NewPart("step", {"title": f"{intent.id} {n}"}) for n in range(count - 1)]
    parts.append(NewPart("step", {"title": "sum up"}, needs=(0, 1)))
    return NewUnit("plan", {"name": intent.id}, tuple(parts), told={NAMED: intent.id})


def _on_part(event: str) -> "Callable[[Intent], tuple[Asked, ...]]":
    return lambda i: (
        Asked(event, i.part, args=_args(i), lease=i.lease, told={NAMED: i.id}),
    )  # fmt: skip


def _args(intent: Intent) -> dict[str, object]:
    return {"digest": intent.text, "summary": "look", "feedback": "no", "reason": "why not"}


def _claim(intent: Intent) -> tuple[Asked, ...]:
    return (Asked("claim", kind="step", told={NAMED: intent.id}),)


def _submit(intent: Intent) -> tuple[Asked, ...]:
    args = {"result": {"text": intent.text}, "result_summary": intent.text}
    kept = (Kept("result", intent.content),)
    told = {NAMED: intent.id}
    return (Asked("submit", intent.part, args=args, lease=intent.lease, kept=kept, told=told),)


ASKED: Final[dict[str, Callable[[Intent], tuple[Asked, ...]]]] = {
    "claim": _claim,
    "submit": _submit,
    "pass_on": lambda i: (*_submit(i), Asked("claim", kind="step", is_optional=True)),
    "heartbeat": _on_part("heartbeat"),
    BARE: lambda i: (Asked("heartbeat", i.part, lease=i.lease),),
    "release": _on_part("release"),
    "request_review": _on_part("request_review"),
    "approve": _on_part("approve"),
    "reject": _on_part("reject"),
    "fail_plan": lambda i: (Asked("fail_plan", args=_args(i), told={NAMED: i.id}),),
}
