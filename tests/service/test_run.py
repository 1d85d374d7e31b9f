"""``advance`` gives an answer once, the same one again for the same request, or says why not."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from interlock.kernel.refusal import IllegalPair, Refusal
from interlock.service import run, turn
from interlock.service.create import NewUnit
from interlock.service.engine import Engine, Principal
from interlock.service.errors import (
    Conflict,
    CorruptState,
    NotFound,
    RequestBeforeRestore,
    RequestIdReused,
)
from interlock.service.meter import Meter
from interlock.service.order import Asked, Order
from interlock.service.pulse import Pulse
from interlock.service.run import Answer, advance, answer, earlier, persist
from interlock.store.script import BEFORE, Committed, Key, Nothing, Script, Stale
from tests.service.desk import AWAY, HOME, ME, PERSON, Desk, at_desk, said, submitted
from tests.still import StillClock

CLAIM = Asked("claim", kind="step")
KEY = Key("ada", "r1", "what was asked")


def test_the_same_request_gives_the_same_answer_to_the_letter_and_acts_once(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[Answer, Answer, str]:
        unit = await desk.plan((), ())
        first = await desk.send(unit, CLAIM, key=KEY)
        again = await desk.send(unit, CLAIM, key=KEY)
        return first, again, await desk.standing(unit)

    first, again, stands = at_desk(tmp_path, story)

    assert again == Answer(first.text, is_replay=True)
    assert not first.is_replay
    assert stands == "executing: in_progress pending"


def test_whoever_moves_a_unit_first_after_a_start_has_it_looked_at(tmp_path: Path) -> None:
    """Nothing reads it before: what only moves must not go on with rows that are corrupt."""

    async def first(desk: Desk) -> str:
        return await desk.make(NewUnit("ticket"), PERSON)

    unit = at_desk(tmp_path, first)

    async def second(desk: Desk) -> set[tuple[str, str]]:
        await desk.send(unit, Asked("cancel"), by=PERSON)
        return set(desk.engine.sound)

    assert at_desk(tmp_path, second) == {(HOME, unit)}


def test_the_answer_outlives_the_process(tmp_path: Path) -> None:
    async def first(desk: Desk) -> tuple[str, str]:
        unit = await desk.plan(())
        return unit, (await desk.send(unit, CLAIM, key=KEY)).text

    unit, text = at_desk(tmp_path, first)

    async def second(desk: Desk) -> Answer:
        return await desk.send(unit, CLAIM, key=KEY)

    assert at_desk(tmp_path, second) == Answer(text, is_replay=True)


def test_a_request_id_that_was_used_for_something_else_is_refused(tmp_path: Path) -> None:
    async def story(desk: Desk) -> str:
        unit = await desk.plan((), ())
        await desk.send(unit, CLAIM, key=KEY)
        with pytest.raises(RequestIdReused, match="'r1'"):
            await desk.send(unit, CLAIM, key=KEY._replace(asked="another thing"))
        return await desk.standing(unit)

    assert at_desk(tmp_path, story) == "executing: in_progress pending"


def test_a_request_id_is_good_for_one_principal_and_one_tenant(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[bool]:
        unit = await desk.plan((), ())
        there = Principal(AWAY, "agent", "ada", session="s1")
        abroad = await desk.plan((), by=there)
        answers = [
            await desk.send(unit, CLAIM, key=KEY),
            await desk.send(unit, CLAIM, key=KEY._replace(principal="bob")),
            await desk.send(abroad, CLAIM, by=there, key=KEY),
        ]
        return [one.is_replay for one in answers]

    assert at_desk(tmp_path, story) == [False, False, False]


def test_a_refused_request_leaves_its_id_free(tmp_path: Path) -> None:
    async def story(desk: Desk) -> bool:
        unit = await desk.plan((), (0,))
        with pytest.raises(Refusal):
            await desk.send(unit, submitted(f"{unit}.2"), key=KEY)
        return (await desk.send(unit, CLAIM, key=KEY)).is_replay

    assert not at_desk(tmp_path, story)


def test_the_same_request_sent_many_times_at_once_acts_once(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[set[str], int, str]:
        unit = await desk.plan((), (), ())
        sent = (desk.send(unit, CLAIM, key=KEY) for _ in range(10))
        answers = await asyncio.gather(*sent)
        replays = sum(one.is_replay for one in answers)
        return {one.text for one in answers}, replays, await desk.standing(unit)

    texts, replays, stands = at_desk(tmp_path, story)

    assert len(texts) == 1
    assert replays == 9
    assert stands == "executing: in_progress pending pending"


def test_the_answer_carries_the_receipt_of_what_was_committed(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[object, dict[str, object]]:
        unit = await desk.plan(())
        reply = (await desk.send(unit, CLAIM)).reply
        row = (await desk.whole(unit)).row
        return reply["receipt"], {"unit": unit, "sequence": row.version, "hash": row.head}

    receipt, stands = at_desk(tmp_path, story)

    assert receipt == stands


@pytest.mark.parametrize("name", ["plan-000000000000", "thing-000000000000", "", "plan", "plan-"])
def test_a_unit_that_is_not_there_is_not_found(tmp_path: Path, name: str) -> None:
    async def story(desk: Desk) -> None:
        with pytest.raises(NotFound):
            await desk.send(name, CLAIM)

    at_desk(tmp_path, story)


def test_a_foreign_unit_looks_like_an_absent_one(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, str]:
        unit = await desk.plan(())
        there = Principal(AWAY, "agent", "eve")
        told = []
        for name in (unit, "plan-" + "0" * 12):
            with pytest.raises(NotFound) as no:
                await desk.send(name, CLAIM, by=there)
            told.append(str(no.value).replace(name, "it"))
        return told[0], told[1]

    foreign, absent = at_desk(tmp_path, story)

    assert foreign == absent


def test_a_broken_table_is_told_as_corrupt_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        message = "a pair does not hold"
        raise IllegalPair(message)

    async def story(desk: Desk) -> str:
        unit = await desk.plan(())
        monkeypatch.setattr(turn, "decide", broken)
        with pytest.raises(CorruptState, match="a pair does not hold"):
            await desk.send(unit, CLAIM)
        return await desk.standing(unit)

    assert at_desk(tmp_path, story) == "planning: pending"


# -- when others are faster --------------------------------------------------------------------


def _slow(times: int, clock: StillClock, elapsed_ms: int = 0) -> Callable[[], Script]:
    """Return what makes scripts that find the unit changed so many times."""
    left = times

    def make() -> Script:
        nonlocal left
        yield from ()
        if left:
            left -= 1
            clock.pass_ms(elapsed_ms)
            raise Stale
        return Nothing("done")

    return make


def test_a_command_is_decided_again_while_others_are_faster(tmp_path: Path) -> None:
    async def story(desk: Desk) -> Committed:
        return await persist(desk.engine, HOME, _slow(5, desk.clock))

    assert at_desk(tmp_path, story) == Committed("done")


def test_it_is_not_tried_for_ever(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        with pytest.raises(Conflict) as no:
            await persist(desk.engine, HOME, _slow(3, desk.clock, run.PATIENCE_MS // 2))
        assert no.value.message == "Others kept changing the unit; nothing was applied."
        assert no.value.fix == "Send the same command again."
        # A moment less, and it would have been tried once more.
        done = await persist(desk.engine, HOME, _slow(3, desk.clock, run.PATIENCE_MS // 2 - 1))
        assert done == Committed("done")

    at_desk(tmp_path, story)


def test_what_is_committed_is_counted_and_what_only_looks_is_not(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[int, float, int]:
        meter = Meter()
        pulse = Pulse(meter, 0, always=(HOME,))
        engine = replace(desk.engine, meter=meter, pulse=pulse)
        unit = await desk.plan((), ())
        order = Order(HOME, ME.actor(), unit, (CLAIM,), said)
        first = await advance(engine, replace(order, is_dry=True))
        second = await advance(engine, order)
        assert first.reply["part"] == second.reply["part"]
        await pulse.take(desk.store)
        (sample,) = pulse.look(HOME, 0)[1]
        return sum(meter.commits.counts), meter.commits.total_s, sample.commits

    counted, took_s, sampled = at_desk(tmp_path, story)

    assert (counted, sampled) == (1, 1)
    assert 0 < took_s < 3_600


def test_a_late_result_that_was_only_tried_is_not_kept(tmp_path: Path) -> None:
    async def story(desk: Desk) -> object:
        unit = await desk.plan((), ())
        part, lease = await desk.claim(unit)
        await desk.send(unit, Asked("release", part, lease=lease))
        order = Order(HOME, ME.actor(), unit, (submitted(part, lease),), said, is_dry=True)
        with pytest.raises(Refusal, match="STALE_LEASE"):
            await advance(desk.engine, order)
        return await desk.store.artifacts(HOME, unit)

    assert at_desk(tmp_path, story) == ()


def test_an_earlier_answer_is_given_only_to_the_same_question() -> None:
    replayed = Committed("{}", is_replay=True, asked="this")

    assert answer(replayed, Key("ada", "r1", "this")) == Answer("{}", is_replay=True)
    with pytest.raises(RequestIdReused) as no:
        answer(replayed, Key("ada", "r1", "that"))
    assert no.value.message == "The request id 'r1' was used before, for something else."
    assert no.value.fix == "Use a new request id for a new request."
    assert answer(replayed, None) == Answer("{}", is_replay=True)


def test_what_was_answered_before_a_restore_is_neither_repeated_nor_done_again() -> None:
    replayed = Committed("{}", is_replay=True, asked=BEFORE)

    with pytest.raises(RequestBeforeRestore) as no:
        answer(replayed, KEY)
    told = "The request id 'r1' was used before this database was restored."
    assert no.value.message == told
    assert no.value.fix == (
        "Look where things stand; if it was not done, send it with a new request id."
    )
    assert answer(replayed, None) == Answer("{}", is_replay=True)
    assert answer(replayed._replace(is_replay=False), KEY) == Answer("{}")


def test_what_a_request_was_answered_before_is_found_without_sending_it_again(
    tmp_path: Path,
) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), ())
        assert await earlier(desk.engine, HOME, unit, KEY) is None
        first = await desk.send(unit, CLAIM, key=KEY)
        stood = await desk.standing(unit)

        assert await earlier(desk.engine, HOME, unit, KEY) == Answer(first.text, is_replay=True)
        assert await earlier(desk.engine, HOME, unit, None) is None
        assert await earlier(desk.engine, HOME, unit, KEY._replace(request="r2")) is None
        assert await earlier(desk.engine, AWAY, unit, KEY) is None
        assert await earlier(desk.engine, HOME, "plan-000000000000", KEY) is None
        with pytest.raises(RequestIdReused, match="'r1'"):
            await earlier(desk.engine, HOME, unit, KEY._replace(asked="another thing"))
        assert await desk.standing(unit) == stood

    at_desk(tmp_path, story)


def test_two_programs_on_one_file_do_not_undo_each_other(tmp_path: Path) -> None:
    """What one remembers the other has changed: it must notice before it decides."""

    async def story(desk: Desk) -> tuple[list[str], str]:
        unit = await desk.plan((), (), (), ())
        other = _another(tmp_path, desk)
        try:
            taken = []
            for engine in (desk.engine, other, desk.engine, other):
                order = Order(HOME, ME.actor(), unit, (CLAIM,), said)
                taken.append(str(json.loads((await advance(engine, order)).text)["part"]))
            return taken, await desk.standing(unit)
        finally:
            await other.store.close()

    taken, stands = at_desk(tmp_path, story)

    assert len(set(taken)) == 4
    assert stands == "executing: in_progress in_progress in_progress in_progress"


def _another(folder: Path, desk: Desk) -> Engine:
    store = type(desk.store)(folder / "interlock.db", desk.clock)
    return Engine(store, desk.clock, desk.engine.flows)


def test_a_fault_of_ours_is_told_by_its_name_alone(tmp_path: Path) -> None:
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))

    def clumsy(_: object) -> dict[str, object]:
        message = "what the caller has sent"
        raise RuntimeError(message)

    async def story(desk: Desk) -> None:
        unit = await desk.plan(())
        traced = replace(desk.engine, tracer=provider.get_tracer("interlock"))
        with pytest.raises(RuntimeError):
            await advance(traced, Order(HOME, ME.actor(), unit, (CLAIM,), clumsy))
        told = Asked(part=f"{unit}.1", verb="release")
        with pytest.raises(Refusal):
            await advance(traced, Order(HOME, ME.actor(), unit, (told,), said))

    at_desk(tmp_path, story)

    fault, refused = spans.get_finished_spans()
    assert (fault.attributes or {})["error.type"] == "RuntimeError"
    assert (fault.status.status_code, refused.status.status_code) == (
        StatusCode.ERROR, StatusCode.UNSET,
    )  # fmt: skip
    assert (refused.attributes or {})["interlock.event"] == "release"
    assert [*fault.events, *refused.events] == []


def test_one_span_is_told_for_a_command_and_how_it_was_refused(tmp_path: Path) -> None:
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))

    async def story(desk: Desk) -> str:
        unit = await desk.plan(())
        traced = replace(desk.engine, tracer=provider.get_tracer("interlock"))
        order = Order(HOME, ME.actor(), unit, (CLAIM,), said)
        await advance(traced, order)
        with pytest.raises(Refusal):
            await advance(traced, replace(order, asked=(Asked("retry_step", f"{unit}.1"),)))
        return unit

    unit = at_desk(tmp_path, story)

    assert [(span.name, dict(span.attributes or {})) for span in spans.get_finished_spans()] == [
        ("advance", {"interlock.unit": unit, "interlock.event": "claim"}),
        (
            "advance",
            {
                "interlock.unit": unit,
                "interlock.event": "retry_step",
                "interlock.refused": "INVALID_TRANSITION",
            },
        ),
    ]
