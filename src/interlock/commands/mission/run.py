"""Running the tool steps of a hop: the call that a worker is handed, the result it hands in.

Whoever claims a tool step is told its arguments as values. What a tool has returned is checked
against what the step is to make; each output becomes the content of its asset, in one commit with
the step. Completing a hop or a mission by a person's word is here, too.
"""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple, cast

from interlock.commands.deciding import may_decide, on_one_version
from interlock.commands.mission.mapping import (
    Json,
    NoSuchPath,
    assets_of,
    at_path,
    wrong_with,
)
from interlock.commands.mission.shown import CONTENT, digest_of
from interlock.commands.mission.words import about, changed, mission_named, part_named
from interlock.commands.row import Call
from interlock.service.engine import Limits
from interlock.service.errors import NotFound
from interlock.service.order import Asked, Filled, Kept, Order, Reply, require_version
from interlock.service.run import Answer, advance
from interlock.service.some import Some, read_some
from interlock.store.rows import PartRow, UnitRow, dump
from interlock.wire.mission import SubmitToolResult, WhyHop, WhyMission
from interlock.workflows.mission.failures import FAILURES, class_of

DEADLINE_S: Final = 300
"""How long a tool may run, where neither its step nor the tool itself says."""

AROUND_RESULT: Final = 4096
"""How many bytes of a command are not the result that it hands in."""

RESULT: Final = "result"
VALIDATION: Final = "validation"
UNHANDLED: Final = "unhandled"
Maps = Mapping[str, Json]


class Failed(NamedTuple):
    """How a tool step has failed."""

    failure: str
    message: str
    detail: str = ""


async def _step(call: Call, name: str) -> tuple[Some, PartRow]:
    """Read a tool step with the assets that its mappings name."""

    def others(_: UnitRow, part: PartRow | None, __: object) -> tuple[str, ...]:
        if part is None or part.part.kind != "tool_step":
            return ()
        words = ("parameter_mapping", "result_mapping")
        return tuple(
            name for word in words for name in assets_of(cast("Maps", part.part.fields[word] or {}))
        )

    some = await read_some(call.engine, call.tenant, name, others=others)
    if some.part is None or some.part.part.kind != "tool_step":
        raise NotFound(name)
    return some, some.part


# -- handing out -------------------------------------------------------------------------------


async def with_call(call: Call, answer: Answer | Reply) -> Answer | Reply:
    """Add to work that was handed out what is to be run, where it is a tool step."""
    reply = dict(answer if isinstance(answer, dict) else answer.reply)
    data = dict(cast("Reply", reply["data"]))
    part = data.get("part")
    if not isinstance(part, dict) or part.get("kind") != "tool_step":
        return answer
    some, step = await _step(call, str(part["part_id"]))
    if "lease" in part:
        data["part"] = part | {"call": await _call(call, some, step)}
    else:
        data["part"] = part | {"blocked_by": _missing_inputs(step, some.others)}
    return reply | {"data": data}


def _missing_inputs(step: PartRow, assets: Mapping[str, PartRow]) -> list[str]:
    """Name the assets that a tool step takes and that are not there."""
    takes = assets_of(cast("Maps", step.part.fields["parameter_mapping"] or {}))
    found = {name: assets.get(name) for name in takes}
    return [name for name, row in found.items() if row is None or row.part.status != "READY"]


async def _call(call: Call, some: Some, step: PartRow) -> Reply:
    """Return the call that a tool step stands for: its arguments are values."""
    fields = step.part.fields
    resources = list(cast("tuple[str, ...]", fields["resources"] or ()))
    told: Reply = {"tool": fields["tool"], "resources": resources}
    told |= {"attempt": cast("int", fields["tries"]) + 1, **_bounds(call.engine.limits, fields)}
    arguments: Reply = {}
    values: dict[str, object] = {}
    for name, source in cast("Maps", fields["parameter_mapping"] or {}).items():
        if "literal" in source:
            arguments[name] = source["literal"]
            continue
        asset = str(source["asset"])
        if asset not in values:
            values[asset] = await _value(call, some.others.get(asset))
        try:
            arguments[name] = at_path(values[asset], str(source.get("path", "")))
        except NoSuchPath:
            message = f"{name}: the asset {asset} holds nothing at {str(source['path'])[:80]!r}."
            told["error"] = {"failure": VALIDATION, "message": message}
    return told | {"arguments": arguments}


def _bounds(limits: Limits, fields: Mapping[str, object]) -> Reply:
    """Say how long a tool may run, and how many bytes its result may have to be handed in."""
    # A step of before does not say how long it may run.
    lasts = cast("int | None", fields.get("deadline_s")) or DEADLINE_S
    room = max(limits.body_bytes_max - AROUND_RESULT, limits.body_bytes_max // 2)
    return {"deadline_s": min(lasts, limits.tool_s_max), "result_bytes_max": room}


async def _value(call: Call, asset: PartRow | None) -> object:
    digest = None if asset is None else asset.part.fields["content"]
    content = None if not digest else await call.engine.store.content(call.tenant, str(digest))
    return None if content is None else json.loads(content)


# -- handing in --------------------------------------------------------------------------------


async def submit_tool_result(call: Call, asked: SubmitToolResult) -> Answer:
    """Hand in what a tool has returned, or how it has failed."""
    name = part_named(asked.part_id)

    async def order_of() -> Order:
        some, step = await _step(call, name)
        require_version(some.unit, call.version)
        sent = _handed_in(asked, some, step)
        return about(call, name, (sent,), changed, some.unit.version)

    return await on_one_version(call, name, order_of)


def _handed_in(asked: SubmitToolResult, some: Some, step: PartRow) -> Asked:
    goes = {
        name: str(target["asset"])
        for name, target in cast("Maps", step.part.fields["result_mapping"] or {}).items()
        if "asset" in target
    }
    failed = _failure(asked) or _missing(asked, goes) or _unfit(asked, goes, some)
    name, lease = step.id, asked.lease or ""
    if failed is not None:
        error = _error(failed, some, step, is_down=asked.resource_down)
        args: dict[str, object] = {"failure": error["class"], "error": error}
        args |= {"resource_down": True} if asked.resource_down else {}
        kept = (Kept(RESULT, dump({"error": error, "outputs": asked.outputs}).encode()),)
        told = {"error": error}
        return Asked("submit_tool_result", name, args=args, lease=lease, kept=kept, told=told)
    texts = {output: dump(asked.outputs[output]) for output in goes}
    result = {output: digest_of(text) for output, text in texts.items()}
    also = tuple(
        Filled(asset, {"content": result[output]}, (Kept(CONTENT, texts[output].encode()),))
        for output, asset in goes.items()
    )
    whole = Kept(RESULT, dump({"outputs": asked.outputs}).encode())
    args = {"result": result, "error": None}
    return Asked("submit_tool_result", name, args=args, lease=lease, kept=(whole,), also=also)


def _error(failed: Failed, some: Some, step: PartRow, *, is_down: bool) -> Reply:
    """Return what is kept of a failure; of what class it is, also depends on which attempt it was."""
    attempt = cast("int", step.part.fields["tries"]) + 1
    tries_max = cast("int", some.unit.unit.fields["tries_max"])
    name = class_of(failed.failure, attempt, tries_max, is_down=is_down)
    error: Reply = {"class": name, "message": failed.message, "attempt": attempt}
    error |= {"recoverable": FAILURES[name].is_recoverable}
    return error | ({"detail": failed.detail} if failed.detail else {})


def _failure(asked: SubmitToolResult) -> Failed | None:
    """Return the failure that was reported; an error without a class is one that nobody foresaw."""
    said = asked.error
    if asked.failure is None and said is None:
        return None
    name = asked.failure or UNHANDLED
    return Failed(name, said.message if said else name, said.detail if said else "")


def _missing(asked: SubmitToolResult, goes: Mapping[str, str]) -> Failed | None:
    """Return how a step fails whose tool has not returned what the step is to make."""
    missing = [name for name in goes if name not in asked.outputs]
    if not missing:
        return None
    message = f"The tool has returned no {', '.join(missing)}, which the step is to make."
    return Failed(VALIDATION, message)


def _unfit(asked: SubmitToolResult, goes: Mapping[str, str], some: Some) -> Failed | None:
    """Return how a step fails whose tool has returned what does not fit the asset."""
    for name, asset in goes.items():
        row = some.others.get(asset)
        schema = None if row is None else cast("Json | None", row.part.fields["schema"])
        wrong = wrong_with(asked.outputs[name], schema)
        if wrong:
            told = "; ".join(wrong).replace("the answer", "the value")
            return Failed(VALIDATION, f"{name} does not fit the asset {asset}.", told)
    return None


# -- by a person's word ------------------------------------------------------------------------


async def mark_hop_complete(call: Call, asked: WhyHop) -> Answer:
    """Say that a hop is done: its output is there."""
    may_decide(call)
    name = part_named(asked.hop_id)
    told = {"reason": asked.reason}
    sent = Asked("mark_hop_complete", name, args=told, told=told)
    return await advance(call.engine, about(call, name, (sent,), changed))


async def complete_early(call: Call, asked: WhyMission) -> Answer:
    """Say that a mission has reached its goal without a final hop."""
    may_decide(call)
    name = mission_named(asked.mission_id)
    told = {"reason": asked.reason}
    sent = Asked("complete_early", args=told, told=told)
    return await advance(call.engine, about(call, name, (sent,), changed))
