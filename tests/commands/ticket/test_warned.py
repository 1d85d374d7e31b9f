"""What whoever approves is told beside the document, wherever they look."""

from typing import Any

from interlock.commands.ticket.warned import Warned, told_beside, warned_of, with_warnings
from tests.stage import PAT, Stage, staged
from tests.tickets import (
    answer,
    bead,
    claim,
    expansion,
    phase_of,
    prd,
    said,
    status_of,
    ticket,
    work,
)

Told = dict[str, Any]
LISTING = {
    "files": ["package.json", "shop.py"], "is_whole": True, "scripts": ["test"],
}  # fmt: skip
NO_SCRIPT = "sell-apples: `npm run e2e`: package.json has no script e2e"


def test_warnings_are_put_beside_those_of_others_and_told_by_their_domain() -> None:
    fields = {"warnings": {"prd": ["No risks."], "beads_commands": ["old"]}}

    kept = with_warnings(fields, "beads", ("No tests.",), notes=("In vain.",), commands=())

    assert kept == {
        "warnings": {"prd": ["No risks."], "beads": ["No tests."], "beads_notes": ["In vain."]}
    }
    assert warned_of(kept, "beads") == Warned(("No tests.",), ("In vain.",))
    assert told_beside("WAITING_BEADS_APPROVAL", kept) == (
        "A gap is left: No tests.", "In vain.",
    )  # fmt: skip
    assert told_beside("WAITING_PRD_APPROVAL", kept) == ("A gap is left: No risks.",)
    assert told_beside("CODING", kept) == told_beside("elsewhere", kept) == ()


def bad(task: Told) -> Told:
    """Say what leaves something to be told: declared in vain, brought in vain, no such script."""
    key = f"{task['domain']}_{task['task']}"
    wrong = {**bead("sell-apples"), "test_commands": ["npm run e2e", "npm test"]}
    vain = [{"type": "removed", "item": "US-9-9"}]
    own: dict[str, Told] = {
        "prd_refine": {"prd": prd(), "changes": vain},
        "prd_audit": {"status": "clean", "gaps": [], "prd": prd(), "changes": []},
        "beads_draft": {"beads": [wrong]},
        "beads_refine": {"beads": [wrong], "changes": []},
        "beads_audit": {"status": "clean", "gaps": [], "expansion": expansion("sell-apples")},
    }
    return own.get(key) or said(task)


async def begun(stage: Stage, **init: object) -> str:
    """Return a ticket of one member whose working tree was made."""
    name = await ticket(stage, ("ann",))
    await stage.call("start", PAT, ticket_id=name)
    await answer(stage, await claim(stage, name), init)
    return name


async def until(stage: Stage, name: str, phase: str) -> None:
    """Have a ticket worked on, and approved, until it stands in a phase."""
    while (now := await phase_of(stage, name)) != phase:
        if now == "WAITING_INTERVIEW_ANSWERS":
            await stage.call("skip_all", PAT, ticket_id=name)
        elif now.endswith("_APPROVAL"):
            gate = (await status_of(stage, name))["gates"][-1]
            await stage.call("approve", PAT, ticket_id=name, content_digest=gate["content_digest"])
        else:
            await work(stage, name, bad)


async def beside(stage: Stage, name: str) -> object:
    """Return what is told at the gate of a ticket."""
    gate = (await status_of(stage, name))["gates"][-1]["gate_id"]
    return (await stage.call("get_gate", PAT, gate_id=gate)).data.get("warnings")


@staged
async def test_commands_that_the_repository_cannot_run_are_told_at_the_gate(stage: Stage) -> None:
    name = await begun(stage, branch="b", listing=LISTING)
    await until(stage, name, "WAITING_BEADS_APPROVAL")

    assert list((await status_of(stage, name))["warnings"]["beads_commands"]) == [NO_SCRIPT]
    assert await beside(stage, name) == [NO_SCRIPT]

    base = (await status_of(stage, name))["documents"]["beads"]
    text: Any = (await stage.call("get_content", PAT, id=name, digest=base)).data["content"]
    mended = {"content": text.replace("npm run e2e", "cargo test"), "base_digest": base}
    await stage.call("save_artifact", PAT, ticket_id=name, **mended)
    assert await beside(stage, name) == ["sell-apples: `cargo test`: there is no Cargo.toml"]

    base = (await status_of(stage, name))["documents"]["beads"]
    mended = {"content": text.replace("npm run e2e", "npm run test"), "base_digest": base}
    await stage.call("save_artifact", PAT, ticket_id=name, **mended)
    assert await beside(stage, name) is None


@staged
async def test_where_nobody_has_listed_the_repository_commands_are_believed(stage: Stage) -> None:
    name = await begun(stage)
    await until(stage, name, "WAITING_BEADS_APPROVAL")

    assert await beside(stage, name) is None


@staged
async def test_what_was_declared_or_brought_along_in_vain_is_told_at_the_gate(stage: Stage) -> None:
    name = await begun(stage)
    await until(stage, name, "WAITING_PRD_APPROVAL")

    assert await beside(stage, name) == [
        "$.changes[0]: US-9-9 removed was declared but not made",
        "Audit 1: The revision was not taken: nothing is missing.",
    ]


@staged
async def test_follow_ups_beyond_the_budget_are_told_at_the_gate(stage: Stage) -> None:
    name = await begun(stage)
    await until(stage, name, "WAITING_INTERVIEW_ANSWERS")
    await _answer_all(stage, name)
    many = [
        {"question": f"And {n}?", "phase": "assembly", "answer_type": "free_text"}
        for n in range(1, 12)
    ]
    gaps = {"status": "gaps", "gaps": ["Prices."], "follow_up_questions": many}
    await work(stage, name, lambda _: gaps)
    await stage.call("skip_all", PAT, ticket_id=name)

    assert await phase_of(stage, name) == "WAITING_INTERVIEW_APPROVAL"
    assert await beside(stage, name) == [
        "Audit 1: 1 follow-up question was left out: no more may be asked."
    ]


async def _answer_all(stage: Stage, name: str) -> None:
    while await phase_of(stage, name) == "WAITING_INTERVIEW_ANSWERS":
        batch = (await status_of(stage, name)).get("batch")
        if batch is None:
            await work(stage, name)
            continue
        told = [{"question_id": one["id"], "text": "Yes."} for one in batch["questions"]]
        await stage.call("answer_batch", PAT, ticket_id=name, batch=batch["number"], answers=told)


@staged
async def test_a_listing_that_is_none_is_refused_and_another_one_taken(stage: Stage) -> None:
    name = await ticket(stage, ("ann",))
    await stage.call("start", PAT, ticket_id=name)
    part = await claim(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}

    no = await stage.refused("submit_work", **told, answer={"listing": {"files": "all"}})

    errors: Any = no.details["errors"]
    assert "$.listing.files" in {one["path"] for one in errors}
    await answer(stage, part, {"listing": LISTING})
    assert "repository" in (await status_of(stage, name))["documents"]
    scan = await claim(stage, name)
    text = scan["task"]["prompt"]["text"]
    assert "## Files of the repository" in text
    assert "# 2 files\npackage.json\nshop.py" in text
