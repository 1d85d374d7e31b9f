"""How an accepted hop becomes a chain of tool steps, and how the chain is decided about.

``submit_resolution`` carries the whole chain and is refused unless validation found nothing, so
a chain is stored whole or not at all. Each row of ``steps`` says what the step ``uses`` and
``makes`` (assets that exist, by id) and what it ``takes`` (places of earlier rows whose output
it needs); a row that makes nothing that exists and does not ``discard`` its result gets a
scratch asset of the hop. What a hop has
completed already stands first and is kept; of its unfinished steps the chain either ``keeps``
all, in front of the new ones, or leaves them out, and then they are tombstoned together with
the scratch they have not made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.forms import Any, Both, By, Either, Form, Functions, In, Is, Named, Not
from interlock.kernel.rules import SYSTEM, Do, Fire, Guard, Rule
from interlock.kernel.seen import PartId
from interlock.workflows.guards import REASON
from interlock.workflows.mission.guards import (
    AGENTS,
    CLEAN,
    CLOCK,
    DECIDERS,
    FRESH,
    FRESH_DESIGN,
    LEASED,
    MINE,
    OPEN,
    PEOPLE_DECIDE,
    mission_is,
    part_is,
)
from interlock.workflows.mission.machines import UNFINISHED_STEP
from interlock.workflows.mission.mission_rules import SHOWN

# -- guards ------------------------------------------------------------------------------------

NOT_EMPTY: Final = Guard(
    Either(
        (
            Named("chain_has_new_steps"),
            Both((Is("event", "keeps"), Any("tool_step", UNFINISHED_STEP, "children"))),
        )
    ),
    "EMPTY_CHAIN",
    "The chain has no tool step that is still to be run.",
    "Submit at least one tool step.",
)
SYSTEM_SAYS: Final[Form] = Both((By((SYSTEM,)), Is("event", "fence", (None,))))
LEASED_OR_SYSTEM: Final = replace(LEASED, test=Either((SYSTEM_SAYS, LEASED.test)))
MINE_OR_SYSTEM: Final = replace(MINE, test=Either((SYSTEM_SAYS, MINE.test)))

# -- functions ---------------------------------------------------------------------------------

UNMADE: Final = ("PENDING", "ERROR", "EXPIRED")
"""The statuses of scratch that is of no use without the step that was to make it."""


def _rows(draft: Draft) -> Sequence[Mapping[str, object]]:
    return cast("Sequence[Mapping[str, object]]", draft.event.args.get("steps", ()))


def _has_new_steps(draft: Draft) -> bool:
    return bool(_rows(draft))


def _leave_out(draft: Draft) -> None:
    draft.drop_all("tool_step", children=True, statuses=UNFINISHED_STEP, reason="left_out")
    # Scratch that is ready was made by a completed step, or supplied in place of one left out.
    is_made = "COMPLETED" in draft.counts("tool_step", "children")
    useless = UNMADE if is_made else (*UNMADE, "READY")
    draft.drop_all("asset", children=True, statuses=useless, reason="left_out")


def _ids(row: Mapping[str, object], name: str) -> tuple[PartId, ...]:
    return tuple(cast("Sequence[PartId]", row.get(name, ())))


def _lay_chain(draft: Draft) -> None:
    """Make the new tool steps, in order, each followed by the scratch it makes."""
    known = draft.flow.kind("tool_step").defaults()
    scratch = draft.flow.kind("asset").defaults()
    made = 0
    outputs: dict[int, int] = {}
    for place, row in enumerate(_rows(draft)):
        makes = _ids(row, "makes")
        takes = tuple(outputs[taken] for taken in cast("Sequence[int]", row.get("takes", ())))
        told = {name: row[name] for name in STEP_CONTENT if name in row}
        fields = {**known, **told, "makes": makes}
        draft.create(
            New(
                "tool_step", "PROPOSED", fields, parent="part",
                needs=takes, uses=_ids(row, "uses"), feeds=makes,
            )
        )  # fmt: skip
        if not makes and not row.get("discard"):
            asset = {**scratch, "ttl": row.get("ttl")}
            draft.create(New("asset", "PENDING", asset, parent="part", needs=(made,)))
            outputs[place] = made = made + 1
        made += 1


STEP_CONTENT: Final = (
    "tool", "description", "parameter_mapping", "result_mapping", "resources", "deadline_s",
)  # fmt: skip


def _configure(draft: Draft) -> None:
    """Take all steps of the chain, kept and new, to where they can run: validation was clean."""
    draft.move_all("tool_step", "choose_tool")
    draft.move_all("tool_step", "configure")


def _show_design(draft: Draft) -> None:
    draft.write("part", "shown", str(draft.event.args.get("digest", "")))
    draft.write("part", "is_resolved", value=True)
    draft.write("part", "error", None)


def _approve(draft: Draft) -> None:
    draft.write("part", "approved", draft.event.args.get("digest"))


def _give_up_steps(draft: Draft) -> None:
    draft.write("part", "error", draft.event.args.get("error"))
    draft.move_all("tool_step", "give_up", reason="resolution_failed")


def _unconfigure(draft: Draft) -> None:
    draft.write("part", "error", draft.event.args.get("errors"))
    draft.move_all("tool_step", "invalidate")


def _redraft(draft: Draft) -> None:
    """Send unfinished steps back to the drawing board; no edge leads there directly."""
    draft.move_all("tool_step", "invalidate", reason="request_changes")
    draft.move_all("tool_step", "request_changes", reason="request_changes")


def _ask_for_changes(draft: Draft) -> None:
    """Back to the concept: the chain and its scratch are gone, and a new proposal is wanted."""
    draft.drop_all("tool_step", children=True, reason="request_changes")
    draft.drop_all("asset", children=True, reason="request_changes")
    draft.write("part", "shown", draft.part.fields["concept"])
    draft.write("part", "is_asked", value=True)


def _inputs_are_ready(draft: Draft) -> bool:
    ready = cast("tuple[object, ...]", draft.unit.fields["ready"])
    return set(cast("tuple[object, ...]", draft.part.fields["inputs"])) <= set(ready)


FUNCTIONS: Final[Functions] = {
    "chain_has_new_steps": _has_new_steps,
    "leave_out_steps": _leave_out,
    "lay_chain": _lay_chain,
    "configure_steps": _configure,
    "show_design": _show_design,
    "approve_design": _approve,
    "give_up_steps": _give_up_steps,
    "unconfigure_steps": _unconfigure,
    "redraft_steps": _redraft,
    "ask_for_changes": _ask_for_changes,
    "inputs_are_ready": _inputs_are_ready,
}

# -- rules -------------------------------------------------------------------------------------

IS_SOUND: Final[Form] = Both((Named("chain_is_clean"), Named("inputs_are_ready")))
IS_UNSOUND: Final[Form] = Not(IS_SOUND)

# Assets by place: 0 is the mission's input, 1 its output.
CHAINS: Final = (
    {"digest": SHOWN, "steps": ({"uses": (0,), "makes": (1,)},)},
    {"digest": SHOWN, "steps": ({"uses": (0,), "makes": (1,)}, {"uses": (1,), "discard": True})},
    {"digest": SHOWN, "keeps": True},
)

# fmt: off
RULES: Final = (
    Rule(
        "complete_resolution", "hop", AGENTS, command="submit_resolution", lease=True,
        doc="The whole chain of tool steps, validated; the hop waits to be executed.",
        guards=(OPEN, mission_is("BUILDING_HOP"), part_is("READY_TO_RESOLVE"), LEASED, MINE, NOT_EMPTY, CLEAN),
        walk=(
            Fire("part", "complete_resolution"), Fire("unit", "complete_resolution"),
            Do("leave_out_steps", when=Not(Is("event", "keeps"))), Do("lay_chain"),
            Do("configure_steps"), Do("show_design"),
        ),
        sees=("part", "children"), examples=CHAINS,
    ),
    Rule(
        "resolution_failed", "hop", AGENTS | CLOCK, command="fail_resolution", lease=True,
        doc="The hop cannot be resolved; what can be repaired holds the mission, all else fails it.",
        guards=(OPEN, mission_is("BUILDING_HOP"), part_is("READY_TO_RESOLVE"), LEASED_OR_SYSTEM, MINE_OR_SYSTEM),
        walk=(Fire("part", "resolution_failed"), Do("give_up_steps")),
        sees=("part",),
        examples=({"failure": "user_correctable"}, {"failure": "system"}),
    ),
    Rule(
        "execute_hop", "hop", DECIDERS, command="execute_hop",
        doc="Run the design, which approves it; one that is no longer valid goes back instead.",
        guards=(OPEN, part_is("READY_TO_EXECUTE"), PEOPLE_DECIDE, FRESH),
        walk=(
            Do("set_final"),
            Do("approve_design", when=IS_SOUND),
            Fire("part", "execute_hop", when=IS_SOUND),
            Fire("unit", "execute_hop", when=IS_SOUND),
            Fire("part", "validation_failed", when=IS_UNSOUND),
            Fire("unit", "validation_failed", when=IS_UNSOUND),
            Do("unconfigure_steps", when=IS_UNSOUND),
        ),
        sees=("part", "gate"),
        examples=(
            {"digest": SHOWN}, {"digest": SHOWN, "is_final": True},
            {"digest": SHOWN, "errors": ("step 1, query: no such asset",)},
        ),
    ),
    Rule(
        "approve_design", "hop", DECIDERS, command="approve_design",
        doc="The design is approved as it was shown; it runs when it is executed.",
        guards=(OPEN, part_is("READY_TO_EXECUTE"), PEOPLE_DECIDE, FRESH),
        walk=(Do("approve_design"),),
        sees=("part", "gate"), examples=({"digest": SHOWN},),
    ),
    Rule(
        "request_changes", "hop", DECIDERS, command="request_changes",
        doc="Not so: a design goes back to be resolved, a concept to be proposed. Ends the resolver's lease.",
        guards=(OPEN, part_is("READY_TO_RESOLVE", "READY_TO_EXECUTE"), PEOPLE_DECIDE, REASON, FRESH_DESIGN),
        walk=(
            Fire("unit", "reject_design", maybe=True), Fire("part", "request_changes"),
            Do("end_lease"),
            Do("ask_for_changes", when=In("part", ("PROPOSED",))),
            Do("redraft_steps", when=In("part", ("READY_TO_RESOLVE",))),
        ),
        sees=("part", "children", "gate"),
        examples=({"digest": SHOWN, "reason": "too slow"},),
    ),
    Rule(
        "validation_failed", "hop", CLOCK,
        doc="The design that waits is no longer valid; it goes back to be resolved.",
        guards=(OPEN, part_is("READY_TO_EXECUTE")),
        walk=(
            Fire("part", "validation_failed"), Fire("unit", "validation_failed"),
            Do("unconfigure_steps"),
        ),
        sees=("part",),
    ),
)
# fmt: on
