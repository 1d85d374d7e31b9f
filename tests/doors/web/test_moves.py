"""What may happen next: each event once, with its form where a person has one."""

import pytest

from interlock.doors.web.moves import moves
from interlock.kernel.rules import AGENT, USER
from interlock.kernel.seen import Actor
from interlock.kernel.why import Call
from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import WORKFLOWS

FLOW = WORKFLOWS["plan"]


def _call(event: str, *actors: str, part: str | None = None, flow: Workflow = FLOW) -> Call:
    rule = flow.rule(event)
    assert rule is not None
    moved = ("step a -> b",)
    return Call(event, rule.command, actors, Actor(USER), part, {}, moved, 0)


@pytest.mark.parametrize(
    ("event", "part", "path"),
    [
        ("approve", "p.1", "/gates/g"),
        ("fail_step", "p.2", "/units/p/modify?action=fail_step&step=p.2"),
        ("add_steps", None, "/units/p/modify?action=add_steps"),
        ("fail_plan", None, "/units/p/act/fail_plan"),
        ("take_over", "p.2", "/units/p/parts/2#take-over"),
        ("submit", "p.1", ""),
    ],
)
def test_a_move_leads_to_its_form(event: str, part: str | None, path: str) -> None:
    (one,) = moves(FLOW, "p", [_call(event, USER, part=part)], "g", may=True)

    assert (one.path, one.effects, one.who) == (path, ("step a → b",), "people")


@pytest.mark.parametrize(
    ("event", "path"),
    [
        ("approve", "/gates/g"),
        ("answer_batch", "/units/t#answers"),
        ("retry", "/units/t#retry"),
        ("reopen_prd", "/units/t/documents/prd#reopen"),
        ("cancel", "/units/t/act/cancel"),
    ],
)
def test_what_is_said_to_a_ticket_has_its_form_on_its_page(event: str, path: str) -> None:
    flow = WORKFLOWS["ticket"]
    (one,) = moves(flow, "t", [_call(event, USER, flow=flow)], "g", may=True)

    assert one.path == path


def test_each_event_is_told_once_and_who_may_not_has_no_form() -> None:
    calls = [_call("claim", AGENT, USER, part="p.1"), _call("claim", AGENT, part="p.2")]

    (one,) = moves(FLOW, "p", calls, "", may=True)
    assert (one.label, one.who) == ("claim", "agents, people")
    (ended,) = moves(FLOW, "p", [_call("fail_plan", USER)], "", may=False)
    assert ended.path == ""
