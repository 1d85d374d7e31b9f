"""Hops as they are proposed: propose, revise, accept, refuse, and what else a person does to one.

A hop may bring new assets along. They are made when it is accepted; until then the proposal names
them by the ids that they will have, because nothing else is made in a mission in between. Where
something was, the proposal must be revised before it can be accepted.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from interlock.commands.deciding import decision, may_decide, on_one_version
from interlock.commands.mission.make import thing_of
from interlock.commands.mission.shown import PROPOSAL, digest_of
from interlock.commands.mission.words import (
    about,
    answered,
    changed,
    mission_named,
    opened,
    part_named,
    showing,
)
from interlock.commands.row import Call
from interlock.kernel.rules import USER
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.order import Asked, Kept, Order, Reply, Result, Worded, require_version
from interlock.service.run import Answer, advance
from interlock.service.some import Others, Some, read_some
from interlock.store.rows import PartRow, UnitRow, dump, part_id
from interlock.wire.mission import (
    AcceptHop,
    CreateHop,
    HopRef,
    NewAsset,
    ProposeHop,
    RefuseHop,
    ReviseHop,
    WhyHop,
)
from interlock.workflows.mission.mission_rules import HOP_CONTENT as WORDS

Shown = Mapping[str, object]


# -- proposing ---------------------------------------------------------------------------------


async def propose_hop(call: Call, asked: ProposeHop) -> Answer:
    """Propose the next hop; a person who does so has written it themselves."""
    event = "create_hop" if call.caller.kind == USER else "propose_hop"
    return await _propose(call, asked, event)


async def create_hop(call: Call, asked: CreateHop) -> Answer:
    """Write the next hop, as a person."""
    return await _propose(call, asked, "create_hop")


async def _propose(call: Call, asked: ProposeHop, event: str) -> Answer:
    name = mission_named(asked.mission_id)

    async def order_of() -> Order:
        some = await read_some(
            call.engine, call.tenant, name, others=_named(asked.inputs, asked.output)
        )
        require_version(some.unit, call.version)
        # The hop itself is made first.
        known = _Assets(some, asked.assets, some.unit.made + 2)
        content = {word: getattr(asked, word) for word in WORDS}
        content |= {"inputs": asked.inputs, "output": asked.output, "is_final": asked.is_final}
        args, text = _proposal(known, content)
        sent = Asked(event, args=args, kept=(Kept(PROPOSAL, text.encode()),))
        return about(call, name, (sent,), _naming(call), some.unit.version)

    return await on_one_version(call, name, order_of)


def _naming(call: Call) -> Worded:
    """Return how a proposal is answered: with the name of the hop, the last thing made."""

    def word(result: Result) -> Reply:
        hop = {"hop_id": part_id(result.unit.id, result.unit.made)}
        return answered(result, {**hop, **opened(call, result)})

    return word


async def revise_hop(call: Call, asked: ReviseHop) -> Answer:
    """Write a proposal anew."""
    name = part_named(asked.hop_id)
    given = asked.model_dump(
        include={*WORDS, "inputs", "output", "is_final"}, exclude_none=True
    )  # fmt: skip

    async def order_of() -> Order:
        some = await read_some(
            call.engine, call.tenant, name, others=_named(asked.inputs or (), asked.output)
        )
        require_version(some.unit, call.version)
        hop = hop_of(some, name)
        before = await shown_of(call, hop)
        new = asked.assets if asked.assets is not None else _again(before)
        known = _Assets(some, new, some.unit.made + 1, before)
        fields = hop.part.fields
        content = {word: fields[word] for word in (*WORDS, "inputs", "output", "is_final")} | given
        if call.caller.kind != USER:
            content["is_final"] = fields["is_final"]
        args, text = _proposal(known, content)
        kept = (Kept(PROPOSAL, text.encode()),)
        sent = Asked("revise_hop", name, args=args, lease=asked.lease or "", kept=kept)
        return about(call, name, (sent,), showing(call), some.unit.version)

    return await on_one_version(call, name, order_of)


def _named(inputs: Sequence[str], output: str | None) -> Others:
    """Return who must be read to know all assets that a proposal speaks of."""

    def others(unit: UnitRow, part: PartRow | None, _: object) -> tuple[str, ...]:
        fields = unit.unit.fields
        own = (
            *cast("Sequence[str]", fields["inputs"] or ()),
            *cast("Sequence[str]", fields["outputs"]),
        )
        before: tuple[str, ...] = ()
        if part is not None and part.part.kind == "hop":
            before = tuple(cast("Sequence[str]", part.part.fields["inputs"]))
            before += tuple(filter(None, (cast("str | None", part.part.fields["output"]),)))
        return (*own, *before, *inputs, *([output] if output else ()))

    return others


class _Assets:
    """The assets that a proposal may speak of, by id and by name."""

    def __init__(
        self, some: Some, new: Sequence[NewAsset], first: int, before: Shown | None = None
    ) -> None:
        self.ids: dict[str, str] = {}
        rows = {name: row for name, row in some.others.items() if row.part.kind == "asset"}
        for name, row in rows.items():
            self.ids[name] = name
            if row.part.parent is None:
                self.ids.setdefault(str(row.part.fields["name"]), name)
        self.names = {name: str(row.part.fields["name"] or "") for name, row in rows.items()}
        # What an earlier proposal of this hop has brought along is there already.
        made = {one["name"]: str(one["asset_id"]) for one in brought(before or {})}
        self.new: list[Reply] = []
        for asset in new:
            is_there = made.get(asset.name) in rows
            name = made[asset.name] if is_there else part_id(some.unit.id, first)
            first += not is_there
            told = thing_of(asset).told()
            self.new.append({"asset_id": name, **told})
            self.ids[name] = self.ids[asset.name] = name
            self.names[name] = asset.name

    def find(self, word: object, field: str) -> str:
        found = self.ids.get(str(word))
        if found is None:
            message = f"{field} names {str(word)[:80]!r}, which is no asset of this mission."
            raise InvalidInput(
                message, fix="Name one that mission_status lists, or add it to assets."
            )
        return found

    def told(self, name: str) -> Reply:
        return {"asset_id": name, "name": self.names[name]}


def _proposal(known: _Assets, content: Mapping[str, object]) -> tuple[dict[str, object], str]:
    """Return what a proposal tells the rules, and what is shown of it."""
    inputs = tuple(known.find(one, "inputs") for one in cast("Sequence[str]", content["inputs"]))
    output = known.find(content["output"], "output")
    args = {word: content[word] for word in WORDS}
    args |= {"inputs": inputs, "output": output, "is_final": content["is_final"]}
    shown: Reply = {"title": content["name"]}
    shown |= {word: content[word] for word in WORDS if word != "name" and content[word]}
    shown |= {"is_final": content["is_final"], "output": known.told(output)}
    shown["inputs"] = [known.told(name) for name in inputs]
    if known.new:
        shown["assets"] = known.new
    text = dump(shown)
    return {**args, "digest": digest_of(text)}, text


def brought(shown: Shown) -> list[Mapping[str, object]]:
    """Return the new assets that a proposal brings along."""
    return list(cast("Sequence[Mapping[str, object]]", shown.get("assets", ())))


def _again(shown: Shown) -> list[NewAsset]:
    words = ("name", "description", "schema", "ttl_s")
    return [
        NewAsset.model_validate({word: one[word] for word in words if word in one})
        for one in brought(shown)
    ]


def hop_of(some: Some, name: str) -> PartRow:
    """Return the hop that was read; raises ``NotFound`` where it is something else."""
    if some.part is None or some.part.part.kind != "hop":
        raise NotFound(name)
    return some.part


async def shown_of(call: Call, hop: PartRow) -> Shown:
    """Return what is shown of a hop."""
    digest = str(hop.part.fields["shown"])
    content = await call.engine.store.content(call.tenant, digest) if digest else None
    found: Shown = json.loads(content) if content else {}
    return found


# -- deciding ----------------------------------------------------------------------------------


async def accept_hop(call: Call, asked: AcceptHop) -> Answer:
    """Accept a hop as it was shown."""
    said = {"content_digest": asked.content_digest, "is_final": asked.is_final}
    return await accept(call, asked.hop_id, said)


def _mattering(new: tuple[str, ...]) -> Others:
    """Return who must be read to know which of a hop's and the mission's assets are ready."""

    def others(unit: UnitRow, part: PartRow | None, _: object) -> tuple[str, ...]:
        fields = {} if part is None else part.part.fields
        output = cast("str | None", fields.get("output"))
        named = (*cast("Sequence[str]", fields.get("inputs", ())), *([output] if output else ()))
        return (*cast("Sequence[str]", unit.unit.fields["outputs"]), *named, *new)

    return others


async def accept(call: Call, hop: str, said: Mapping[str, object], gate: str = "") -> Answer:
    """Accept a hop; the assets that it brings along are made with it."""
    name = part_named(hop)

    async def order_of() -> Order:
        some = await read_some(call.engine, call.tenant, name)
        require_version(some.unit, call.version)
        row = hop_of(some, name)
        told = brought(await shown_of(call, row)) if row.part.status == "PROPOSED" else []
        ids = tuple(str(one["asset_id"]) for one in told)
        there = (await read_some(call.engine, call.tenant, name, others=_mattering(ids))).others
        new = [one for one in told if one["asset_id"] not in there]
        for number, one in enumerate(new, some.unit.made + 1):
            if one["asset_id"] != part_id(some.unit.id, number):
                message = "The proposal was written before other things of the mission were made."
                raise InvalidInput(message, fix="Have it revised with revise_hop, then accept it.")
        sent = decision(call, "accept_hop", name, str(row.part.fields["shown"]), said, gate)
        words = {"name": "name", "description": "description", "schema": "schema", "ttl_s": "ttl"}
        assets = [{words[word]: one[word] for word in words if word in one} for one in new]
        ready = tuple(name for name, row in there.items() if row.part.status == "READY")
        sent = sent._replace(args={**sent.args, "assets": assets, "ready": ready})
        return about(call, name, (sent,), changed, some.unit.version)

    return await on_one_version(call, name, order_of)


async def reject_hop(call: Call, asked: RefuseHop) -> Answer:
    """Refuse a pending proposal."""
    return await refuse(call, "reject_hop", asked)


async def request_changes(call: Call, asked: RefuseHop) -> Answer:
    """Send a design or a concept back."""
    return await refuse(call, "request_changes", asked)


async def refuse(call: Call, event: str, asked: RefuseHop) -> Answer:
    """Say no to a hop as it was shown."""
    said = {"content_digest": asked.content_digest, "reason": asked.reason}
    return await say(call, event, asked.hop_id, said)


async def say(
    call: Call, event: str, hop: str, said: Mapping[str, object], gate: str = ""
) -> Answer:
    """Take a decision about a hop that needs nothing but what was said."""
    name = part_named(hop)
    shown = ""
    if call.caller.kind != USER:
        row = hop_of(await read_some(call.engine, call.tenant, name), name)
        shown = str(row.part.fields["shown"])
    sent = decision(call, event, name, shown, said, gate)
    return await advance(call.engine, about(call, name, (sent,), showing(call)))


# -- what needs no gate ------------------------------------------------------------------------


async def withdraw_hop(call: Call, asked: HopRef) -> Answer:
    """Take a pending proposal back."""
    return await _tell(call, "withdraw_hop", asked.hop_id)


async def archive_hop(call: Call, asked: HopRef) -> Answer:
    """Put a completed hop out of sight."""
    return await _tell(call, "archive_hop", asked.hop_id)


async def delete_hop(call: Call, asked: WhyHop) -> Answer:
    """Take a hop out of its mission for good."""
    may_decide(call)
    return await _tell(call, "delete_hop", asked.hop_id, asked.reason)


async def reset_hop(call: Call, asked: WhyHop) -> Answer:
    """Propose a cancelled hop again."""
    may_decide(call)
    return await _tell(call, "reset_hop", asked.hop_id, asked.reason)


async def _tell(call: Call, event: str, hop: str, reason: str | None = None) -> Answer:
    name = part_named(hop)
    told = {} if reason is None else {"reason": reason}
    sent = Asked(event, name, args=told, told=told)
    return await advance(call.engine, about(call, name, (sent,), showing(call)))
