"""Samples: of tenants that somebody looks at, each one's own, and no more than fit."""

from dataclasses import replace

from interlock.service.meter import BOUNDS_S, Meter
from interlock.service.pulse import LOOKED_MS, SAMPLES_MAX, Pulse
from interlock.service.sweep import sweep
from tests.commands.test_gates import ask
from tests.stage import AWAY, DAY_MS, EVE, HOME, Stage, staged


def beating(stage: Stage, *always: str) -> Pulse:
    """Let the engine count and take samples."""
    meter = Meter()
    pulse = Pulse(meter, stage.engine.store.now(), always)
    stage.engine = replace(stage.engine, meter=meter, pulse=pulse)
    return pulse


@staged
async def test_a_sample_tells_what_waits_and_what_happened_since_the_last(stage: Stage) -> None:
    pulse = beating(stage, HOME)
    plan = await stage.plan(3, max_parallel_steps=3)
    other = await stage.plan(1)
    await ask(stage, plan)
    await stage.claim(other)
    await pulse.take(stage.engine.store)
    await pulse.take(stage.engine.store)
    _, (first, second) = pulse.look(HOME, stage.engine.store.now())

    assert (first.gates, first.held, first.stalls, first.lapses) == (1, 1, 0, 0)
    assert first.commits == 5
    assert first.commit_p50_ms is not None
    assert first.commit_p50_ms <= (first.commit_p95_ms or 0)
    assert (second.gates, second.commits, second.commit_p50_ms) == (1, 0, None)
    await stage.pass_ms(DAY_MS)
    await sweep(stage.engine)
    await pulse.take(stage.engine.store)
    _, (*_, third) = pulse.look(HOME, stage.engine.store.now())
    assert (third.lapses, third.stalls) == (1, 1)
    assert third.gate_age_ms >= first.gate_age_ms


@staged
async def test_nothing_of_another_tenant_is_in_a_sample(stage: Stage) -> None:
    pulse = beating(stage)
    now = stage.engine.store.now()
    assert pulse.look(HOME, now) == (now, ())
    theirs = await stage.plan(2, EVE)
    await ask(stage, theirs, EVE)
    await pulse.take(stage.engine.store)
    _, (ours,) = pulse.look(HOME, now)

    assert (ours.waiting, ours.gates, ours.gate_age_ms, ours.held, ours.commits) == (0,) * 5
    assert pulse.look(AWAY, now) == (now, ())


@staged
async def test_only_who_is_looked_at_is_sampled_and_not_for_ever(stage: Stage) -> None:
    pulse = beating(stage, HOME)
    now = stage.engine.store.now()
    pulse.look(AWAY, now - LOOKED_MS - 1)
    await pulse.take(stage.engine.store)
    # It was forgotten, so it begins anew.
    assert pulse.look(AWAY, now) == (now, ())
    await pulse.take(stage.engine.store)

    assert len(pulse.look(AWAY, now)[1]) == 1
    assert len(pulse.look(HOME, now)[1]) == 2


@staged
async def test_there_are_no_more_samples_than_fit(stage: Stage) -> None:
    pulse = beating(stage, HOME)
    for _ in range(SAMPLES_MAX + 2):
        await pulse.take(stage.engine.store)

    assert len(pulse.look(HOME, 0)[1]) == SAMPLES_MAX


@staged
async def test_how_long_commits_took_is_told_by_their_buckets(stage: Stage) -> None:
    pulse = beating(stage, HOME)
    meter = stage.engine.meter
    assert meter is not None
    for took_s in (*[0.002] * 90, *[0.2] * 9, 99.0):
        meter.commits.add(took_s)
    await pulse.take(stage.engine.store)
    meter.commits.add(99.0)
    await pulse.take(stage.engine.store)
    _, (first, second) = pulse.look(HOME, 0)

    assert (first.commit_p50_ms, first.commit_p95_ms) == (2.5, 250.0)
    assert (second.commit_p50_ms, second.commit_p95_ms) == (BOUNDS_S[-1] * 1000,) * 2
