"""Which statuses may stand together, typed from the spec: what a mission shows must fit them.

Nothing here is read from the workflow. ``shown`` is what ``mission_status`` tells.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from interlock.kernel.seen import Part

Told = Mapping[str, Any]

ACTIVE: Final = ("PROPOSED", "READY_TO_RESOLVE", "READY_TO_EXECUTE", "EXECUTING")

# mission -> which statuses its current hop may have: going on, and held
CURRENT: Final = {
    "BUILDING_HOP": (("PROPOSED", "READY_TO_RESOLVE"), ("FAILED",)),
    "HOP_READY_TO_EXECUTE": (("READY_TO_EXECUTE",), ()),
    "EXECUTING_HOP": (("EXECUTING",), ("FAILED",)),
}

LEGAL: Final = frozenset(
    {
        ("PROPOSED", "-", False),
        ("READY_FOR_NEXT_HOP", "-", False),
        ("READY_FOR_NEXT_HOP", "PROPOSED", False),
        ("BUILDING_HOP", "PROPOSED", False),
        ("BUILDING_HOP", "READY_TO_RESOLVE", False),
        ("BUILDING_HOP", "FAILED", True),
        ("HOP_READY_TO_EXECUTE", "READY_TO_EXECUTE", False),
        ("EXECUTING_HOP", "EXECUTING", False),
        ("EXECUTING_HOP", "FAILED", True),
        ("COMPLETED", "-", False),
        ("FAILED", "-", False),
        ("CANCELLED", "-", False),
    }
)
"""Every pair of the table: the mission, its active or current hop, and whether it is held."""


def pair(shown: Told) -> tuple[str, str, bool]:
    """Return the pair that a mission stands in."""
    hops = {one["hop_id"]: one["status"] for one in shown["hops"]}
    active = [status for status in hops.values() if status in ACTIVE]
    hop = hops.get(shown.get("current_hop"), active[0] if active else "-")
    return shown["status"], hop, bool(shown.get("held"))


def wrong_pairs(shown: Told) -> Iterator[str]:
    """Yield what does not stand together of a mission and its hops."""
    status, held = shown["status"], bool(shown.get("held"))
    hops: Sequence[Told] = shown["hops"]
    current = [one for one in hops if one["hop_id"] == shown.get("current_hop")]
    active = [one for one in hops if one["status"] in ACTIVE]
    if pair(shown) not in LEGAL:
        yield f"no pair of the table: {pair(shown)}"
    if len(active) > 1:
        yield f"{len(active)} active hops"
    if held != ("recovery" in shown):
        yield "held without a recovery record, or the other way round"
    if status in CURRENT:
        yield from _wrong_current(status, current, active, held=held)
    elif "current_hop" in shown:
        yield f"a current hop in {status}"
    if status == "PROPOSED" and hops:
        yield "a hop of a mission that is only proposed"
    if status == "READY_FOR_NEXT_HOP":
        yield from _wrong_previous(hops)


def wrong_numbers(shown: Told) -> Iterator[str]:
    """Yield what is wrong with the numbers of hops: they begin at 1 and only grow."""
    numbers = [one["sequence"] for one in shown["hops"]]
    if numbers != sorted(set(numbers)) or (numbers and numbers[0] < 1):
        yield f"numbers of hops: {numbers}"


def _wrong_current(
    status: str, current: Sequence[Told], active: Sequence[Told], *, held: bool
) -> Iterator[str]:
    if len(current) != 1:
        yield f"{len(current)} current hops in {status}"
        return
    if current[0]["status"] not in CURRENT[status][held]:
        yield f"{status} with a current hop that is {current[0]['status']}, held: {held}"
    if [one for one in active if one not in current]:
        yield "an active hop beside the current one"


def _wrong_previous(hops: Sequence[Told]) -> Iterator[str]:
    """The previous hop: the last one that is not deleted, not cancelled, and not pending."""
    pending = [one for one in hops if one["status"] == "PROPOSED"]
    if len(pending) > 1:
        yield "two pending proposals"
    before = [one for one in hops if one["status"] not in ("CANCELLED", "PROPOSED")]
    if before and before[-1]["status"] != "COMPLETED":
        yield f"the previous hop is {before[-1]['status']}"


def wrong_parts(shown: Told, parts: Sequence[tuple[str, Part]]) -> Iterator[str]:
    """Yield what does not stand together of hops, tool steps and assets."""
    hops = {one["hop_id"]: one["status"] for one in shown["hops"]}
    steps = [part for _, part in parts if part.kind == "tool_step"]
    assets = {name: part.status for name, part in parts if part.kind == "asset"}
    running = [one for one in steps if one.status == "EXECUTING"]
    if len(running) > 1:
        yield "two tool steps run at once"
    if running and hops[str(running[0].parent)] != "EXECUTING":
        yield "a tool step runs in a hop that does not"
    made = {str(name) for one in running for name in cast("list[str]", one.fields["makes"])}
    if "IN_PROGRESS" in assets.values() and not running:
        yield "an asset is made by nobody"
    if [name for name in made if assets[name] not in ("IN_PROGRESS", "EXPIRED")]:
        yield "a running step does not make its output"
    for hop, status in hops.items():
        own = [one.status for one in steps if one.parent == hop]
        yield from _wrong_steps(status, own)


def _wrong_steps(hop: str, own: Sequence[str]) -> Iterator[str]:
    if hop == "READY_TO_EXECUTE" and (not own or set(own) - {"READY_TO_EXECUTE", "COMPLETED"}):
        yield f"a hop is ready to execute, and its steps are {own}"
    if hop == "COMPLETED" and set(own) - {"COMPLETED", "CANCELLED"}:
        yield f"a hop is completed, and its steps are {own}"
    if hop == "CANCELLED" and set(own) - {"COMPLETED", "CANCELLED", "FAILED"}:
        yield f"a hop is cancelled, and its steps are {own}"
    done = [status for status in own if status == "COMPLETED"]
    if hop == "EXECUTING" and own[: len(done)] != done:
        yield f"steps do not run in their order: {own}"
