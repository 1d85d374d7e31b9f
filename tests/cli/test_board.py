"""A plan is shown with its progress, once or for as long as it lives."""

from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.home import Home
from tests.doors.mcp.clients import command
from tests.forking import PIPE, Process
from tests.worker.shop import wait_for


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_a_plan_is_shown_with_its_steps_and_what_is_asked(home: Home) -> None:
    plan = home.plan()
    step, lease = home.claim(plan)
    home.ask("plan", "submit", step, "-m", "it is [so]", "--lease", lease)
    home.ask("plan", "next", plan)
    home.ask("plan", "review", f"{plan}.2", "-m", "enough?")

    shown = home.ask("plan", "show", plan).out

    assert shown.startswith("A plan  awaiting_review\n")
    assert "50 %" in shown
    assert "it is [so]" in shown
    assert f"? enough?  http://127.0.0.1:7400/gates/{plan}.2:" in shown


def test_a_plan_that_is_watched_is_drawn_until_it_has_ended(home: Home) -> None:
    plan = home.plan("only")
    line = command(home.folder, "plan", "show", plan, "--watch")
    with Process(line, stdout=PIPE) as watching:
        wait_for(lambda: is_looking(watching.pid), "it looks at the plan")
        home.ask("plan", "submit", f"{plan}.1", "-m", "done")
        shown, _ = watching.communicate(timeout=60)

    assert watching.returncode == 0
    assert "A plan  completed" in shown


def is_looking(process: int) -> bool:
    """Say whether a process has the database open; before its end it prints nothing."""
    with suppress(OSError):  # something was closed while we looked
        ends = [end.readlink() for end in Path(f"/proc/{process}/fd").iterdir()]
        return any(end.name == "interlock.db" for end in ends)
    return False


def test_one_document_is_not_watched(home: Home) -> None:
    said = home.ask("plan", "show", home.plan(), "--watch", "--json")

    assert (said.code, said.err.split()[0]) == (2, "INVALID_INPUT")
