"""The command that tells how a tenant is doing."""

from typing import Any

from tests.commands.test_gates import ask
from tests.service.test_pulse import beating
from tests.stage import EVE, HOME, PAT, Stage, staged


@staged
async def test_health_is_told_in_full(stage: Stage) -> None:
    pulse = beating(stage, HOME)
    plan = await stage.plan(2)
    await stage.plan(1)
    await ask(stage, plan)
    await pulse.take(stage.engine.store)
    data = (await stage.call("get_health", PAT)).data
    whole = await stage.whole(plan)
    gate = {"workflow": "plan", "open": 1, "oldest": whole.row.changed_at}

    assert data["queue"] == [{"workflow": "plan", "kind": "step", "waiting": 1}]
    assert data["gates"] == {"open": 1, "oldest": whole.row.changed_at, "by_workflow": [gate]}
    assert data["leases"] == {"held": 0, "overdue": 0}
    assert (data["stalled"], data["units"]) == (0, {"open": 2, "ended": 0})
    assert isinstance(data["since"], int)
    samples: Any = data["samples"]
    (sample,) = samples
    assert list(sample) == [
        "at", "waiting", "gates", "gate_age_ms", "held", "stalls", "lapses", "commits",
        "commit_p50_ms", "commit_p95_ms",
    ]  # fmt: skip
    assert (sample["waiting"], sample["gates"]) == (1, 1)


@staged
async def test_another_tenant_is_told_nothing_of_it(stage: Stage) -> None:
    await ask(stage, await stage.plan(2))
    data = (await stage.call("get_health", EVE)).data

    assert data == {
        "queue": [], "gates": {"open": 0, "oldest": None, "by_workflow": []},
        "leases": {"held": 0, "overdue": 0}, "stalled": 0, "units": {"open": 0, "ended": 0},
        "since": None, "samples": [],
    }  # fmt: skip
