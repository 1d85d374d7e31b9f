"""Figures as Prometheus reads them: what was counted, what waits, for all processes, of no tenant."""

import json
from dataclasses import replace
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from interlock.commands.verbs import LocalVerbs
from interlock.service.calls import CallLog
from interlock.service.meter import Meter
from interlock.service.sweep import sweep
from interlock.telemetry.metrics import FRESH_MS, Figures
from tests.stage import ADA, AWAY, DAY_MS, EVE, HOME, Stage, new_plan, staged

Found = dict[tuple[str, str], float]


def figures(stage: Stage, **more: object) -> Figures:
    meter = Meter()
    engine = replace(stage.engine, meter=meter)
    made = Figures(engine, meter, CallLog(engine.store, stage.clock), lambda: 3)
    for name, value in more.items():
        setattr(made, name, value)
    return made


async def read(of: Figures) -> Found:
    """Return every figure by its name and the values of its labels."""
    text, media_type = await of.text()
    assert media_type.startswith("text/plain; version=0.0.4")
    return {
        (sample.name, " ".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


@staged
async def test_what_callers_do_is_counted_with_how_long_it_took(stage: Stage) -> None:
    of = figures(stage)
    verbs = LocalVerbs(of.engine, replace(ADA, channel="rest"))
    await verbs.call("create_research_plan", new_plan(2))
    await verbs.call("ping", {})
    found = await read(of)

    assert found["interlock_commands_total", "rest OK create_research_plan"] == 1
    assert found["interlock_commands_total", "rest OK ping"] == 1
    assert found["interlock_command_seconds_count", "rest ping"] == 1
    assert found["interlock_command_seconds_bucket", "rest ping +Inf"] == 1
    assert 0 < found["interlock_command_seconds_sum", "rest create_research_plan"] < 60
    assert found["interlock_commit_seconds_count", ""] == 1


@staged
async def test_what_waits_is_asked_of_the_store_when_the_figures_are(stage: Stage) -> None:
    of = figures(stage)
    plan = await stage.plan(3)
    await stage.plan(1, EVE)
    before = await read(of)
    step, lease = await stage.claim(plan)
    await stage.call("request_user_review", ADA, step_id=step, lease=lease, summary="Is it so?")
    after = await read(of)

    assert before["interlock_queue_depth", ""] == 4
    assert (before["interlock_gates_open", ""], before["interlock_gate_age_seconds", ""]) == (0, 0)
    assert after["interlock_gates_open", ""] == 1
    assert after["interlock_gate_age_seconds", ""] >= 0
    assert after["interlock_streams_open", ""] == 3
    assert after["interlock_cache_hits_total", ""] > 0
    assert after["interlock_cache_bytes", ""] > before["interlock_cache_bytes", ""] > 0
    assert after["interlock_call_log_lost_total", ""] == 0


@staged
async def test_leases_that_ran_out_and_what_they_stalled_are_counted(stage: Stage) -> None:
    of = figures(stage)
    await stage.claim(await stage.plan(1))
    await stage.pass_ms(DAY_MS)
    await sweep(of.engine)
    found = await read(of)

    assert found["interlock_lease_expiries_total", "plan"] == 1
    assert found["interlock_stalls_total", "plan"] == 1


@staged
async def test_no_label_names_a_tenant_a_caller_or_a_unit(stage: Stage) -> None:
    of = figures(stage)
    for by in (ADA, EVE):
        plan = await LocalVerbs(of.engine, by).call("create_research_plan", new_plan(1))
        await LocalVerbs(of.engine, by).call("get_next_step", {"plan_id": plan.data["plan_id"]})
    text = (await of.text())[0].decode()

    for word in (HOME, AWAY, ADA.id, EVE.id, "plan-"):
        assert f'"{word}' not in text


@staged
async def test_a_process_tells_of_itself(stage: Stage) -> None:
    found = await read(figures(stage))

    assert found["process_resident_memory_bytes", ""] > 1_000_000


@staged
async def test_processes_that_share_a_port_answer_for_each_other(
    stage: Stage, tmp_path: Path
) -> None:
    one, two = (figures(stage, shared=tmp_path, name=name) for name in "12")
    await LocalVerbs(one.engine, ADA).call("ping", {})
    await LocalVerbs(two.engine, ADA).call("ping", {})
    two.meter.lapse("plan", is_stall=True)
    two.meter.prune("replies", 7)
    two.share()

    # What the first tells, the second knows from then on: a sum never goes backwards.
    for of in (one, two):
        found = await read(of)
        assert found["interlock_commands_total", " OK ping"] == 2
        assert found["interlock_stalls_total", "plan"] == 1
        assert found["interlock_pruned_total", "replies"] == 7
        assert found["interlock_streams_open", ""] == 6


@staged
async def test_what_a_process_counted_outlives_it_but_not_how_it_stood(
    stage: Stage, tmp_path: Path
) -> None:
    gone = figures(stage, shared=tmp_path, name="1")
    await LocalVerbs(gone.engine, ADA).call("ping", {})
    await stage.plan(1)
    gone.share()
    path = tmp_path / "1.json"
    told = json.loads(path.read_text())
    path.write_text(json.dumps(told | {"at": told["at"] - FRESH_MS - 1}))
    found = await read(figures(stage, shared=tmp_path, name="2"))

    assert found["interlock_commands_total", " OK ping"] == 1
    assert found["interlock_streams_open", ""] == 3
    assert found["interlock_cache_bytes", ""] == stage.engine.store.recall().weight > 0
