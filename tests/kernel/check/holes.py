"""A hole for each kind of finding: a tiny workflow that is broken in one way.

What follows from a hole is listed with it, so that a test can say that nothing else is found.
"""

from dataclasses import dataclass, replace
from typing import Final

from interlock.kernel.check.scope import Scope
from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.forms import Any, In, Is, Not
from interlock.kernel.machine import Edge, Machine, Status
from interlock.kernel.rules import USER, Do, Fire, Guard, Lift, Pair, Rule
from interlock.kernel.workflow import Workflow
from tests.kernel import tiny
from tests.kernel.tiny import CASE, CASES, HANDS, added, case_is, changed, item_is

PERSONS: Final = frozenset({USER})


def grown(*edges: Edge, status: str = "", machine: Machine = CASE) -> Machine:
    """Return the case's machine with further edges, and perhaps one more active status."""
    statuses = (*machine.statuses, *([Status(status)] if status else []))
    return replace(machine, statuses=statuses, edges=(*machine.edges, *edges))


def fires(event: str, signal: str, at: str, actors: frozenset[str] = HANDS) -> Rule:
    """Return a rule about the case that fires one signal where it stands."""
    return Rule(event, "case", actors, (case_is(at),), (Fire("unit", signal),))


def spin(draft: Draft) -> None:
    """Set what two lifts send round and round."""
    draft.write("unit", "most", 1)


def add(draft: Draft) -> None:
    """Make another item."""
    draft.create(New("item", "waiting", draft.flow.kind("item").defaults()))


FUNCTIONS = {**CASES.functions, "spin": spin, "add": add}
SPINS = Is("unit", "most", (1,))
DROP = Rule("drop", "case", PERSONS, (case_is("open", "busy", "asked", "lost", "paused"),),
            (Fire("unit", "drop"),))  # fmt: skip
TAKEN = (Fire("part", "give_back"), Fire("part", "take"), Do("grant_lease"))


def with_drop(status: str, *rules: Rule) -> Workflow:
    """Return the workflow with one more active status of the case, that a person can leave."""
    unit = grown(
        Edge("busy", "enter", status), Edge(status, "leave", "busy"), Edge(status, "drop", "dropped"),
        status=status,
    )  # fmt: skip
    drop = replace(DROP, guards=(case_is("open", "busy", "asked", status),))
    return replace(CASES, unit=unit, rules=(*CASES.rules[:-1], drop, *rules))


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole, the finding it brings out first, and the kinds of findings that follow from it."""

    kind: str
    where: str
    flow: Workflow
    also: frozenset[str] = frozenset()
    states_max: int = 1_000


HOLES: Final = (
    Hole("AMBIGUOUS", "case busy", added(unit=grown(Edge("busy", "finish", "dropped")))),
    Hole("BROKEN_CALL", "force on busy, waiting",
         added(Rule("force", "item", HANDS, (item_is("waiting"),), (Fire("part", "do"),))),
         frozenset({"UNUSED_RULE"})),
    Hole("ILLEGAL_PAIR", "ask on busy",
         added(pairs=(*CASES.pairs, Pair("p", ("asked",), Any("item", ("waiting",)))))),
    Hole("ILLEGAL_PAIR", "nothing on open", added(pairs=(Pair("p", ("open",), Any("item", ("held",))),))),
    Hole("LOOP", "spin on busy",
         added(Rule("spin", "case", HANDS, (case_is("busy"),), (Do("spin"),)), functions=FUNCTIONS,
               lifts=(Lift("up", SPINS, "ask"), Lift("down", SPINS, "answer"), *CASES.lifts)),
         frozenset({"UNUSED_RULE"})),
    Hole("ZOMBIE", "finish on busy, held", changed("finish", guards=(case_is("busy"), item_is("held")))),
    Hole("STOLEN", "grab on busy, held",
         added(Rule("grab", "item", HANDS, (item_is("held"),), TAKEN, ("part",)))),
    Hole("NO_LEASE", "claim on open, waiting", changed("claim", walk=CASES.rules[0].walk[:3]),
         frozenset({"HOPELESS", "AGENTS_STUCK", "UNREACHABLE", "UNUSED_EDGE", "UNUSED_RULE"})),
    Hole("LEFT_TERMINAL", "reopen on dropped",
         added(fires("reopen", "again", "dropped"), unit=grown(Edge("dropped", "again", "busy"))),
         frozenset({"UNUSED_EDGE", "UNUSED_RULE"})),
    Hole("ENDLESS", "nothing on busy",
         added(Rule("add", "case", HANDS, (case_is("open"),), (Do("add"),)), functions=FUNCTIONS),
         states_max=40),
    Hole("DEAD_END", "case stuck",
         added(fires("jam", "jam", "busy"), unit=grown(Edge("busy", "jam", "stuck"), status="stuck")),
         frozenset({"WEDGED", "HOPELESS", "AGENTS_STUCK"})),
    Hole("WEDGED", "case open", changed("drop", actors=HANDS)),
    Hole("HOPELESS", "case lost", with_drop("lost", fires("lose", "enter", "busy")),
         frozenset({"AGENTS_STUCK", "UNUSED_EDGE"})),
    Hole("AGENTS_STUCK", "case paused",
         with_drop("paused", fires("pause", "enter", "busy"), fires("go_on", "leave", "paused", PERSONS))),
    Hole("GATE_WITHOUT_EXIT", "case asked",
         replace(changed("answer", actors=HANDS), rules=(
             *changed("answer", actors=HANDS).rules[:-1],
             replace(DROP, guards=(case_is("open", "busy"),)))),
         frozenset({"WEDGED", "UNUSED_EDGE"})),
    Hole("UNREACHABLE", "case odd", added(unit=grown(status="odd"))),
    Hole("UNUSED_EDGE", "case asked back", added(unit=grown(Edge("asked", "back", "open")))),
    Hole("UNUSED_RULE", "case never",
         added(Rule("never", "case", PERSONS, (Guard(Not(In("unit", CASE.names()))),)))),
)  # fmt: skip


def checked(hole: Hole) -> Scope:
    """Return what is checked to bring a hole out."""
    return replace(tiny.scope(hole.flow), states_max=hole.states_max)
