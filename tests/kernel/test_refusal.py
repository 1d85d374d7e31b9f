"""How the kernel says no: the rule, where things stand, what is legal now, who may do it."""

from dataclasses import replace

import pytest

from interlock.kernel.forms import In
from interlock.kernel.machine import Edge
from interlock.kernel.refusal import BrokenTable, BrokenWalk, IllegalPair, Legal, Looping, Refusal
from interlock.kernel.rules import Fire, Guard, Rule
from interlock.kernel.seen import Actor, PartId
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.workflow import Workflow
from tests.kernel.tiny import ANYONE, CASES, HANDS, added, case, changed, send
from tests.workflows.story import CLOCK, ME, OTHER, PERSON


def refused(
    snapshot: Snapshot,
    event: str,
    part: PartId | None = None,
    by: Actor = ME,
    flow: Workflow = CASES,
) -> Refusal:
    """Return the refusal of an event that must not be accepted."""
    with pytest.raises(Refusal) as caught:
        send(snapshot, event, part, by, flow=flow)
    return caught.value


def test_a_refusal_names_the_rule_and_where_things_stand() -> None:
    refusal = refused(case("busy: waiting"), "finish", "1")

    assert refusal.code == "INVALID_TRANSITION"
    assert refusal.rule == "the part is held"
    assert refusal.message == (
        "finish needs that the part is held; the case is busy, the item is waiting."
    )


def test_a_refusal_lists_what_is_legal_now_and_who_may_do_it() -> None:
    refusal = refused(case("busy: waiting"), "finish", "1")

    assert refusal.legal == (Legal("claim", "take the next item", ("agent",)),)
    assert refusal.fix == "Legal now: take the next item."


def test_what_only_the_system_sends_is_not_named() -> None:
    refusal = refused(case("busy: held*"), "claim", "1", OTHER)

    assert refusal.fix == "Legal now: take the next item, finish the item, give the item back."


def test_what_others_may_send_is_named_where_its_sender_may_send_nothing() -> None:
    part = refused(case("busy: held*"), "finish", "1", CLOCK._replace(kind="user"))
    unit = refused(case("asked: held*"), "ask", by=CLOCK, flow=changed("ask", actors=ANYONE))

    assert (
        part.fix
        == "Legal now, but not for user: take the next item, finish the item, give the item back."
    )
    assert unit.fix.startswith("Legal now, but not for system: ")
    assert unit.message.startswith("ask is not for system to send, only for agent or user.")


def test_where_nothing_is_legal_any_more_the_fix_says_so() -> None:
    assert refused(case("closed: done"), "drop", by=PERSON).fix == "Nothing is legal here any more."


def test_a_guard_with_words_of_its_own_is_quoted() -> None:
    refusal = refused(case("busy: held*"), "finish", "1", OTHER)

    assert (refusal.code, refusal.message, refusal.fix) == (
        "NOT_YOURS",
        "Another one holds it.",
        "Claim it.",
    )
    assert str(refusal) == "NOT_YOURS: Another one holds it. Claim it."
    assert refusal.rule == "lease is mine"


def test_an_actor_who_may_not_send_it_is_told_who_may() -> None:
    refusal = refused(case("busy: held*"), "finish", "1", CLOCK)

    assert refusal.code == "NOT_ALLOWED"
    assert refusal.message == "finish is not for system to send, only for agent."
    assert refusal.rule == "finish may be sent by agent"


def test_an_unknown_event_is_told_the_nearest_one() -> None:
    refusal = refused(case("busy: held*"), "finnish", "1")

    assert refusal.code == "UNKNOWN_EVENT"
    assert refusal.message == "The case knows no event finnish; did you mean finish?"
    assert refusal.rule == "finnish may be sent by nobody"


def test_an_unknown_event_like_no_other_is_told_what_is_legal() -> None:
    refusal = refused(case("busy: waiting"), "xyzzy", "1")

    assert refusal.message == "The case knows no event xyzzy."
    assert refusal.fix == "Legal now: take the next item."


@pytest.mark.parametrize(
    ("event", "part", "said"),
    [
        ("finish", None, "finish is about a item; the case is busy."),
        ("ask", "1", "ask is about a case; the case is busy, the item is held."),
    ],
    ids=["no part named", "a part named for an event about the unit"],
)
def test_an_event_about_another_kind_of_thing_is_refused(
    event: str, part: str | None, said: str
) -> None:
    refusal = refused(case("busy: held*"), event, part)

    assert (refusal.code, refusal.message) == ("WRONG_KIND", said)
    assert refusal.rule == said.partition(";")[0]


def test_a_refusal_on_the_way_speaks_of_how_things_stood_before() -> None:
    barred = Guard(In("unit", ("open",)), "BARRED")
    edges = tuple(
        replace(edge, guards=(barred,)) if edge.on == "do" else edge
        for edge in CASES.parts[0].machine.edges
    )
    kind = replace(CASES.parts[0], machine=replace(CASES.parts[0].machine, edges=edges))
    walk = (Fire("part", "take"), Fire("part", "do"))
    flow = added(Rule("rush", "item", HANDS, walk=walk, sees=("part",)), parts=(kind,))
    refusal = refused(case("busy: waiting"), "rush", "1", flow=flow)

    assert refusal.code == "BARRED"
    assert refusal.message.endswith("the case is busy, the item is waiting.")
    assert [row.event for row in refusal.legal] == ["claim", "rush"]
    assert isinstance(kind.machine.edges[0], Edge)


def test_a_refusal_is_a_conflict_and_not_worth_the_same_call_again() -> None:
    refusal = refused(case("busy: waiting"), "finish", "1")

    assert (refusal.http, refusal.retryable) == (409, False)


def test_broken_tables_name_the_finding_that_they_are() -> None:
    kinds = {broken.finding for broken in (BrokenWalk, IllegalPair, Looping)}

    assert kinds == {"BROKEN_CALL", "ILLEGAL_PAIR", "LOOP"}
    assert all(issubclass(one, BrokenTable) for one in (BrokenWalk, IllegalPair, Looping))
