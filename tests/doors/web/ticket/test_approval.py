"""What is to be approved: the newest version, its digest, what changed, the gaps."""

from interlock.doors.web.ticket.approval import approval_of, review_of
from tests.commands.ticket.test_warned import LISTING, begun, until
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.scenes import approving, guest_of
from tests.stage import PAT, Stage, staged
from tests.tickets import status_of


async def save(stage: Stage, name: str, old: str, new: str, artifact: str = "prd") -> str:
    """Save another version of what waits; return its digest."""
    digest = str((await status_of(stage, name))["documents"][artifact])
    content = await stage.engine.store.content("home", digest)
    text = (content or b"").decode()
    assert old in text
    said = {"content": text.replace(old, new), "base_digest": digest}
    await stage.call("save_artifact", PAT, ticket_id=name, **said)
    return str((await status_of(stage, name))["documents"][artifact])


@staged
async def test_the_newest_version_is_shown_with_what_changed(stage: Stage) -> None:
    guest, name = await guest_of(stage), await approving(stage, "prd")
    before = str((await status_of(stage, name))["documents"]["prd"])
    digest = await save(stage, name, "No apples.", "Too few apples.")
    fields = (await stage.whole(name)).row.unit.fields
    found = await approval_of(guest, name, "prd", fields)

    assert (found.digest, len(found.versions)) == (digest, 2)
    assert [(row.kind, row.text.strip()) for row in found.diff if row.kind in ("ins", "del")] == [
        ("del", "problem_statement: No apples."), ("ins", "problem_statement: Too few apples."),
    ]  # fmt: skip
    assert (found.since, found.warnings) == ("the version before", ())
    looked = await approval_of(guest, name, "prd", fields, before)
    assert looked.since == "you looked"


@staged
async def test_gaps_that_are_left_stand_above_everything(stage: Stage) -> None:
    guest, name = await guest_of(stage), await approving(stage)
    told = {"interview": ["No risks."], "interview_notes": ["In vain."], "prd_notes": ["Other."]}
    fields = {**(await stage.whole(name)).row.unit.fields, "warnings": told}

    found = await approval_of(guest, name, "interview", fields)

    assert (found.warnings, found.remarks) == (("No risks.",), ("In vain.",))


@staged
async def test_a_command_that_cannot_be_run_stands_on_the_page_and_in_the_editor(
    stage: Stage,
) -> None:
    name = await begun(stage, listing=LISTING)
    await until(stage, name, "WAITING_BEADS_APPROVAL")
    browser = await entered(stage)
    gate = (await status_of(stage, name))["gates"][-1]["gate_id"]

    for page in (f"/units/{name}", f"/units/{name}/documents/beads", f"/gates/{gate}"):
        assert "has no script e2e" in (await browser.get(page)).text, page


@staged
async def test_the_page_shows_the_document_and_the_digest_it_approves(stage: Stage) -> None:
    name = await approving(stage, "beads")
    digest = str((await status_of(stage, name))["documents"]["beads"])
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    shown = browser.text.partition('id="approval"')[2].partition("</section>")[0]

    assert f'name="content_digest" value="{digest}"' in shown
    assert "Do sell-apples" in shown
    assert "after sell-apples" in shown
    assert f"<code>{digest}</code>" in shown
    assert f"/units/{name}/documents/interview#reopen" in browser.text


def test_only_what_people_approve_is_reviewed_here() -> None:
    assert review_of("WAITING_PRD_APPROVAL") == "prd"
    assert review_of("CODING") == ""
    assert review_of("WAITING_EXECUTION_SETUP_APPROVAL") == "execution_setup_plan"
