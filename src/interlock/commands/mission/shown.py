"""What a person is shown at the gates of a mission, kept by its digest: a decision names it."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final, NamedTuple

from interlock.service.order import Kept, Reply
from interlock.store.rows import dump

PROPOSAL: Final = "proposal"
DESIGN: Final = "design"
CONTENT: Final = "content"
SHORT: Final = 2_000
"""How many characters content may have to be shown whole; longer one is named by its digest."""


class Thing(NamedTuple):
    """An asset as it is proposed: what it is to be, and what it holds already."""

    name: str
    description: str
    schema: Mapping[str, object] | None
    text: str | None = None
    # How many seconds it is good for; for ever, where it is none.
    ttl_s: int | None = None

    def fields(self) -> dict[str, object]:
        """Return the fields of the part that it becomes."""
        digest = None if self.text is None else digest_of(self.text)
        told: dict[str, object] = {"name": self.name, "description": self.description}
        return told | {"schema": self.schema, "content": digest, "ttl": self.ttl_s}

    def told(self) -> Reply:
        """Tell it to whoever decides."""
        told: Reply = {"name": self.name}
        told |= {"description": self.description} if self.description else {}
        told |= {"schema": self.schema} if self.schema is not None else {}
        told |= {"ttl_s": self.ttl_s} if self.ttl_s is not None else {}
        if self.text is not None:
            told["content_digest"] = digest_of(self.text)
            if len(self.text) <= SHORT:
                told["content"] = json.loads(self.text)
        return told

    def kept(self) -> tuple[Kept, ...]:
        """Return its content as it is kept."""
        return () if self.text is None else (Kept(CONTENT, self.text.encode()),)


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()


def mission_shown(
    fields: Mapping[str, object],
    inputs: Iterable[Thing],
    outputs: Iterable[Thing],
    others: Iterable[Thing],
) -> str:
    """Return what is shown of a proposed mission."""
    names = ("goal", "description", "success_criteria", "policy")
    shown: Reply = {"title": fields["name"]} | {name: fields[name] for name in names}
    shown["recovery_deadline_s"] = fields.get("deadline")
    things = {"inputs": inputs, "outputs": outputs, "assets": others}
    shown |= {name: [one.told() for one in found] for name, found in things.items()}
    return dump({name: value for name, value in shown.items() if value})
