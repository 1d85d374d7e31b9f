"""Cases made of items: a tiny sound workflow on which each feature and each mistake is shown.

An item is claimed, held and done; when every item is over the case is closed. A case can be
asked about, and a person can drop it. ``changed`` makes the workflow with other rows in it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from interlock.kernel.check.explore import explore
from interlock.kernel.check.judge import Finding, judge
from interlock.kernel.check.scope import PLAIN, Scope
from interlock.kernel.decide import decide
from interlock.kernel.draft import Draft
from interlock.kernel.entries import Decision
from interlock.kernel.expression import parse
from interlock.kernel.forms import All, Any, Both, Either, Form, Free, In, Is, Named, Not
from interlock.kernel.lease import LEASE_FUNCTIONS
from interlock.kernel.look import look
from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.rules import (
    AGENT,
    NO_ARGS,
    SYSTEM,
    USER,
    Cascade,
    Do,
    Fire,
    Guard,
    Lift,
    Pair,
    Rule,
)
from interlock.kernel.seen import Actor, Event, PartId
from interlock.kernel.snapshot import Snapshot, begin, new_part
from interlock.kernel.workflow import Field, PartKind, Workflow, lease
from tests.workflows.story import ME, standing

ANYONE: Final = frozenset({AGENT, USER})
PERSON: Final = frozenset({USER})
HANDS: Final = frozenset({AGENT})
CLOCKS: Final = frozenset({SYSTEM})
OVER: Final = ("done", "void")
YES: Final = parse("go === true", PLAIN)
"""A condition for branches, where it does not matter which."""

# fmt: off
CASE: Final = Machine(
    name="case",
    initial="open",
    statuses=(
        Status("open"),
        Status("busy"),
        Status("asked",   "gate", is_asked=True),
        Status("closed",  "terminal", is_success=True),
        Status("dropped", "terminal"),
    ),
    edges=edges(
        ("open",            "begin",  "busy"),
        ("busy",            "ask",    "asked"),
        ("asked",           "answer", "busy"),
        ("busy",            "finish", "closed"),
        ("open busy asked", "drop",   "dropped"),
    ),
)

ITEM: Final = Machine(
    name="item",
    initial="waiting",
    statuses=(
        Status("waiting"),
        Status("held"),
        Status("done", "terminal", is_success=True),
        Status("void", "terminal"),
    ),
    edges=edges(
        ("waiting",      "take",      "held"),
        ("held",         "give_back", "waiting"),
        ("held",         "do",        "done"),
        ("waiting held", "void",      "void"),
    ),
)
# fmt: on


def case_is(*statuses: str) -> Guard:
    """Return the guard that asks where the case stands."""
    return Guard(In("unit", statuses))


def item_is(*statuses: str) -> Guard:
    """Return the guard that asks where the item stands."""
    return Guard(In("part", statuses))


MINE: Final = Guard(Named("lease_is_mine"), "NOT_YOURS", "Another one holds it.", "Claim it.")
FREE: Final = Guard(Free(), "BLOCKED", "It needs another item first.", "Do that one.")
TAKEABLE: Final = Guard(Either((In("part", ("waiting",)), Named("lease_is_takeable"))), "HELD")
KEPT: Final = Guard(Both((Not(Is("part", "holder", (None,))), Is("part", "lapsed", (False,)))))

RULES: Final = (
    Rule(
        "claim", "item", HANDS, command="take the next item", sees=("next",),
        guards=(case_is("open", "busy"), item_is("waiting", "held"), FREE, TAKEABLE),
        walk=(
            Fire("unit", "begin", maybe=True),
            Fire("part", "give_back", when=In("part", ("held",))),
            Fire("part", "take"),
            Do("grant_lease"),
        ),
    ),
    Rule(
        "finish", "item", HANDS, command="finish the item", sees=("part",), lease=True,
        guards=(case_is("busy"), item_is("held"), MINE), walk=(Fire("part", "do"),),
    ),
    Rule(
        "give_back", "item", HANDS, command="give the item back", sees=("part",), lease=True,
        guards=(item_is("held"), MINE), walk=(Fire("part", "give_back"),),
    ),
    Rule(
        "lapse", "item", CLOCKS, sees=("part",),
        guards=(item_is("held"), KEPT), walk=(Do("lapse_lease"),),
    ),
    Rule("ask", "case", HANDS, guards=(case_is("busy"),), walk=(Fire("unit", "ask"),)),
    Rule("answer", "case", PERSON, guards=(case_is("asked"),), walk=(Fire("unit", "answer"),)),
    Rule(
        "drop", "case", PERSON, command="drop the case",
        guards=(case_is("open", "busy", "asked"),), walk=(Fire("unit", "drop"),),
    ),
)  # fmt: skip

ITEM_KIND: Final = PartKind(
    machine=ITEM,
    fields=(*lease("held"), Field("note", "", is_read=False)),
    closed=frozenset(OVER),
    claim="claim",
    claimable=Both((In("part", ("waiting", "held")), Free(), TAKEABLE.test)),
    first=In("part", ("held",)),
)

CASES: Final = Workflow(
    name="cases",
    unit=CASE,
    parts=(ITEM_KIND,),
    rules=RULES,
    lifts=(Lift("every item is over", All("item", OVER), "finish", reason="all over"),),
    cascades=(
        Cascade("a dropped case voids its items", of="case", enters=("dropped",), to="item",
                fire="void", reason="case dropped"),
    ),
    pairs=(
        Pair("an ended case has no open item", ("closed", "dropped"),
             Not(Any("item", ("waiting", "held")))),
        Pair("an open case has not begun", ("open",), All("item", ("waiting",))),
    ),
    fields=(Field("shown", ""), Field("most")),
    functions=LEASE_FUNCTIONS,
)  # fmt: skip


def changed(event: str, **rows: object) -> Workflow:
    """Return the workflow with some columns of one rule changed."""
    rules = tuple(
        replace(rule, **rows)  # type: ignore[arg-type]  # columns by name, so a test reads as a row
        if rule.event == event
        else rule
        for rule in CASES.rules
    )
    assert rules != CASES.rules, f"{event} was not changed"
    return replace(CASES, rules=rules)


def added(*rules: Rule, flow: Workflow = CASES, **rows: object) -> Workflow:
    """Return the workflow with further rules, and with other tables changed."""
    columns: dict[str, object] = {"rules": (*flow.rules, *rules), **rows}
    return replace(flow, **columns)  # type: ignore[arg-type]  # columns by name


def without(event: str) -> Workflow:
    """Return the workflow without one rule."""
    return replace(CASES, rules=tuple(rule for rule in CASES.rules if rule.event != event))


def rule_that(
    *, test: Form | None = None, do: str = "", kind: str = "item", sees: tuple[str, ...] = ("part",)
) -> Rule:
    """Return a rule ``probe`` with one guard or one function, to try either by itself."""
    guards = () if test is None else (Guard(test, "PROBED"),)
    walk = (Do(do),) if do else ()
    return Rule("probe", kind, ANYONE | CLOCKS, guards, walk, sees)


def case(words: str, flow: Workflow = CASES, **fields: object) -> Snapshot:
    """Read a standing such as ``"busy: held* waiting"``; items are named 1, 2, ..."""
    return standing(flow, "item", words, fields)


def send(
    snapshot: Snapshot,
    event: str,
    part: PartId | None = None,
    by: Actor = ME,
    *,
    flow: Workflow = CASES,
    args: Mapping[str, object] = NO_ARGS,
) -> Decision:
    """Decide one event; what is refused raises."""
    sent = Event(event, by, part, args)
    return decide(flow, look(flow, snapshot, sent), sent)


def draft(
    words: str, event: str = "probe", part: PartId | None = "1", flow: Workflow = CASES
) -> Draft:
    """Return the work sheet of an event before anything was done."""
    sent = Event(event, ME, part)
    return Draft(flow, look(flow, case(words, flow), sent), sent, 0)


def scope(flow: Workflow = CASES, items: int = 2) -> Scope:
    """Return what a check of cases with one to ``items`` items covers."""
    starts = tuple(
        replace(begin(flow), parts=tuple(new_part(flow, "item") for _ in range(count)))
        for count in range(1, items + 1)
    )
    return Scope(flow, starts, {"items": items})


def findings(flow: Workflow, items: int = 2) -> tuple[Finding, ...]:
    """Return what a check of the workflow finds."""
    return judge(explore(scope(flow, items)))


def places(found: tuple[Finding, ...]) -> set[tuple[str, str]]:
    """Return the kinds and places of findings."""
    return {(finding.kind, finding.where) for finding in found}
