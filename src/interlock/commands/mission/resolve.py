"""Turn a hop into a chain of tool steps, and decide about the chain: design, approval, execution.

A chain is validated on how things stood at one version of the mission, and handed in on that
version: where somebody was faster it is validated again. What is stored has the assets by their
ids, also the scratch that is only made with the chain, because its ids follow from the version.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from interlock.commands.deciding import decision, on_one_version
from interlock.commands.mission import chain
from interlock.commands.mission.hops import hop_of, say
from interlock.commands.mission.mapping import assets_of, part_of
from interlock.commands.mission.shown import DESIGN, digest_of
from interlock.commands.mission.words import (
    about,
    answered,
    changed,
    part_named,
    part_told,
    showing,
)
from interlock.commands.mission.wrong import ChainInvalid, Wrong, told
from interlock.commands.row import Call
from interlock.kernel.refusal import Refusal
from interlock.service.order import Asked, Filled, Kept, Order, Reply, Result, require_version
from interlock.service.run import Answer, advance
from interlock.service.some import Children, Some, read_some
from interlock.store.rows import PartRow, UnitRow, dump
from interlock.wire.mission import (
    AcceptHop,
    ApproveDesign,
    ChainStep,
    FailResolution,
    SubmitResolution,
)
from interlock.workflows.mission.failures import FAILURES, can_be_repaired
from interlock.workflows.mission.machines import UNFINISHED_STEP

VALUE_MAX: Final = 256 * 1024
"""How many bytes content may have to be looked at by validation."""

Maps = Mapping[str, Mapping[str, object]]
Ids = Sequence[str]


# -- what a chain is laid on -------------------------------------------------------------------


def row_of(step: PartRow) -> chain.Row:
    """Return a stored tool step as a row of a chain."""
    fields = step.part.fields
    return chain.Row(
        str(fields["tool"] or ""), str(fields["description"] or ""),
        cast("Maps", fields["parameter_mapping"] or {}), cast("Maps", fields["result_mapping"] or {}),
        step.id,
    )  # fmt: skip


def _submitted(step: ChainStep) -> chain.Row:
    parameters, results = _maps(step.parameter_mapping), _maps(step.result_mapping)
    return chain.Row(
        step.tool, step.description, parameters, results, step.step_id, step.deadline_s
    )


def _maps(told: Mapping[str, object]) -> Maps:
    """Return mappings; what is none says nothing, which validation tells."""
    return {name: one if isinstance(one, Mapping) else {} for name, one in told.items()}


async def _some(call: Call, name: str, rows: Sequence[chain.Row]) -> Some:
    """Read a hop with its steps, its scratch, and every asset that matters."""

    def others(unit: UnitRow, hop: PartRow | None, children: Children) -> tuple[str, ...]:
        found = [*cast("Ids", unit.unit.fields["outputs"])]
        if hop is not None and hop.part.kind == "hop":
            output = cast("str | None", hop.part.fields["output"])
            found += [*cast("Ids", hop.part.fields["inputs"]), *([output] if output else ())]
        stored = (row_of(step) for step in children["tool_step"])
        for row in (*rows, *stored):
            found += [*assets_of(row.parameters), *assets_of(row.results)]
        return tuple(found)

    some = await read_some(call.engine, call.tenant, name, ("tool_step", "asset"), others)
    require_version(some.unit, call.version)
    return some


async def ground_of(call: Call, some: Some, rows: Sequence[chain.Row] = ()) -> chain.Ground:
    """Return what a chain of a hop is laid on."""
    hop = cast("PartRow", some.part)
    fields = hop.part.fields
    steps = some.children["tool_step"]
    done = tuple(row_of(one) for one in steps if one.part.status == "COMPLETED")
    unfinished = tuple(row_of(one) for one in steps if one.part.status in UNFINISHED_STEP)
    read = {name for row in (*rows, *unfinished) for name in assets_of(row.parameters)}
    assets = {row.id: row for row in some.children["asset"]}
    assets |= {name: row for name, row in some.others.items() if row.part.kind == "asset"}
    return chain.Ground(
        some.unit.id, some.unit.made + 1,
        {name: await _asset(call, row, is_read=name in read) for name, row in assets.items()},
        tuple(cast("Ids", fields["inputs"])), cast("str | None", fields["output"]),
        done, unfinished, await call.engine.tools(), call.engine.resources,
        call.engine.limits.tool_s_max,
    )  # fmt: skip


async def _asset(call: Call, row: PartRow, *, is_read: bool) -> chain.Asset:
    fields = row.part.fields
    schema = cast("Mapping[str, object] | None", fields["schema"])
    asset = chain.Asset(row.id, str(fields["name"] or ""), row.part.status, schema)
    if not is_read or row.part.status != "READY" or not fields["content"]:
        return asset
    content = await call.engine.store.content(call.tenant, str(fields["content"]))
    if content is None or len(content) > VALUE_MAX:
        return asset
    return asset._replace(value=json.loads(content), is_known=True)


# -- resolving ---------------------------------------------------------------------------------


async def submit_resolution(call: Call, asked: SubmitResolution) -> Answer:
    """Hand in the whole chain of a hop."""
    name = part_named(asked.hop_id)
    rows = [_submitted(step) for step in asked.steps]
    wrong: list[Wrong] = []

    async def order_of() -> Order:
        some = await _some(call, name, rows)
        hop = hop_of(some, name)
        ground = await ground_of(call, some, rows)
        laid = chain.lay(ground, rows)
        wrong[:] = laid.wrong
        text = _design(hop, ground, laid)
        args: dict[str, object] = {"digest": digest_of(text), "keeps": laid.keeps}
        args |= {"steps": tuple(laid.rows), "errors": tuple(told(wrong))}
        # What is refused for what is wrong with it is not worth keeping.
        kept = () if wrong else (Kept(DESIGN, text.encode()),)
        also = () if wrong else tuple(_filled(ground, laid))
        sent = Asked(
            "complete_resolution", name, args=args, lease=asked.lease or "", kept=kept, also=also
        )
        return about(call, name, (sent,), showing(call), some.unit.version)

    try:
        return await on_one_version(call, name, order_of)
    except Refusal as no:
        if wrong and no.code in {ChainInvalid.code, "EMPTY_CHAIN"}:
            raise ChainInvalid(wrong) from no
        raise


def _filled(ground: chain.Ground, laid: chain.Laid) -> Iterator[Filled]:
    """Yield what the scratch of a chain is called, and which schema it has."""
    for row in laid.rows:
        results = cast("Maps", row["result_mapping"])
        for name, target in results.items():
            scratch = str(target.get("asset"))
            if scratch in laid.scratch:
                tool = ground.tools[str(row["tool"])]
                yield Filled(scratch, {"name": name, "schema": part_of(tool.result, name)})


def _design(hop: PartRow, ground: chain.Ground, laid: chain.Laid) -> str:
    """Return what is shown of a design: the whole chain, and what its assets are called."""
    kept = (*ground.done, *(ground.open if laid.keeps else ()))
    words = (
        "tool", "description", "parameter_mapping", "result_mapping", "resources", "deadline_s",
    )  # fmt: skip
    steps: list[Reply] = [
        {
            "step_id": row.step_id, "tool": row.tool, "description": row.description,
            "parameter_mapping": row.parameters, "result_mapping": row.results,
        }
        for row in kept
    ]  # fmt: skip
    steps += [{word: row[word] for word in words if row[word]} for row in laid.rows]
    names = {name: asset.name for name, asset in ground.assets.items()} | laid.scratch
    used = dump(steps)
    fields = hop.part.fields
    shown: Reply = {"title": fields["name"], "goal": fields["goal"], "steps": steps}
    shown["assets"] = [
        {"asset_id": name, "name": called} for name, called in names.items() if f'"{name}"' in used
    ]
    return dump(shown | {"is_final": fields["is_final"]})


async def fail_resolution(call: Call, asked: FailResolution) -> Answer:
    """Say that a hop cannot be resolved."""
    name = part_named(asked.hop_id)
    error: Reply = {"class": asked.failure, "message": asked.message, "detail": asked.detail}
    error["recoverable"] = can_be_repaired(FAILURES[asked.failure])
    args: dict[str, object] = {"failure": asked.failure, "error": error}
    sent = Asked(
        "resolution_failed", name, args=args, lease=asked.lease or "", told={"error": error}
    )
    return await advance(call.engine, about(call, name, (sent,), changed))


# -- deciding ----------------------------------------------------------------------------------


async def approve_design(call: Call, asked: ApproveDesign) -> Answer:
    """Approve a design as it was shown; it does not run yet."""
    said = {"content_digest": asked.content_digest}
    return await say(call, "approve_design", asked.hop_id, said)


async def execute_hop(call: Call, asked: AcceptHop) -> Answer:
    """Run a design as it was shown."""
    said = {"content_digest": asked.content_digest, "is_final": asked.is_final}
    return await execute(call, asked.hop_id, said)


async def execute(call: Call, hop: str, said: Mapping[str, object], gate: str = "") -> Answer:
    """Run a design; one that is no longer valid goes back, and the answer says why."""
    name = part_named(hop)

    async def order_of() -> Order:
        some = await _some(call, name, ())
        row = hop_of(some, name)
        wrong: list[Wrong] = []
        if row.part.status == "READY_TO_EXECUTE":
            wrong = chain.check(await ground_of(call, some))
        sent = decision(call, "execute_hop", name, str(row.part.fields["shown"]), said, gate)
        errors = tuple(told(wrong))
        if errors:
            sent = sent._replace(
                args={**sent.args, "errors": errors}, told={**sent.told, "errors": errors}
            )

        def word(result: Result) -> Reply:
            part = result.done[0].part
            data: Reply = {} if part is None else {"hop": part_told(part)}
            if not errors:
                return answered(result, data)
            action = "Resolve the hop again: what is wrong with its design is told in errors."
            reply = answered(result, data | {"errors": list(errors)}, action=action)
            return reply | {"status": "validation_failed"}

        return about(call, name, (sent,), word, some.unit.version)

    return await on_one_version(call, name, order_of)
