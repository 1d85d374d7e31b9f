"""What happens is told to whoever asked for it: signed, once each, again until it arrives."""

import asyncio
import hmac
import json
import signal
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import cast

import pytest

from interlock.service.deliver import (
    ATTEMPTS_MAX,
    Notebook,
    delay_ms,
    note_happened,
    send_due,
    signature,
)
from tests.commands.test_gates import ask
from tests.service.receiver import Got, Receiver, receiving
from tests.stage import ADA, DAY_MS, EVE, PAT, Stage, staged

Told = dict[str, object]


async def hook(stage: Stage, receiver: Receiver, **more: object) -> tuple[str, str]:
    """Make a hook that may go to loopback; return its id and its secret."""
    stage.engine = replace(stage.engine, webhooks_private=True)
    data = (await stage.call("create_webhook", PAT, url=receiver.url, **more)).data
    return str(data["hook_id"]), str(data["secret"])


async def tell(stage: Stage) -> int:
    """Do both chores once; say how many requests went out."""
    await note_happened(stage.engine, Notebook())
    return await send_due(stage.engine)


async def sent(stage: Stage, **more: object) -> list[Told]:
    data = (await stage.call("list_deliveries", PAT, **more)).data
    return cast("list[Told]", data["deliveries"])


def is_signed(got: Got, secret: str) -> bool:
    """Check a signature as the documentation tells a receiver to."""
    parts = dict(part.split("=", 1) for part in got.headers["interlock-signature"].split(","))
    signed = f"{parts['t']}.{got.body}".encode()
    return hmac.compare_digest(hmac.new(secret.encode(), signed, sha256).hexdigest(), parts["v1"])


@staged
async def test_a_gate_is_told_signed_when_it_opens_and_when_it_is_decided(stage: Stage) -> None:
    async with receiving() as receiver:
        _, secret = await hook(stage, receiver)
        plan = await stage.plan(2)
        gate = await ask(stage, plan)
        assert await tell(stage) == 1
        await stage.call("decide_gate", PAT, gate_id=gate["gate_id"], decision="approve")
        assert await tell(stage) == 1
        assert await tell(stage) == 0

    first, second = receiver.got
    assert [one.headers["interlock-event"] for one in receiver.got] == [
        "gate_opened",
        "gate_decided",
    ]
    assert first.path == "/hook?a=1"
    assert all(is_signed(one, secret) for one in receiver.got)
    assert not is_signed(first, "whsec_other")
    opened, decided = json.loads(first.body), json.loads(second.body)
    assert opened["gate"]["gate_id"] == decided["gate"]["gate_id"] == gate["gate_id"]
    assert decided["gate"]["decision"] == "approve"
    assert decided["gate"]["decided_by"] == {"kind": "user", "id": "pat"}
    assert [row["status"] for row in await sent(stage)] == ["delivered", "delivered"]


@staged
async def test_stalls_and_ends_are_told_and_only_what_was_asked_for(stage: Stage) -> None:
    async with receiving() as all_of_it, receiving() as ends:
        await hook(stage, all_of_it)
        await hook(stage, ends, events=["finished"], workflow="plan")
        await hook(stage, ends, events=["finished"], workflow="mission")
        plan = await stage.plan(1)
        await stage.claim(plan)
        await stage.pass_ms(DAY_MS)
        await stage.call("get_plan_status", plan_id=plan)
        await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
        assert await tell(stage) == 3

    told = sorted(json.loads(one.body)["event"] for one in all_of_it.got)
    assert told == ["finished", "stalled"]
    (end,) = [json.loads(one.body) for one in ends.got]
    assert (end["unit_id"], end["status"], end["is_success"]) == (plan, "failed", False)


@staged
async def test_what_fails_is_sent_again_under_the_same_id_until_it_arrives(stage: Stage) -> None:
    async with receiving(500, 0, 302, 204) as receiver:
        name, _ = await hook(stage, receiver)
        await stage.call("test_webhook", PAT, hook_id=name)
        for expected in ("The answer was 500.", "No answer: ", "The answer was 302."):
            assert await tell(stage) == 1
            (row,) = await sent(stage)
            assert row["status"] == "pending"
            assert str(row["error"]).startswith(expected)
            assert await tell(stage) == 0  # not before its time
            await stage.sql("UPDATE deliveries SET due = 0")
        assert await tell(stage) == 1
        (row,) = await sent(stage)

    assert (row["status"], row["code"], row["attempts"]) == ("delivered", 204, 4)
    assert {one.headers["interlock-delivery"] for one in receiver.got} == {row["delivery_id"]}
    (listed,) = cast("list[Told]", (await stage.call("list_webhooks", PAT)).data["webhooks"])
    assert listed["failing_since"] is None


@staged
async def test_after_about_a_day_it_is_given_up_and_can_be_replayed(stage: Stage) -> None:
    async with receiving(500) as receiver:
        name, _ = await hook(stage, receiver)
        await stage.call("test_webhook", PAT, hook_id=name)
        await stage.sql(f"UPDATE deliveries SET attempts = {ATTEMPTS_MAX - 1}")  # noqa: S608 (a number)
        await tell(stage)
        (row,) = await sent(stage, state="failed")
        receiver.says = [200]
        assert await tell(stage) == 0
        await stage.call("replay_delivery", PAT, delivery_id=row["delivery_id"])
        assert await tell(stage) == 1

    assert (await sent(stage))[0]["status"] == "delivered"
    assert len({one.headers["interlock-delivery"] for one in receiver.got}) == 1


def test_the_delays_add_up_to_about_a_day() -> None:
    delays = [delay_ms(attempt) for attempt in range(1, ATTEMPTS_MAX)]

    assert delays == sorted(delays)
    assert 0.7 * DAY_MS < sum(delays) < 1.3 * DAY_MS


@staged
async def test_a_hook_that_fails_for_days_is_switched_off_and_that_is_said(stage: Stage) -> None:
    async with receiving(500) as receiver:
        name, _ = await hook(stage, receiver)
        await stage.call("test_webhook", PAT, hook_id=name)
        await tell(stage)
        await stage.sql("UPDATE hooks SET failing_since = 1")
        await stage.sql("UPDATE deliveries SET due = 0")
        await tell(stage)
        answer = await stage.call("list_webhooks", PAT)
        (listed,) = cast("list[Told]", answer.data["webhooks"])
        assert listed["disabled_at"] is not None
        assert "failed for days" in answer.warnings[0]

        # What happens while it is off is told once it is on again.
        await stage.call("fail_plan", PAT, plan_id=await stage.plan(1), reason="enough")
        await stage.sql("UPDATE deliveries SET due = 0")
        assert await tell(stage) == 0
        receiver.says = [200]
        await stage.call("enable_webhook", PAT, hook_id=name)
        assert await tell(stage) == 2
    assert {one.headers["interlock-event"] for one in receiver.got[-2:]} == {"test", "finished"}


@staged
async def test_many_senders_send_each_delivery_once(stage: Stage) -> None:
    async with receiving() as receiver:
        await hook(stage, receiver)
        for _ in range(5):
            await stage.call("fail_plan", PAT, plan_id=await stage.plan(1), reason="enough")
        books = [Notebook() for _ in range(8)]
        await asyncio.gather(*(note_happened(stage.engine, book) for book in books))
        await asyncio.gather(*(send_due(stage.engine) for _ in books))

    assert len(receiver.got) == 5
    assert len({one.headers["interlock-delivery"] for one in receiver.got}) == 5


@staged
async def test_what_tells_nothing_is_read_once_and_writes_nothing(stage: Stage) -> None:
    async with receiving() as receiver:
        name, _ = await hook(stage, receiver, events=["finished"])
        book = Notebook()
        before = await stage.engine.store.hooks.find("home", name)
        plan = await stage.plan(2)
        await note_happened(stage.engine, book)
        assert await stage.engine.store.hooks.find("home", name) == before
        assert before is not None
        assert book.place("home", before) != before.position
        await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
        assert await note_happened(stage.engine, book) == 1


KILLED = """
import asyncio, sys
from dataclasses import replace
from pathlib import Path
from interlock.service.deliver import send_due
from tests.stage import opened

async def main(where):
    async with opened(where) as stage:
        await send_due(replace(stage.engine, webhooks_private=True))

asyncio.run(main(Path(sys.argv[2]) if sys.argv[1] == "file" else sys.argv[2]))
"""


@staged
async def test_a_sender_that_is_killed_in_the_middle_loses_nothing(stage: Stage) -> None:
    async with receiving(-1) as receiver:
        name, _ = await hook(stage, receiver)
        await stage.call("test_webhook", PAT, hook_id=name)
        kind = "file" if isinstance(stage.where, Path) else "url"
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", KILLED, kind, str(stage.where)
        )
        async with asyncio.timeout(60):
            await receiver.came.wait()
        child.send_signal(signal.SIGKILL)
        await child.wait()
        (row,) = await sent(stage)
        assert (row["status"], row["attempts"]) == ("pending", 1)

        receiver.says = [200]
        assert await tell(stage) == 0  # it may still be under way
        await stage.sql("UPDATE deliveries SET due = 0")
        assert await tell(stage) == 1
    assert (await sent(stage))[0]["status"] == "delivered"
    assert len({one.headers["interlock-delivery"] for one in receiver.got}) == 1


@staged
async def test_hooks_are_for_people_who_administer_and_for_one_tenant(stage: Stage) -> None:
    async with receiving() as receiver:
        name, secret = await hook(stage, receiver)
        await stage.call("test_webhook", PAT, hook_id=name)
        (row,) = await sent(stage)
        delivery = str(row["delivery_id"])
        agent = replace(ADA, scopes=PAT.scopes)
        member = replace(PAT, scopes=frozenset({"read", "work", "decide"}))
        calls: list[tuple[str, Told]] = [
            (f"{verb}_webhook", {"hook_id": name})
            for verb in ("disable", "enable", "test", "delete")
        ]
        calls.append(("replay_delivery", {"delivery_id": delivery}))
        for command, said in [*calls, ("list_webhooks", {}), ("list_deliveries", {})]:
            for by in (agent, member):
                assert (await stage.refused(command, by, **said)).code == "NOT_ALLOWED"
        for command, said in calls:
            absent = {word: f"{value}x" for word, value in said.items()}
            for told in (said, absent):
                no = await stage.refused(command, EVE, **told)
                (value,) = told.values()
                assert (no.code, no.message) == ("NOT_FOUND", f"There is no {value!r}.")
        assert (await stage.call("list_webhooks", EVE)).data == {"webhooks": []}
        assert (await stage.call("list_deliveries", EVE)).data == {"deliveries": []}
        shown = str((await stage.call("list_webhooks", PAT)).data) + str(await sent(stage))
        assert secret not in shown
        await stage.call("delete_webhook", PAT, hook_id=name)
        assert await sent(stage) == []


def test_the_signature_covers_the_time_and_the_body() -> None:
    mac = hmac.new(b"whsec_1", b'17.{"a":1}', sha256).hexdigest()

    assert signature("whsec_1", 17, '{"a":1}') == f"t=17,v1={mac}"
    assert signature("whsec_1", 18, '{"a":1}') != signature("whsec_1", 17, '{"a":1}')


@pytest.mark.parametrize("events", [("gate_opened",), ("stalled", "finished")])
@staged
async def test_a_new_hook_is_told_nothing_of_the_past(
    stage: Stage, events: tuple[str, ...]
) -> None:
    await stage.call("fail_plan", PAT, plan_id=await stage.plan(1), reason="enough")
    async with receiving() as receiver:
        await hook(stage, receiver, events=events)
        assert await tell(stage) == 0
