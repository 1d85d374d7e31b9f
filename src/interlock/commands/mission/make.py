"""Propose a mission, change what is proposed, accept it, and supply what its assets hold.

What is proposed is kept by its digest whenever it changes, so that whoever accepts it accepts
what they were shown. Content that came with an input is supplied in the commit of the acceptance.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from interlock.commands.deciding import decision, on_one_version
from interlock.commands.mission.shown import (
    CONTENT,
    PROPOSAL,
    Thing,
    digest_of,
    mission_shown,
)
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
from interlock.outside.schema import read_schema
from interlock.service.create import NewPart, NewUnit, create
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.order import Asked, Kept, Order, Reply, Result, require_version
from interlock.service.read import Read, read_unit
from interlock.service.run import Answer
from interlock.service.some import read_some
from interlock.store.rows import PartRow, dump, unit_of
from interlock.wire.mission import (
    AboutMission,
    EditMission,
    GivenAsset,
    NewAsset,
    ProposeMission,
    SetAsset,
)
from interlock.workflows.mission.mission_rules import CONTENT as WORDS


async def propose_mission(call: Call, asked: ProposeMission) -> Answer:
    """Propose a mission with its assets."""
    inputs = [thing_of(one) for one in asked.inputs]
    outputs = [thing_of(one) for one in asked.outputs]
    others = [thing_of(one) for one in asked.assets]
    names = Counter(one.name for one in (*inputs, *outputs, *others))
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        message = f"Several assets are called {twice[0][:80]!r}."
        raise InvalidInput(message, fix="Give each asset a name of its own.")
    fields: dict[str, object] = {
        "name": asked.name, "goal": asked.goal, "description": asked.description,
        "success_criteria": asked.success_criteria, "policy": asked.policy,
        "tries_max": asked.tries_max, "deadline": asked.recovery_deadline_s,
    }  # fmt: skip
    new = new_mission(fields, inputs, outputs, others, asked.tags)

    def word(result: Result) -> Reply:
        assets = [
            {"asset_id": row.id, "name": row.part.fields["name"]}
            for row in result.parts
        ]  # fmt: skip
        return answered(result, {"assets": assets, **opened(call, result)})

    return await create(call.engine, call.caller, new, word, call.key)


def new_mission(
    fields: Mapping[str, object],
    inputs: Sequence[Thing],
    outputs: Sequence[Thing],
    others: Sequence[Thing],
    tags: tuple[str, ...] = (),
) -> NewUnit:
    """Return a mission that is about to be proposed."""
    text = mission_shown(fields, inputs, outputs, others)
    first, last = len(inputs), len(inputs) + len(outputs)
    return NewUnit(
        "mission", {**fields, "shown": digest_of(text)},
        tuple(NewPart("asset", one.fields(), kept=one.kept()) for one in (*inputs, *outputs, *others)),
        tags=tags, kept=(Kept(PROPOSAL, text.encode()),),
        named={"inputs": tuple(range(first)), "outputs": tuple(range(first, last))},
    )  # fmt: skip


def thing_of(asked: NewAsset) -> Thing:
    """Return an asset as it is proposed; raises where its schema or its content is no good."""
    text = None
    if isinstance(asked, GivenAsset) and "content" in asked.model_fields_set:
        text = dump(asked.content)
        check_content(asked.name, asked.content_schema, asked.content)
    elif asked.content_schema is not None:
        read_schema(asked.content_schema)
    return Thing(asked.name, asked.description, asked.content_schema, text, asked.ttl_s)


def check_content(name: str, schema: Mapping[str, object] | None, content: object) -> None:
    """Raise unless content fits the schema of its asset."""
    wrong = [] if schema is None else read_schema(schema).wrong(content)
    if wrong:
        message = f"The content of {name[:80]!r} does not fit its schema: {'; '.join(wrong)}."
        raise InvalidInput(message, fix="Send content that fits; mission_status shows the schema.")


# -- what is proposed --------------------------------------------------------------------------


async def edit_mission(call: Call, asked: EditMission) -> Answer:
    """Change what is proposed; it is shown anew."""
    name = mission_named(asked.mission_id)
    given = asked.model_dump(include=set(WORDS), exclude_none=True)
    if asked.recovery_deadline_s is not None:
        given["deadline"] = asked.recovery_deadline_s or None
    if not given:
        message = "edit_mission changes nothing."
        fix = "Send name, goal, description, success_criteria or recovery_deadline_s."
        raise InvalidInput(message, fix=fix)

    async def order_of() -> Order:
        read = await read_mission(call, name)
        text = await _shown_now(call, read, given)
        sent = _edited(text, given)
        return about(call, name, (sent,), showing(call), read.whole.row.version)

    return await on_one_version(call, name, order_of)


def _edited(text: str, given: Mapping[str, object]) -> Asked:
    args = {**given, "digest": digest_of(text)}
    return Asked("edit_mission", args=args, kept=(Kept(PROPOSAL, text.encode()),))


async def read_mission(call: Call, name: str) -> Read:
    """Read a mission with all its parts; raises if it is not at the version that was asked for."""
    read = await read_unit(call.engine, call.tenant, mission_named(name))
    require_version(read.whole.row, call.version)
    return read


async def _shown_now(
    call: Call, read: Read, given: Mapping[str, object], texts: Mapping[str, str] | None = None
) -> str:
    """Return what is shown of a mission once something has been given to it."""
    fields = {**read.snapshot.unit.fields, **given}
    return mission_shown(fields, *await things_of(call, read, texts or {}))


async def things_of(
    call: Call, read: Read, texts: Mapping[str, str]
) -> tuple[list[Thing], list[Thing], list[Thing]]:
    """Return the inputs of a mission with what they hold, its outputs, and its other assets.

    ``texts`` is what some of them are about to hold.
    """
    fields = read.snapshot.unit.fields
    inputs = cast("tuple[str, ...]", fields["inputs"] or ())
    outputs = cast("tuple[str, ...]", fields["outputs"])
    found: tuple[list[Thing], list[Thing], list[Thing]] = ([], [], [])
    for row in mission_assets(read.whole.parts):
        place = 0 if row.id in inputs else 1 if row.id in outputs else 2
        text = texts.get(row.id)
        digest = row.part.fields["content"]
        if text is None and place == 0 and digest:
            content = await call.engine.store.content(call.tenant, str(digest))
            text = None if content is None else content.decode()
        found[place].append(_thing(row, text))
    return found


def mission_assets(rows: Sequence[PartRow]) -> list[PartRow]:
    """Return the assets of a mission that are no scratch of a hop, in their order."""
    return [row for row in rows if row.part.kind == "asset" and row.part.parent is None]


def _thing(row: PartRow, text: str | None) -> Thing:
    fields = row.part.fields
    schema = cast("Mapping[str, object] | None", fields["schema"])
    name, description = str(fields["name"] or ""), str(fields["description"] or "")
    return Thing(name, description, schema, text, cast("int | None", fields["ttl"]))


# -- decisions ---------------------------------------------------------------------------------


async def accept_mission(call: Call, asked: AboutMission) -> Answer:
    """Accept a mission as it was shown."""
    return await accept(call, asked.mission_id, {"content_digest": asked.content_digest})


async def accept(call: Call, name: str, said: Mapping[str, object], gate: str = "") -> Answer:
    """Accept a mission; the inputs that came with content are ready at once."""

    async def order_of() -> Order:
        read = await read_mission(call, name)
        unit = read.whole.row
        shown = str(unit.unit.fields["shown"])
        first = decision(call, "accept_mission", None, shown, said, gate)
        supplied = (
            Asked("set_asset", row.id, args={"content": row.part.fields["content"]})
            for row in mission_assets(read.whole.parts)
            if row.part.fields["content"]
        )
        return about(call, name, (first, *supplied), _accepted, unit.version)

    return await on_one_version(call, name, order_of)


def _accepted(result: Result) -> Reply:
    return answered(result, {})


# -- assets ------------------------------------------------------------------------------------


async def set_asset(call: Call, asked: SetAsset) -> Answer:
    """Supply the content of an asset; what is only proposed is shown anew with it."""
    name = part_named(asked.asset_id)
    text = dump(asked.content)

    async def order_of() -> Order:
        some = await read_some(call.engine, call.tenant, name)
        require_version(some.unit, call.version)
        if some.part is None or some.part.part.kind != "asset":
            raise NotFound(name)
        fields = some.part.part.fields
        schema = cast("Mapping[str, object] | None", fields["schema"])
        check_content(str(fields["name"] or name), schema, asked.content)
        kept = (Kept(CONTENT, text.encode()),)
        sent = Asked("set_asset", name, args={"content": digest_of(text)}, kept=kept)
        if some.unit.unit.status != "PROPOSED":
            return about(call, name, (sent,), changed, some.unit.version)
        read = await read_unit(call.engine, call.tenant, unit_of(name))
        shown = await _shown_now(call, read, {}, {name: text})
        version = read.whole.row.version
        return about(call, name, (sent, _edited(shown, {})), showing(call), version)

    return await on_one_version(call, name, order_of)
