"""What the spec says about every status and every command, typed once: nothing here is computed.

A column is a place and what is spoken of there: the mission, one of its hops (``it``, ``done``,
``off``), its tool step or an asset. A row says who may send a command, what it does where it
works, and what it is told elsewhere. The rules of the product are not read.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tests.spec.mission.places import PLACES, hops_at

Works = dict[str, str]
"""By column, what is written in the audit: moves, parts made and dropped. ``<`` has a cause."""

ENDED: Final = frozenset({"COMPLETED", "FAILED", "CANCELLED"})


def each(target: str, walk: str, *but: str) -> Works:
    """Return the columns of all places with a hop of this name, or with a mission."""
    return {
        f"{place}/{target}": walk
        for place in PLACES
        if place not in but and (target in hops_at(place) or target in ("mission", "asset"))
    }


class Row(NamedTuple):
    """A command. ``who`` is a person, an agent, either, or for a decision a person who is asked."""

    who: str
    works: Works
    # What it is told where something else than the statuses stands in its way.
    unless: Mapping[str, str] = MappingProxyType({})
    # What it is told in all other statuses, and about a mission that has ended.
    else_: str = "INVALID_TRANSITION"
    ended: str = "MISSION_TERMINAL"
    # What it is told about a hop of a mission that has ended, and about any hop, where that differs.
    hop_ended: str = ""
    hop: str = ""
    # What it is told about a tool step that does not run, where that differs.
    step: str = ""
    # Where only a person decides, whatever the policy: what has ended is left by people alone.
    people: tuple[str, ...] = ()


LIVE: Final = tuple(name for name, stands in PLACES.items() if stands.mission not in ENDED)
OVER: Final = tuple(name for name, stands in PLACES.items() if stands.mission in ENDED)
CURRENT: Final = (
    "asked",
    "resolving",
    "building held",
    "designed",
    "running",
    "idle",
    "executing held",
)
"""The places of a mission that has a current hop."""

LEFT: Final = ("failed/mission", "broken/mission", "failed/it", "given up/it")
"""What has ended and is left by people alone."""

NEW_HOP: Final = {"ready/mission": "hop new", "between/mission": "hop new"}
TWO_STEPS: Final = "<tool_step READY_TO_EXECUTE>CANCELLED, <tool_step READY_TO_EXECUTE>CANCELLED"
RUNNING: Final = "<tool_step EXECUTING>CANCELLED, <tool_step READY_TO_EXECUTE>CANCELLED, <asset IN_PROGRESS>PENDING"

# fmt: off
CANCELS: Final = {
    "proposed/mission":       "mission PROPOSED>CANCELLED",
    "ready/mission":          "mission READY_FOR_NEXT_HOP>CANCELLED",
    "between/mission":        "mission READY_FOR_NEXT_HOP>CANCELLED",
    "pending/mission":        "mission READY_FOR_NEXT_HOP>CANCELLED, <hop PROPOSED>CANCELLED",
    "asked/mission":          "mission BUILDING_HOP>CANCELLED, <hop PROPOSED>CANCELLED",
    "resolving/mission":      "mission BUILDING_HOP>CANCELLED, <hop READY_TO_RESOLVE>CANCELLED",
    "building held/mission":  "mission BUILDING_HOP>CANCELLED",
    "designed/mission":       f"mission HOP_READY_TO_EXECUTE>CANCELLED, <hop READY_TO_EXECUTE>CANCELLED, {TWO_STEPS}",
    "running/mission":        f"mission EXECUTING_HOP>CANCELLED, <hop EXECUTING>CANCELLED, {RUNNING}",
    "idle/mission":           f"mission EXECUTING_HOP>CANCELLED, <hop EXECUTING>CANCELLED, {TWO_STEPS}",
    "executing held/mission": "mission EXECUTING_HOP>CANCELLED",
    "failed/mission":         "mission FAILED>CANCELLED",
    "broken/mission":         "mission FAILED>CANCELLED",
}
CANCELS_HOP: Final = {
    "pending/it":  "hop PROPOSED>CANCELLED",
    "failed/it":   "hop FAILED>CANCELLED, <tool_step READY_TO_EXECUTE>CANCELLED",
    "given up/it": "hop FAILED>CANCELLED, <tool_step READY_TO_EXECUTE>CANCELLED",
}
CANCELS_BOTH: Final = {
    "asked/it":          "hop PROPOSED>CANCELLED, <mission BUILDING_HOP>CANCELLED",
    "resolving/it":      "hop READY_TO_RESOLVE>CANCELLED, <mission BUILDING_HOP>CANCELLED",
    "building held/it":  "hop FAILED>CANCELLED, <mission BUILDING_HOP>CANCELLED",
    "designed/it":       f"hop READY_TO_EXECUTE>CANCELLED, {TWO_STEPS}, <mission HOP_READY_TO_EXECUTE>CANCELLED",
    "running/it":        f"hop EXECUTING>CANCELLED, {RUNNING}, <mission EXECUTING_HOP>CANCELLED",
    "idle/it":           f"hop EXECUTING>CANCELLED, {TWO_STEPS}, <mission EXECUTING_HOP>CANCELLED",
    "executing held/it": "hop FAILED>CANCELLED, <tool_step READY_TO_EXECUTE>CANCELLED, <mission EXECUTING_HOP>CANCELLED",
}
WITH_STEPS: Final = "tool_step drop, tool_step drop, asset drop, hop drop"

TABLE: Final = {
    # -- about the mission
    "edit_mission":   Row("either", {"proposed/mission": ""}),
    "accept_mission": Row("decision", {
        "proposed/mission": "mission PROPOSED>READY_FOR_NEXT_HOP, asset PROPOSED>PENDING, asset PROPOSED>PENDING, asset PROPOSED>PENDING, asset PENDING>READY",
    }),
    "propose_hop":    Row("either", NEW_HOP, {"pending/mission": "HOP_OPEN"}),
    "create_hop":     Row("person", NEW_HOP, {"pending/mission": "HOP_OPEN"}),
    "complete_early": Row("person", {
        "between/mission": "mission READY_FOR_NEXT_HOP>COMPLETED",
        "pending/mission": "mission READY_FOR_NEXT_HOP>COMPLETED, <hop PROPOSED>CANCELLED",
    }, {"ready/mission": "NOTHING_DONE"}),
    "abandon_recovery": Row("person", {
        "building held/mission":  "mission BUILDING_HOP>FAILED",
        "executing held/mission": "mission EXECUTING_HOP>FAILED",
    }, {f"{place}/mission": "NOT_HELD" for place in ("asked", "resolving", "running", "idle")}, else_="NOT_HELD"),
    "reset_mission":  Row("decision", {f"{place}/mission": "" for place in OVER if place != "superseded"},
                          {"superseded/mission": "ALREADY_RESET"}, else_="MISSION_LIVE"),
    # -- about the mission, or a hop; with its current hop only where that was said
    "cancel": Row("decision", CANCELS | CANCELS_HOP, {f"{place}/it": "CASCADE_REQUIRED" for place in CURRENT},
                  hop_ended="INVALID_TRANSITION", people=LEFT),
    "cancel cascade": Row("decision", CANCELS | CANCELS_HOP | CANCELS_BOTH, hop_ended="INVALID_TRANSITION", people=LEFT),
    # -- about a hop
    "revise_hop":     Row("either", {"pending/it": "", "asked/it": ""}),
    "withdraw_hop":   Row("agent", {"pending/it": "hop drop"}),
    "accept_hop":     Row("decision", {
        "pending/it": "hop PROPOSED>READY_TO_RESOLVE, mission READY_FOR_NEXT_HOP>BUILDING_HOP",
        "asked/it":   "hop PROPOSED>READY_TO_RESOLVE",
    }),
    "reject_hop":     Row("decision", {"pending/it": "hop drop"}),
    "request_changes": Row("decision", {
        "resolving/it": "hop READY_TO_RESOLVE>PROPOSED",
        "designed/it":  "mission HOP_READY_TO_EXECUTE>BUILDING_HOP, hop READY_TO_EXECUTE>READY_TO_RESOLVE, "
                        "tool_step READY_TO_EXECUTE>READY_TO_CONFIGURE, tool_step READY_TO_EXECUTE>READY_TO_CONFIGURE, "
                        "tool_step READY_TO_CONFIGURE>PROPOSED, tool_step READY_TO_CONFIGURE>PROPOSED",
    }),
    "submit_resolution": Row("agent", {
        "resolving/it": "hop READY_TO_RESOLVE>READY_TO_EXECUTE, mission BUILDING_HOP>HOP_READY_TO_EXECUTE, "
                        "tool_step new, asset new, tool_step new, "
                        "tool_step PROPOSED>READY_TO_CONFIGURE, tool_step PROPOSED>READY_TO_CONFIGURE, "
                        "tool_step READY_TO_CONFIGURE>READY_TO_EXECUTE, tool_step READY_TO_CONFIGURE>READY_TO_EXECUTE",
    }),
    "fail_resolution": Row("agent", {"resolving/it": "hop READY_TO_RESOLVE>FAILED"}),
    "approve_design": Row("decision", {"designed/it": ""}),
    "execute_hop":    Row("decision", {"designed/it": "hop READY_TO_EXECUTE>EXECUTING, mission HOP_READY_TO_EXECUTE>EXECUTING_HOP"}),
    "mark_hop_complete": Row("person", {
        "idle/it": f"hop EXECUTING>COMPLETED, {TWO_STEPS}, <mission EXECUTING_HOP>READY_FOR_NEXT_HOP",
    }, {"running/it": "STEP_RUNNING"}),
    "fix_hop": Row("decision", {
        "building held/it":  "hop FAILED>READY_TO_RESOLVE",
        "executing held/it": "hop FAILED>READY_TO_RESOLVE, mission EXECUTING_HOP>BUILDING_HOP, tool_step FAILED>READY_TO_CONFIGURE",
    }),
    "reset_hop":   Row("decision", {"between/off": "hop CANCELLED>PROPOSED"}, {"pending/off": "HOP_OPEN"}),
    "delete_hop":  Row("person", {
        **each("off", "hop drop"), "pending/it": "hop drop",
        "failed/it": WITH_STEPS, "cancelled/it": WITH_STEPS, "given up/it": WITH_STEPS,
    }, dict.fromkeys(("asked/it", "building held/it", "executing held/it"), "CURRENT_HOP"), ended="INVALID_TRANSITION"),
    "archive_hop": Row("person", {**each("done", ""), "completed/it": "", "superseded/it": ""}, ended="INVALID_TRANSITION"),
    # -- about a piece of work: a hop, or a tool step
    "heartbeat_work": Row("agent", {"asked/it": "", "resolving/it": "", "running/step": ""}),
    "release_work":   Row("agent", {"asked/it": "", "resolving/it": "", "running/step": ""}),
    "submit_work":    Row("nobody", {}, else_="INVALID_INPUT", ended="INVALID_INPUT"),
    "fail_work":      Row("agent", {
        "resolving/it": "hop READY_TO_RESOLVE>FAILED",
        "running/step": "tool_step EXECUTING>FAILED, <asset IN_PROGRESS>ERROR, <hop EXECUTING>FAILED",
    }, step="LATE_RESULT"),
    "take_over_work": Row("nobody", {}, else_="INVALID_INPUT", ended="INVALID_INPUT"),
    "submit_tool_result": Row("agent", {
        "running/step": "tool_step EXECUTING>COMPLETED, <asset IN_PROGRESS>READY",
    }, else_="LATE_RESULT", ended="LATE_RESULT", hop="NOT_FOUND"),
    # -- about an asset
    "set_asset": Row("either", {f"{place}/asset": "asset PENDING>READY" for place in LIVE} | {"proposed/asset": ""}),
}

# What only the system says; whatever is not here it may not say at all, wherever things stand.
SYSTEM: Final = {
    "system_error": Row("system", {
        "proposed/mission":       "mission PROPOSED>FAILED",
        "ready/mission":          "mission READY_FOR_NEXT_HOP>FAILED",
        "between/mission":        "mission READY_FOR_NEXT_HOP>FAILED",
        "pending/mission":        "mission READY_FOR_NEXT_HOP>FAILED, <hop PROPOSED>FAILED",
        "asked/mission":          "mission BUILDING_HOP>FAILED, <hop PROPOSED>FAILED",
        "resolving/mission":      "mission BUILDING_HOP>FAILED, <hop READY_TO_RESOLVE>FAILED",
        "building held/mission":  "mission BUILDING_HOP>FAILED",
        "designed/mission":       "mission HOP_READY_TO_EXECUTE>FAILED, <hop READY_TO_EXECUTE>FAILED",
        "running/mission":        "mission EXECUTING_HOP>FAILED, <hop EXECUTING>FAILED, <tool_step EXECUTING>FAILED, <asset IN_PROGRESS>ERROR",
        "idle/mission":           "mission EXECUTING_HOP>FAILED, <hop EXECUTING>FAILED",
        "executing held/mission": "mission EXECUTING_HOP>FAILED",
    }),
    "abandon_recovery": Row("system", {}, {
        "building held/mission": "NO_DEADLINE", "executing held/mission": "NO_DEADLINE",
    }, else_="NOT_HELD"),
    "validation_failed": Row("system", {
        "designed/it": "hop READY_TO_EXECUTE>READY_TO_RESOLVE, mission HOP_READY_TO_EXECUTE>BUILDING_HOP, "
                       "tool_step READY_TO_EXECUTE>READY_TO_CONFIGURE, tool_step READY_TO_EXECUTE>READY_TO_CONFIGURE",
    }),
    # Without a class it is an unhandled failure, which nobody can repair.
    "resolution_failed": Row("system", {"resolving/it": "hop READY_TO_RESOLVE>FAILED, <mission BUILDING_HOP>FAILED"}),
    "lapse_hop":   Row("system", {"asked/it": "", "resolving/it": ""}, {"pending/it": "STALE_LEASE"}),
    "archive_hop": Row("system", {**each("done", ""), "completed/it": "", "superseded/it": ""}, ended="INVALID_TRANSITION"),
}

OFFERED: Final = {
    "propose": ("ready", "between"),
    "claimed": ("idle",),
}
"""What an agent that asks for work is told, and where; there is no work in all other places."""
# fmt: on

GENERAL: Final = frozenset({"fail_work"})
"""What is said of any work; a refusal names what the kind itself calls it."""

WAITS: Final = {"get_next_work": ("asked/it", "resolving/it", "running/step", "idle/step")}
"""Moves that are named although somebody else has the work just now."""


def expected(row: Row, actor: str, place: str, target: str) -> str:
    """Return the code that a command is refused with; the empty string where it works."""
    column = f"{place}/{target}"
    if target in ("it", "done", "off") and row.hop:
        return row.hop
    if row.who != "nobody" and not _may(row.who, actor):
        return "NOT_ALLOWED"
    if column not in row.works and column not in row.unless:
        return _elsewhere(row, place, target)
    is_asked = actor == "agent" or (actor == "relay" and column in row.people)
    if row.who == "decision" and is_asked:
        return "HUMAN_REQUIRED"
    return row.unless.get(column, "")


def _elsewhere(row: Row, place: str, target: str) -> str:
    """Return the code of a command where it never works."""
    if target == "step" and row.step:
        return row.step
    if PLACES[place].mission not in ENDED:
        return row.else_
    is_hop = target in ("it", "done", "off")
    return row.hop_ended if is_hop and row.hop_ended else row.ended


def _may(who: str, actor: str) -> bool:
    if who in ("either", "decision"):
        return actor in ("person", "agent", "relay")
    return who == ("agent" if actor == "relay" else actor)
