"""What only a mission's page shows: hops as a path, tool steps, assets with roles, a repair."""

from interlock.doors.web.mission import mission
from interlock.doors.web.parts import lines
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot
from interlock.workflows.built_in import WORKFLOWS
from tests.doors.web.browser import Browser, hidden
from tests.doors.web.test_account import entered
from tests.mission_world import bring
from tests.missions import equip, finish, launch
from tests.stage import ADA, PAT, Stage, staged

FLOW = WORKFLOWS["mission"]
TRIED = {"attempt": 1, "at": 5, "class": "validation", "message": "a name is missing"}


def _snapshot(**unit: object) -> Snapshot:
    parts = (
        Part("asset", "READY", {"name": "brief", "content": "0" * 64}),
        Part("asset", "PENDING", {"name": "report"}),
        Part("asset", "PENDING", {"name": "rows"}, parent="m.5"),
        Part("hop", "COMPLETED", {"name": "first", "sequence": 1, "inputs": ("m.1",)}),
        Part("hop", "FAILED", {"name": "last", "sequence": 2, "is_final": True, "output": "m.2",
                               "goal": "Write it", "error": {"message": "no luck"}}),
        Part("tool_step", "FAILED", {"tool": "template", "tries": 2, "makes": ("m.2",),
                                     "error": "a name is missing", "attempts": (TRIED,)},
             parent="m.5", needs=("m.1",)),
    )  # fmt: skip
    fields = {"outputs": ("m.2",), "current": "m.5", **unit}
    return Snapshot(Unit("EXECUTING_HOP", fields), parts, tuple(f"m.{n}" for n in range(1, 7)))


def test_hops_stand_in_their_order_with_what_they_take_and_make() -> None:
    snapshot = _snapshot(held=True)
    told = mission(FLOW, snapshot, lines(FLOW, snapshot), 77)
    first, last = told.hops

    assert (first.sequence, first.inputs, first.is_current) == (1, ("brief",), False)
    assert (last.output, last.is_final, last.is_current) == ("report", True, True)
    assert [piece.name for piece in last.said] == ["Goal"]
    (step,) = last.steps
    assert (step.tool, step.tries, step.inputs, step.makes) == (
        "template", 2, ("brief",), ("report",),
    )  # fmt: skip
    assert (last.error, step.error) == ("no luck", "a name is missing")
    assert step.attempts == ((1, 5, "validation", "a name is missing"),)
    assert (told.held, told.until) == (last, 77)


def test_assets_have_the_role_that_they_play() -> None:
    snapshot = _snapshot(reset_of="mission-1")
    told = mission(FLOW, snapshot, lines(FLOW, snapshot))

    assert [(one.name, one.role) for one in told.assets] == [
        ("brief", "input"), ("report", "output"), ("rows", "scratch"),
    ]  # fmt: skip
    assert told.assets[0].digest == "0" * 64
    assert (told.held, told.reset_of) == (None, "mission-1")


@staged
async def test_pages_say_when_the_time_of_a_repair_and_of_an_asset_is_over(stage: Stage) -> None:
    equip(stage)
    inputs = [{"name": "numbers", "content": [1], "ttl_s": 7200}]
    mission_id, _ = await launch(stage, inputs=inputs, recovery_deadline_s=3 * 3600 + 60)
    await finish(stage, mission_id, failure="validation", error={"message": "no good"})
    browser = await entered(stage)

    await browser.get(f"/units/{mission_id}")
    recovery = browser.text.partition('id="recovery"')[2].partition("</section>")[0]
    assert "The time for that ends" in recovery
    assert "in 3 h" in recovery
    assets = browser.text.partition('id="assets"')[2].partition("</section>")[0]
    assert assets.count("expires <time") == 1
    await browser.get("/")
    stuck = browser.text.partition(f'id="stuck-{mission_id}"')[2].partition("</li>")[0]
    assert "Somebody is waited for until" in stuck
    assert "in 3 h" in stuck


async def _send(browser: Browser, path: str, **fields: str) -> None:
    form = browser.text.partition('id="act"')[2].partition("</form>")[0]
    await browser.post(path, {**hidden(form), **fields})


@staged
async def test_a_held_mission_says_what_is_to_be_repaired_and_is_fixed_on_a_page(
    stage: Stage,
) -> None:
    equip(stage)
    there = await bring(stage, PAT, ADA, "fix_hop", [])
    mission_id, hop = str(there["mission_id"]), str(there["hop_id"])
    browser = await entered(stage)
    await browser.get(f"/units/{mission_id}")
    assert 'id="recovery"' in browser.text
    path = f"/units/{mission_id}/act/fix_hop"
    assert f'href="{path}?part={hop}">Fix it…</a>' in browser.text
    await browser.get(f"{path}?part={hop}")
    assert "hop FAILED → READY_TO_RESOLVE" in browser.text
    await _send(browser, path, reason="")
    assert 'id="field-reason-wrong"' in browser.text
    await _send(browser, path, reason="the mapping was wrong")

    assert (await stage.whole(mission_id)).row.unit.status == "BUILDING_HOP"
    assert 'id="recovery"' not in browser.text
    assert "the mapping was wrong" in browser.text


@staged
async def test_what_cancelling_ends_is_told_first(stage: Stage) -> None:
    equip(stage)
    there = await bring(stage, PAT, ADA, "execute_hop", [])
    mission_id = str(there["mission_id"])
    browser = await entered(stage)
    path = f"/units/{mission_id}/act/cancel"
    await browser.get(path)
    for effect in ("mission HOP_READY_TO_EXECUTE → CANCELLED", "hop READY_TO_EXECUTE → CANCELLED",
                   "tool_step READY_TO_EXECUTE → CANCELLED"):  # fmt: skip
        assert effect in browser.text
    await _send(browser, path, reason="no longer wanted")

    assert (await stage.whole(mission_id)).row.unit.status == "CANCELLED"
    assert "Begin anew…" in browser.text


@staged
async def test_a_design_is_looked_at_and_run_at_its_gate(stage: Stage) -> None:
    equip(stage)
    there = await bring(stage, PAT, ADA, "execute_hop", [])
    browser = await entered(stage)
    await browser.get(f"/units/{there['mission_id']}")
    assert "Tool steps of hop 1" in browser.text
    assert "Waiting for you" in browser.text
    gate = browser.text.partition('class="btn main" href="')[2].partition('"')[0]
    await browser.get(gate)

    assert browser.status == 200
    assert 'value="execute_hop"' in browser.text
    assert 'value="request_changes"' in browser.text


@staged
async def test_nothing_is_decided_where_it_is_not_shown(stage: Stage) -> None:
    equip(stage)
    there = await bring(stage, PAT, ADA, "execute_hop", [])
    mission_id, hop = str(there["mission_id"]), str(there["hop_id"])
    browser = await entered(stage)
    path = f"/units/{mission_id}/act/execute_hop"
    await browser.get(f"/units/{mission_id}")
    assert "/act/execute_hop" not in browser.text
    await browser.get(f"{path}?part={hop}")
    assert "What is to be decided" in browser.text
    csrf = browser.text.partition('name="csrf" value="')[2].partition('"')[0]
    shown = str(there["content_digest"])
    await browser.post(path, {"csrf": csrf, "part": hop, "content_digest": shown})

    assert browser.status == 409
    assert (await stage.whole(mission_id)).row.unit.status == "HOP_READY_TO_EXECUTE"
