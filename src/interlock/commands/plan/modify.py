"""Change a plan: add, remove, reorder, instruct, fail and retry steps; conditions; settings.

What hangs on how the plan stands as a whole (orders, conditions) is decided on one version of it,
and tried again where somebody was faster.
"""

from collections.abc import Callable, Mapping
from typing import Final

from interlock.commands.names import is_plan
from interlock.commands.plan.make import branch_params, step_fields
from interlock.commands.plan.status import lines
from interlock.commands.plan.words import (
    MS,
    InvalidStepReference,
    answered,
    find_step,
    go_on,
    read_plan,
)
from interlock.commands.row import Call
from interlock.errors import InterlockError
from interlock.service.around import read_condition
from interlock.service.errors import Conflict, InvalidInput, StaleVersion
from interlock.service.order import (
    Arrangement,
    Asked,
    Branches,
    Hung,
    Order,
    Reply,
    Result,
    require_version,
)
from interlock.service.read import Read
from interlock.service.run import Answer, advance, earlier
from interlock.store.port import Whole
from interlock.store.rows import PartRow
from interlock.wire.plan import ModifyPlan, NewCondition

TRIES: Final = 5
CONDITIONS_MAX: Final = 100
NEW_MARK: Final = "+"


async def modify_plan(call: Call, asked: ModifyPlan) -> Answer:
    """Change a plan, and tell its steps as they are afterwards, or as they would be."""
    is_plan(asked.plan_id)
    # What changes nothing needs no memory of having been done.
    key = None if asked.dry_run else call.key
    for _ in range(TRIES):
        read = await read_plan(call, asked.plan_id)
        try:
            require_version(read.whole.row, call.version)
            sent, warnings = ACTIONS[asked.action](call, asked, read)
        except InterlockError:
            # What does not fit any more may be what this very request has changed.
            before = await earlier(call.engine, call.tenant, asked.plan_id, key)
            if before is None:
                raise
            return before
        told: Reply = {"action": asked.action, "rationale": asked.modification_rationale}
        sent = sent._replace(told={**sent.told, **{k: v for k, v in told.items() if v}})
        version = read.whole.row.version if asked.action in WHOLE else call.version
        order = Order(
            call.tenant, call.caller.actor(), asked.plan_id, (sent,),
            _worded(warnings, is_dry=asked.dry_run), key, version, tells_parts=True,
            is_dry=asked.dry_run,
        )  # fmt: skip
        try:
            return await advance(call.engine, order)
        except StaleVersion:
            continue
    message = "Others kept changing the plan; nothing was applied."
    raise Conflict(message, fix="Send the same command again.")


def _worded(warnings: list[str], *, is_dry: bool) -> Callable[[Result], Reply]:
    def word(result: Result) -> Reply:
        data: Reply = {"steps": list(lines(result.parts, {}))}
        if is_dry:
            data["is_preview"] = True
        return answered(
            result, result.unit.unit.status, go_on(result.unit.unit.status), data, warnings
        )

    return word


Change = Callable[[Call, ModifyPlan, Read], tuple[Asked, list[str]]]


def _step(asked: ModifyPlan, read: Read) -> PartRow:
    if asked.step_id is None:
        message = f"{asked.action} needs step_id."
        raise InvalidInput(message, fix="Name the step; get_plan_status lists them.")
    return find_step(read, asked.step_id)


# -- steps -------------------------------------------------------------------------------------


def _add_steps(_: Call, asked: ModifyPlan, read: Read) -> tuple[Asked, list[str]]:
    if not asked.steps:
        raise InvalidInput("add_steps needs steps.", fix="Send at least one step.")
    after = asked.insert_after_order
    parts = read.whole.parts
    if after is not None and after > len(parts):
        message = f"There is no step {after} to insert after; there are {len(parts)}."
        raise InvalidStepReference(message, fix="Leave insert_after_order out to append.")
    earlier = {row.id for row in (parts if after is None else parts[:after])}
    rows = []
    for place, step in enumerate(asked.steps):
        needs, uses = _needs(step.depends_on, place, earlier)
        rows.append({**step_fields(step), "needs": needs, "uses": uses})
    args: dict[str, object] = {"steps": rows}
    if after is None or after == len(parts):
        return Asked("add_steps", args=args), []
    return Asked("insert_steps", parts[after - 1].id, args=args), []


def _needs(
    names: tuple[str, ...], place: int, earlier: set[str]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Sort what a new step depends on: others that are added with it, and older ones."""
    needs, uses = [], []
    for name in dict.fromkeys(names):
        number = name.removeprefix(NEW_MARK)
        if name.startswith(NEW_MARK) and number.isascii() and number.isdigit():
            if not 0 < int(number[:9]) <= place:
                message = f"The new step {place + 1} depends on {name}, which is not before it."
                raise InvalidStepReference(message, fix="Name earlier steps only.")
            needs.append(int(number) - 1)
        elif name in earlier:
            uses.append(name)
        else:
            message = f"{name[:80]!r} is no step before the new one."
            raise InvalidStepReference(message, fix="Name earlier steps by id, or by +1, +2, ...")
    return tuple(needs), tuple(uses)


def _remove_step(_: Call, asked: ModifyPlan, read: Read) -> tuple[Asked, list[str]]:
    step = _step(asked, read)
    lost = [
        f"The condition {row.expression!r} of {part} was removed with the step."
        for part, row in read.whole.conditions
        if step.id in (part, row.target)
    ]
    return Asked("remove_step", step.id, told={"removed": step.id}), lost


def _reorder_steps(_: Call, asked: ModifyPlan, read: Read) -> tuple[Asked, list[str]]:
    known = {row.id: row for row in read.whole.parts}
    if set(asked.step_ids) != set(known) or len(asked.step_ids) != len(known):
        message = "reorder_steps needs all steps of the plan, each once."
        raise InvalidStepReference(message, fix=f"Send all {len(known)} ids in their new order.")
    places = {name: place for place, name in enumerate(asked.step_ids)}
    for name, row in known.items():
        for need in row.part.needs:
            if places[str(need)] > places[name]:
                message = f"{name} would stand before {need}, which it depends on."
                raise InvalidStepReference(message, fix="Keep steps behind what they depend on.")
    also = (Arrangement("step", asked.step_ids),)
    return Asked("update_plan", args={"is_shuffled": True}, also=also), []


def _update_instructions(_: Call, asked: ModifyPlan, read: Read) -> tuple[Asked, list[str]]:
    step = _step(asked, read)
    names = ("instructions", "title", "acceptance")
    args = {name: getattr(asked, name) for name in names if getattr(asked, name) is not None}
    if not args:
        message = "update_step_instructions changes nothing."
        raise InvalidInput(message, fix="Send instructions, title or acceptance.")
    return Asked("update_step_instructions", step.id, args=args), []


def _fail_step(_: Call, asked: ModifyPlan, read: Read) -> tuple[Asked, list[str]]:
    args: dict[str, object] = {"reason": asked.reason}
    return Asked("fail_step", _step(asked, read).id, args=args, told=args), []


def _retry_step(_: Call, asked: ModifyPlan, read: Read) -> tuple[Asked, list[str]]:
    return Asked("retry_step", _step(asked, read).id), []


# -- conditions --------------------------------------------------------------------------------


def _add_condition(call: Call, asked: ModifyPlan, read: Read) -> tuple[Asked, list[str]]:
    row = asked.condition
    if row is None:
        raise InvalidInput("add_condition needs a condition.", fix="Send condition.")
    parts = read.whole.parts
    if row.after_step_order > len(parts):
        message = f"A condition hangs on step {row.after_step_order}; there are {len(parts)}."
        raise InvalidStepReference(message, fix="Name a step of this plan, counted from 1.")
    if len(read.whole.conditions) >= CONDITIONS_MAX:
        message = f"A plan has at most {CONDITIONS_MAX} conditions."
        raise InvalidInput(message, fix="Remove one first.")
    read_condition(call.engine.flows["plan"].flow, row.expression)  # raises if it is none
    step = parts[row.after_step_order - 1]
    hung = (*_hung(read.whole, step.id), _new_branch(row, read))
    told = {"condition": {"after": step.id, "expression": row.expression, "action": row.action}}
    return Asked("update_plan", told=told, also=(Branches(step.id, hung),)), []


def _new_branch(row: NewCondition, read: Read) -> Hung:
    parts, target = read.whole.parts, row.target_step_order
    name = None
    if row.action == "skip_to":
        if target is None or not row.after_step_order < target <= len(parts):
            message = f"skip_to leads to step {target}, which is not a later step."
            raise InvalidStepReference(message, fix="Set target_step_order to a later step.")
        name = parts[target - 1].id
    return Hung(row.expression, row.action, branch_params(row), name)


def _remove_condition(_: Call, asked: ModifyPlan, read: Read) -> tuple[Asked, list[str]]:
    step = _step(asked, read)
    hung = _hung(read.whole, step.id)
    number = asked.condition_number
    if number is None or number > len(hung):
        message = f"There is no condition {number} on {step.id}; it has {len(hung)}."
        raise InvalidStepReference(message, fix="Set condition_number, counted from 1.")
    gone = hung[number - 1]
    left = (*hung[: number - 1], *hung[number:])
    told = {"removed": {"after": step.id, "expression": gone.expression, "action": gone.action}}
    return Asked("update_plan", told=told, also=(Branches(step.id, left),)), []


def _hung(whole: Whole, step: str) -> tuple[Hung, ...]:
    return tuple(
        Hung(row.expression, row.action, row.params, row.target)
        for part, row in whole.conditions
        if part == step
    )


# -- settings ----------------------------------------------------------------------------------


def _update_plan(_: Call, asked: ModifyPlan, __: Read) -> tuple[Asked, list[str]]:
    words: Mapping[str, object] = {
        "name": asked.name,
        "formatting_notes": asked.output_formatting_notes,
        "review_policy": asked.review_policy,
        "lease_ms": None if asked.stall_after is None else asked.stall_after * MS,
        "max_parallel": asked.max_parallel_steps,
    }
    args = {name: value for name, value in words.items() if value is not None}
    if not args:
        message = "update_plan changes nothing."
        raise InvalidInput(message, fix="Send what is to change, such as name.")
    return Asked("update_plan", args=args), []


ACTIONS: Final[dict[str, Change]] = {
    "add_steps": _add_steps,
    "remove_step": _remove_step,
    "reorder_steps": _reorder_steps,
    "update_step_instructions": _update_instructions,
    "fail_step": _fail_step,
    "retry_step": _retry_step,
    "add_condition": _add_condition,
    "remove_condition": _remove_condition,
    "update_plan": _update_plan,
}
WHOLE: Final = frozenset({"add_steps", "reorder_steps", "add_condition", "remove_condition"})
"""Actions that are decided on how the plan stands as a whole."""
