"""Handing out an assignment: its prompt, its schema, its deadline; nothing for other work."""

from interlock.commands.row import Call
from interlock.commands.ticket.handed import with_task
from tests.reports import SITE
from tests.stage import ADA, Stage, staged
from tests.tickets import NAMES, claim, started, status_of, work


@staged
async def test_work_comes_with_its_order_its_form_and_its_limits(stage: Stage) -> None:
    name = await started(stage, limits={"round_s": 77})
    task = (await claim(stage, name))["task"]

    assert (task["role"], task["task"], task["ticket_id"]) == ("implementer", "scan", name)
    assert (task["deadline_s"], task["rejected"]) == (77, 0)
    place = {"repository": "/srv/shop.git", "base_branch": "main", "forge": {"kind": "local"}}
    assert task["project"] == place
    assert task["member"]["name"] == "ann"
    assert "Sell apples" in task["prompt"]["text"]
    assert task["schema"]["required"] == ["files"]
    assert (task["trimmed"], task["context_tokens"] > 0) == ([], True)


@staged
async def test_a_voter_is_told_a_seed_that_gives_no_names_away(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    await work(stage, name, members=NAMES)
    task = (await claim(stage, name, "ben"))["task"]

    seed = str((await stage.whole(name)).row.unit.fields["seed"])
    assert (len(task["seed"]), seed in str(task)) == (64, False)
    assert set(task["schema"]["properties"]["scores"]["properties"]) == {
        "Draft 1", "Draft 2", "Draft 3",
    }  # fmt: skip
    assert not [who for who in NAMES if f"{who}" in task["prompt"]["text"].split()]


@staged
async def test_a_prompt_of_the_project_stands_in_place_of_ours(stage: Stage) -> None:
    name = await started(stage)
    ours = (await claim(stage, name))["task"]["prompt"]
    other = await started(stage, prompts={ours["name"]: "Look for apples only.\n\n{{context}}\n"})
    task = (await claim(stage, other))["task"]

    assert task["prompt"]["text"].startswith("Look for apples only.")
    assert task["prompt"]["digest"] != ours["digest"]


@staged
async def test_work_that_is_no_assignment_is_left_as_it_is(stage: Stage) -> None:
    reply: dict[str, object] = {"data": {"part": {"kind": "step", "lease": {}}}}
    blocked: dict[str, object] = {"data": {"part": {"kind": "assignment", "part_id": "x"}}}

    for one in (reply, blocked):
        assert await with_task(Call(stage.engine, ADA), one) is one


@staged
async def test_a_ticket_whose_documents_are_lost_is_blocked_and_in_nobody_s_way(
    stage: Stage,
) -> None:
    name = await started(stage)
    await work(stage, name)
    # As if the database had lost what everybody reads: the first draft is to be written now.
    await stage.sql("UPDATE contents SET bytes = substr(bytes, 2)")

    found = await stage.call("get_next_work", ADA, workflow="ticket", site=SITE)

    assert (found.status, found.data["unit_id"]) == ("blocked", name)
    assert "lease" not in str(found.data["part"])
    now = await status_of(stage, name)
    assert now["error"]["code"] == "SNAPSHOT_RECOVERY_FAILED"
    assert "damaged" in now["error"]["message"]
    again = await stage.call("get_next_work", ADA, workflow="ticket", site=SITE)
    assert again.status == "no_work"
