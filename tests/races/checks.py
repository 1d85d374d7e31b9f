"""What must hold when several want the same, as checks that raise ``AssertionError``.

Each takes a stage and leaves it sound. They are tests here and traps in ``tests.planted``, where
a bug is planted first and the check must notice it.
"""

import asyncio
from collections import Counter
from pathlib import Path

from interlock.clock import SystemClock
from interlock.kernel.workflow import LEASE_MS
from interlock.service.engine import Engine, Principal
from interlock.service.errors import RequestIdReused
from interlock.service.late import LATE
from interlock.service.order import Asked, Order
from interlock.service.sweep import sweep
from interlock.service.turn import turn
from interlock.store.script import Answer, Load, Loaded, Nothing, Outcome, Script, Stale
from interlock.store.sqlite.store import SqliteStore
from tests.races.hands import held
from tests.races.moves import (
    Claimed,
    claim,
    events,
    found,
    lapse,
    make,
    outcome,
    submit,
    word,
)
from tests.stage import ADA, AWAY, BOB, DAY_MS, HOME, Stage

CLAIMERS = 32
COPIES = 100


async def no_part_is_shared(stage: Stage, other: Engine) -> None:
    """Many claim at once: each gets a part of their own, and whoever finds none is told so."""
    unit = await make(stage.engine, CLAIMERS)
    crowd = [Principal(HOME, "agent", f"agent{n}") for n in range(CLAIMERS + 8)]
    engines = (stage.engine, other)
    tries = [claim(engines[n % 2], who, unit) for n, who in enumerate(crowd)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    claimed = [one for one in done if isinstance(one, Claimed)]
    others = Counter(type(one).__name__ for one in done if not isinstance(one, Claimed))

    assert others == {"Emptied": 8}
    assert len({one.part for one in claimed}) == CLAIMERS
    assert await found(stage.engine) == []


async def copies_have_one_effect(stage: Stage, other: Engine) -> None:
    """Many copies of one request at once: one effect, and the same answer to all."""
    unit = await make(stage.engine, 2)
    claimed = await claim(stage.engine, ADA, unit)
    before = len(await events(stage.engine, unit))
    engines = (stage.engine, other)
    copies = [submit(engines[n % 2], ADA, claimed, "once", f"copy {unit}") for n in range(COPIES)]
    answers = await asyncio.gather(*copies)
    after = await events(stage.engine, unit)
    whole = await stage.whole(unit)

    assert len({answer.text for answer in answers}) == 1
    assert sum(not answer.is_replay for answer in answers) == 1
    assert len(after) == before + 1
    assert answers[0].reply["receipt"] == {
        "unit": unit, "sequence": whole.row.version, "hash": whole.row.head,
    }  # fmt: skip
    assert len(await stage.engine.store.artifacts(HOME, unit)) == 1
    assert await found(stage.engine) == []


async def a_used_id_takes_no_other_question(stage: Stage, other: Engine) -> None:
    """Two questions under one request id: one is answered, the other refused, at once and later."""
    unit = await make(stage.engine, 2)
    claimed = await claim(stage.engine, ADA, unit)
    texts = ("this", "that")
    copies = [submit(other, ADA, claimed, texts[n % 2], f"same {unit}") for n in range(20)]
    done = await asyncio.gather(*copies, return_exceptions=True)
    answered = {one.text for one in done if not isinstance(one, BaseException)}
    refused = [one for one in done if isinstance(one, BaseException)]
    before = await stage.mark(unit)
    later = await outcome(submit(stage.engine, ADA, claimed, "something else", f"same {unit}"))

    assert len(answered) == 1
    assert len(refused) == 10
    assert all(isinstance(one, RequestIdReused) for one in refused)
    assert later == "IDEMPOTENCY_MISMATCH"
    assert await stage.mark(unit) == before


async def an_id_belongs_to_one_principal_of_one_tenant(stage: Stage, other: Engine) -> None:
    """The same request id of another principal or tenant is another request."""
    theirs = Principal(AWAY, "agent", ADA.id)
    asking = [
        make(one, 1, who, "mine") for one in (stage.engine, other) for who in (ADA, BOB, theirs)
    ]
    names = await asyncio.gather(*asking)

    assert len(set(names)) == 3
    assert names[:3] == names[3:]
    assert len(await stage.engine.store.units(HOME, "", None, 10)) == 2
    assert len(await stage.engine.store.units(AWAY, "", None, 10)) == 1
    assert await found(stage.engine, HOME) == await found(stage.engine, AWAY) == []


async def a_late_result_is_refused_and_kept(stage: Stage, other: Engine) -> None:
    """Who has lost the lease hands in too late: nothing changes, and nothing is thrown away."""
    unit = await make(stage.engine, 1)
    old = await claim(stage.engine, ADA, unit)
    await stage.pass_ms(LEASE_MS + 1)
    assert await sweep(other) >= 1  # what others left behind may lapse, too
    new = await claim(other, BOB, unit)
    before = await stage.mark(unit)
    refusals = [
        await outcome(submit(stage.engine, ADA, old, "late work", f"late {unit}")) for _ in "12"
    ]
    kept = await stage.engine.store.artifacts(HOME, unit)

    assert new.part == old.part
    assert refusals == ["STALE_LEASE", "STALE_LEASE"]
    assert (await stage.mark(unit))[:-1] == before[:-1]
    assert [(row.mark, row.author) for row in kept] == [(LATE, ADA.id)]
    assert b"late work" in (await stage.engine.store.content(HOME, kept[0].digest) or b"")
    assert await outcome(submit(other, BOB, new)) == "OK"
    assert await stage.standing(unit) == "completed: completed"
    assert await found(stage.engine) == []


async def an_old_decision_is_not_committed(stage: Stage, other: Engine) -> None:
    """A change that was decided on a version that stands no more is not written."""
    unit = await make(stage.engine, 2)
    claimed = await claim(stage.engine, ADA, unit)
    change = await _decided(
        stage.engine,
        unit,
        Asked("heartbeat", claimed.part, lease=claimed.lease, told={"note": "here"}),
    )
    await claim(other, BOB, unit)
    before = await stage.mark(unit)

    def script() -> Script:
        yield from ()
        return change

    try:
        await stage.engine.store.run(HOME, script)
        told = "nothing"
    except Stale:
        told = "stale"
    except Exception as exc:  # noqa: BLE001  whatever else it is, it is not what it should be
        told = repr(exc)

    assert told == "stale"
    assert await stage.mark(unit) == before
    assert await found(stage.engine) == []


async def _decided(engine: Engine, unit: str, asked: Asked) -> Outcome:
    """Decide an event on what stands now, and write nothing yet."""
    answers: list[Answer] = []
    load = Load(unit, asked.part, is_fresh=True)

    def look() -> Script:
        answers.append((yield load))
        return Nothing("{}")

    await engine.store.run(HOME, look)
    running = engine.running(unit)
    order = Order(HOME, ADA.actor(), unit, (asked,), word)
    script = turn(order, running, engine.store.now)
    next(script)
    assert isinstance(answers[0], Loaded)
    try:
        script.send(answers[0])
    except StopIteration as decided:
        said: Outcome = decided.value
        return said
    raise AssertionError(unit)


async def counts_are_true(stage: Stage, other: Engine) -> None:
    """After ordinary work every count says what stands."""
    unit = await make(stage.engine, 3)
    for one, two in ((stage.engine, other), (other, stage.engine)):
        await submit(two, ADA, await claim(one, ADA, unit))

    assert await stage.standing(unit) == "executing: completed completed pending"
    assert await found(stage.engine) == []


async def a_jump_of_the_wall_clock_expires_nothing(stage: Stage, _: Engine) -> None:
    """Wall time jumps while we run: no lease ends, none is lengthened; time that passes ends it."""
    assert isinstance(stage.where, Path)
    with held() as hands:
        ours = SystemClock()
        store = SqliteStore(stage.where, ours, synchronous="off")
        engine = Engine(store, ours, stage.engine.flows)
        unit = await make(engine, 1)
        claimed = await claim(engine, ADA, unit)
        told = []
        for jump_ms in (2 * DAY_MS, -4 * DAY_MS):
            hands.jump_ms(jump_ms)
            hands.pass_ms(LEASE_MS // 4)
            told.append(await outcome(lapse(engine, claimed.part)))
        hands.pass_ms(LEASE_MS)
        told.append(await outcome(lapse(engine, claimed.part)))
        told.append(await outcome(submit(engine, ADA, claimed)))
        await store.close()

    assert told == ["NOT_DUE", "NOT_DUE", "OK", "OK"]
