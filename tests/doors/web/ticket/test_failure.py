"""What a ticket stopped at: the report of the phase it was in, or of the bead that is in error."""

from interlock.doors.web.ticket.council import Shelf
from interlock.doors.web.ticket.failure import failure_of
from interlock.service.read import read_unit
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.built import coding, run, stuck
from tests.doors.web.ticket.scenes import blocked, guest_of
from tests.stage import HOME, Stage, staged


@staged
async def test_a_planning_error_has_no_report(stage: Stage) -> None:
    name = await blocked(stage)
    read = await read_unit(stage.engine, HOME, name)
    shelf = Shelf(await guest_of(stage), {})

    assert await failure_of(shelf, name, read.whole.row.unit.fields, (), ()) is None
    fields = {"previous": "CODING"}
    assert await failure_of(shelf, name, fields, (), ()) is None
    assert await failure_of(shelf, name, {"previous": "RUNNING_FINAL_TEST"}, (), ()) is None


@staged
async def test_a_phase_is_told_by_its_document(stage: Stage) -> None:
    name = await coding(stage)
    read = await read_unit(stage.engine, HOME, name)
    fields = {**read.whole.row.unit.fields, "previous": "PREPARING_EXECUTION_ENV"}
    found = await failure_of(Shelf(await guest_of(stage), {}), name, fields, (), ())

    assert found is not None
    assert (found.what, found.run) == ("Setting the workspace up", None)
    assert found.path.startswith(f"/units/{name}/artifacts/")
    assert found.report.runs[0].command == run("python -m venv .venv")["command"]


@staged
async def test_a_bead_in_error_leads_to_its_page(stage: Stage) -> None:
    name = await stuck(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    assert f'<a href="/units/{name}/beads/1">Bead 1: Do sell-apples, attempt 5</a>' in browser.text
