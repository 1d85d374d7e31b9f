"""Artifacts: content by its SHA-256, written once, versioned by name, never larger than allowed.

Keeping one changes no status, but it is told in the unit's audit like everything else. What is
described is a document, too: it can be found again, once the job written with it has indexed it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, cast

from interlock.kernel.workflow import Workflow
from interlock.service.engine import Engine, Principal, Running
from interlock.service.errors import InvalidInput, NotFound, TooLarge
from interlock.service.note import noted, receipt
from interlock.service.order import Reply, require_version
from interlock.service.run import Answer, answer, persist
from interlock.store.rows import UnitRow, dump, part_id, part_number, unit_of
from interlock.store.script import (
    Artifact,
    Change,
    Document,
    Key,
    Latest,
    Load,
    Loaded,
    Nothing,
    Script,
)

NAME_MAX = 200
PREFIX = "doc"


class Described(NamedTuple):
    """What makes content a document. ``kind`` is artifact or output."""

    kind: str
    type: str
    title: str
    urls: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name its versions are counted by; no result of a part is ever called so."""
        return f"{self.type}/{self.title}"


@dataclass(frozen=True, slots=True)
class Content:
    """Something to keep for a unit or a part."""

    about: str
    name: str
    content: bytes
    media_type: str = "text/plain"
    described: Described | None = None
    # The version of the unit that the caller has seen, where that matters.
    seen: int | None = None


class Keeping(NamedTuple):
    """What an answer can speak of: the unit, what was kept, and where it is found again."""

    flow: Workflow
    unit: UnitRow
    told: Reply
    caller: str


Said = Callable[[Keeping], Reply]
"""Words the answer."""


def _plainly(keeping: Keeping) -> Reply:
    return {"artifact": keeping.told}


async def keep(
    engine: Engine,
    caller: Principal,
    kept: Content,
    key: Key | None = None,
    word: Said = _plainly,
) -> Answer:
    """Keep content under the next version of its name."""
    size, limit = len(kept.content), engine.limits.artifact_bytes_max
    if size > limit:
        message = f"The artifact has {size:,} bytes; at most {limit:,} are kept."
        raise TooLarge(message, fix="Split it, or keep a link to where it lies.")
    described = kept.described
    if not 0 < len(kept.name if described is None else described.title) <= NAME_MAX:
        message = f"An artifact's name has 1 to {NAME_MAX} characters."
        raise InvalidInput(message, fix="Give it a short name.")
    running = engine.running(kept.about)
    document = engine.clock.new_id(PREFIX)

    def script() -> Script:
        return _Shelf(caller, kept, key, running, engine.store.now(), document).script(word)

    return answer(await persist(engine, caller.tenant, script), key)


@dataclass(slots=True)
class _Shelf:
    """Something that is about to be kept."""

    caller: Principal
    kept: Content
    key: Key | None
    running: Running
    at: int
    document: str

    def script(self, word: Said) -> Script:
        about = self.kept.about
        unit = unit_of(about)
        part = about if about != unit else None
        loaded = cast("Loaded | None", (yield Load(unit, part, key=self.key, is_fresh=True)))
        if loaded is None or (part is not None and loaded.part is None):
            raise NotFound(about)
        if loaded.reply is not None:
            return Nothing(loaded.reply.text, loaded.reply.asked)
        require_version(loaded.unit, self.kept.seen)
        number = 0 if part is None else part_number(part)
        version = 0
        if self.kept.described is not None:
            last = yield Latest(unit, number, self.kept.described.name)
            version = cast("int", last) + 1
        return self._change(loaded.unit, number, version, word)

    def _change(self, before: UnitRow, number: int, version: int, word: Said) -> Change:
        kept, described = self.kept, self.kept.described
        name = kept.name if described is None else described.name
        digest = sha256(kept.content).hexdigest()
        told: Reply = {"name": name, "digest": digest}
        told["part"] = part_id(before.id, number) if number else before.id
        if described is not None:
            told |= {"id": self.document, "kind": described.kind, "version": version}
        row, entry = noted(
            self.running, before, "keep", self.caller.actor(), self.at, {"kept": [told]}
        )
        told_more = {**told, "size": len(kept.content)}
        reply = word(Keeping(self.running.flow, row, told_more, self.caller.kind))
        reply["receipt"] = receipt(row)
        author = self.caller.id
        artifact = Artifact(number, name, digest, kept.content, kept.media_type, author=author)
        documents: tuple[Document, ...] = ()
        if described is not None:
            urls = json.dumps(described.urls, ensure_ascii=False)
            documents = (
                Document(
                    self.document, number, name, described.kind, described.type, described.title,
                    urls, digest, kept.media_type, author,
                ),
            )  # fmt: skip
        return Change(
            self.caller.tenant, before.version, row, (entry,), self.at, artifacts=(artifact,),
            documents=documents, key=self.key, reply=dump(reply),
        )  # fmt: skip
