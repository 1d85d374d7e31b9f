"""Deciding about units of every workflow: who may, what a decision means, and when others are faster."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from interlock.commands.deciding import TRIES, decision, may_decide, on_one_version
from interlock.commands.row import Call
from interlock.service.errors import Conflict, NotAllowed
from interlock.service.order import Asked, Order
from tests.missions import propose
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import ticket


@staged
async def test_a_person_who_may_not_decide_is_refused_and_an_agent_is_left_to_the_rules(
    stage: Stage,
) -> None:
    may_decide(Call(stage.engine, ADA))
    may_decide(Call(stage.engine, PAT))
    with pytest.raises(NotAllowed):
        may_decide(Call(stage.engine, replace(PAT, scopes=frozenset({"read", "work"}))))


@staged
async def test_whoever_relays_means_what_is_shown_now_and_a_person_says_what_they_saw(
    stage: Stage,
) -> None:
    said = {"reason": "too long", "content_digest": None}
    relayed = decision(Call(stage.engine, ADA), "request_changes", "mission-1.2", "abc", said, "g")
    own = decision(Call(stage.engine, PAT), "approve", None, "abc", said)

    assert (relayed.args, relayed.gate) == ({"reason": "too long", "digest": "abc"}, "g")
    assert relayed.told == {"reason": "too long", "feedback": "too long"}
    assert (own.args["digest"], own.told) == (None, {"reason": "too long"})


@pytest.mark.parametrize("make", [propose, ticket])
@staged
async def test_whoever_always_loses_to_others_is_told_so_whatever_it_is_about(
    stage: Stage, make: Callable[[Stage], Awaitable[str]]
) -> None:
    name = await make(stage)
    call = Call(stage.engine, PAT)
    tried: list[int] = []

    async def order_of() -> Order:
        tried.append(len(tried))
        asked = (Asked("cancel", args={"reason": "no"}),)
        return Order(call.tenant, call.caller.actor(), name, asked, lambda _: {}, None, 99)

    with pytest.raises(Conflict) as no:
        await on_one_version(call, name, order_of)

    assert len(tried) == TRIES
    assert no.value.message == "Others kept changing it; nothing was applied."
