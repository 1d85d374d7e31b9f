"""How a mission stands and what was written about it, as the door shows it; and which pairs are legal."""

import json
from typing import Final

from tests.spec.door import PAT, Document, Door
from tests.spec.mission.places import Brought

ACTIVE: Final = frozenset({"PROPOSED", "READY_TO_RESOLVE", "READY_TO_EXECUTE", "EXECUTING"})
NONE: Final[tuple[str, list[str]]] = ("", [])
# fmt: off
LEGAL: Final = {
    "PROPOSED":             (NONE,),
    "READY_FOR_NEXT_HOP":   (NONE, ("", ["PROPOSED"])),
    "BUILDING_HOP":         (("PROPOSED", ["PROPOSED"]), ("READY_TO_RESOLVE", ["READY_TO_RESOLVE"])),
    "BUILDING_HOP held":    (("FAILED", []),),
    "HOP_READY_TO_EXECUTE": (("READY_TO_EXECUTE", ["READY_TO_EXECUTE"]),),
    "EXECUTING_HOP":        (("EXECUTING", ["EXECUTING"]),),
    "EXECUTING_HOP held":   (("FAILED", []),),
    "COMPLETED":            (NONE,),
    "FAILED":               (NONE,),
    "CANCELLED":            (NONE,),
}
"""By where the mission stands: its current hop, and its active ones."""
# fmt: on


def walked(entries: list[Document]) -> str:
    """Return what a command has written, in the words of the table."""
    found = []
    for body in entries:
        mark = "<" if "cause" in body else ""
        word = f"{body.get('source', '')}>{body.get('target', '')}"
        word = word if body["change"] == "move" else body["change"]
        if body["change"] in ("move", "new", "drop"):
            found += [f"{mark}{body['kind']} {word}"] * len(body.get("ids", ("unit",)))
    return ", ".join(found)


async def seen(door: Door, mission: str) -> str:
    """Return a mission as every read shows it, and its audit."""
    reads = ("get_unit", "id"), ("mission_status", "mission_id"), ("get_audit", "id")
    told = [(await door.ask(tool, PAT, **{name: mission}))["data"] for tool, name in reads]
    return json.dumps(told, sort_keys=True)


def assert_pair(unit: Document) -> None:
    """Check that a mission and its hops may stand together, as section 4 has it."""
    hops = {part["part_id"]: part["status"] for part in unit["parts"] if part["kind"] == "hop"}
    active = sorted(status for status in hops.values() if status in ACTIVE)
    current = hops.get(str(unit["fields"]["current"]), "")
    status = f"{unit['status']}{' held' if unit['fields']['held'] else ''}"

    assert (current, active) in LEGAL[status], (status, current, active)


async def status(door: Door, it: Brought) -> Document:
    """Return everything that the status of a mission tells."""
    told: Document = (await door.ask("mission_status", PAT, mission_id=it.mission))["data"]
    return told


async def walk(door: Door, it: Brought, after: int = 0) -> str:
    """Return what was written about a mission, in the words of the table."""
    return walked(await door.audit(it.mission, after))


async def part(door: Door, it: Brought, name: str) -> Document:
    """Return a part as it stands; the empty document where it is gone."""
    unit = await door.read(f"unit/{it.mission}")
    return next((one for one in unit["parts"] if one["part_id"] == name), {})
