"""``interlock ticket watch``: how far it is, until somebody is asked or it has ended."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from interlock.cli import watch
from interlock.cli.watch import Bars, Lines, Moment, moment
from tests.cli.brought import brought, built
from tests.cli.home import Home
from tests.doors.web.ticket.built import coding, delivered, planned, reviewing, stuck, working


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_at_a_gate_it_ends_with_what_there_is_to_do(home: Home) -> None:
    ticket = built(home, planned)
    said = home.ask("ticket", "watch", ticket)

    assert said.code == 0
    assert "waits  Approving Workspace Setup" in said.out
    assert f"interlock ticket approve {ticket}" in said.out
    draft = brought(home, "start")["ticket_id"]
    assert f"interlock ticket start {draft}" in home.ask("ticket", "watch", draft).out
    review = built(home, reviewing)
    assert "Have it merged" in home.ask("ticket", "watch", review).out


def test_a_blocked_ticket_ends_with_1_and_says_why(home: Home) -> None:
    ticket = built(home, stuck)
    said = home.ask("ticket", "watch", ticket)

    assert said.code == 1
    assert "waits  Error (" in said.out
    assert f"interlock ticket retry {ticket}" in said.out


def test_one_that_is_done_leads_to_its_proof(home: Home) -> None:
    ticket = built(home, delivered)
    said = home.ask("ticket", "watch", ticket)

    assert "✓ Sell apples: Done" in said.out
    assert f"interlock ticket evidence {ticket}" in said.out


def test_with_json_every_line_is_a_document(home: Home) -> None:
    ticket = built(home, stuck)
    lines = home.ask("ticket", "watch", ticket, "--json").out.splitlines()
    first, last = json.loads(lines[0]), json.loads(lines[-1])

    assert (first["phase"], first["beads"], first["is_over"]) == (
        "BLOCKED_ERROR",
        {"done": 0, "of": 2},
        True,
    )
    assert last["waits"][0]["command_lines"][0] == f"interlock ticket retry {ticket}"


def test_it_goes_on_while_somebody_works(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = built(home, working)
    looked = 0

    async def end(_: float) -> None:
        nonlocal looked
        looked += 1
        if looked == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("asyncio.sleep", end)
    said = home.ask("ticket", "watch", ticket)

    assert looked == 2
    assert said.out.count("Implementing (Bead 1/2)") == 1
    assert "1 of 2 beads done: bead 2 Do count-apples, attempt 1 of 5" in said.out


def test_what_is_left_to_a_worker_is_no_gate() -> None:
    phase = {"name": "WAITING_PR_REVIEW", "label": "Reviewing", "column": "needs you"}
    work = [{"part_id": "t.9", "outcome": "waiting", "task": "merge", "role": "workspace"}]

    assert not moment({"phase": phase, "title": "x", "work": work}).is_over
    assert moment({"phase": phase, "title": "x"}).is_over
    done = [{**work[0], "outcome": "completed"}]
    assert moment({"phase": phase, "title": "x", "work": done}).is_over


NOW = Moment(
    "CODING", "Implementing (Bead 1/2)", "x", 21, 1, 2, (("t.1", "bead 2, attempt 1"),),
    is_asked=False,
)  # fmt: skip


def test_bars_fill_and_show_the_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)
    monkeypatch.setattr(watch, "out", shown)
    with Bars() as bars:
        bars.show(NOW, "3 passed [bold]\x1b[2J")
        bars.show(NOW._replace(done=2), "")

    text = shown.file.getvalue()  # type: ignore[attr-defined]  # it is a StringIO
    assert "Phases" in text
    assert "1 of 2" in text
    assert "2 of 2" in text
    assert "bead 2, attempt 1" in text
    assert "3 passed [bold]" in text
    assert "\x1b[2J3" not in text


def test_plain_lines_tell_each_change_once(capsys: pytest.CaptureFixture[str]) -> None:
    with Lines() as lines:
        lines.show(NOW, "a")
        lines.show(NOW, "b")
        lines.show(NOW._replace(done=2), "b")

    assert capsys.readouterr().out.splitlines() == [
        "Implementing (Bead 1/2), 1 of 2 beads done: bead 2, attempt 1",
        "Implementing (Bead 1/2), 2 of 2 beads done: bead 2, attempt 1",
    ]


def test_coding_with_nobody_at_work_is_watched_on(home: Home) -> None:
    ticket = built(home, coding)
    data = home.told("ticket", "status", ticket)["data"]
    assert isinstance(data, dict)

    assert not moment(data).is_over
