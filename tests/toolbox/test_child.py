"""A tool runs in a child: its outcome is told, and nothing of it is left, however it ends."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.servers import Server
from interlock.toolbox.around import Around, ModelAt
from interlock.toolbox.catalog import Catalog
from interlock.toolbox.child import LINES_MAX, Outcome, refresh, run_in_child
from tests.toolbox.processes import are_gone, is_alive, told

AROUND = Around(modules=("tests.toolbox.strange",))
ROOT = Path(__file__).parents[2]


def run(
    name: str, around: Around = AROUND, deadline_s: float = 30.0, /, **given: object
) -> Outcome:
    return asyncio.run(run_in_child(name, given, around=around, deadline_s=deadline_s))


def test_a_result_is_told_with_the_time_it_took() -> None:
    found = run("shout", text="hä")

    assert found == Outcome({"text": "HÄ"}, took_ms=found.took_ms)
    assert 0 < found.took_ms < 30_000


@pytest.mark.parametrize(
    ("name", "given", "failure", "message"),
    [
        ("shout", {"text": 3}, "validation", "The arguments do not fit: text: 3 is not"),
        ("shout", {}, "validation", "The arguments do not fit"),
        ("shout", {"text": ""}, "validation", "The result of the tool does not fit"),
        ("shout", {"text": object()}, "validation", "The arguments are no JSON"),
        ("nobody", {}, "configuration", "There is no tool nobody."),
        ("nobody.tool", {}, "resource_unavailable", "No MCP server nobody is configured."),
        ("misbehave", {"how": "raise"}, "unhandled", "KeyError: 'unforeseen'"),
        ("misbehave", {"how": "exit"}, "unhandled", "SystemExit: 3"),
        ("misbehave", {"how": "die"}, "system", "The process of the tool died (SIGKILL)."),
        ("misbehave", {"how": "leave"}, "system", "The process of the tool died (code 7)."),
        ("misbehave", {"how": "nan"}, "validation", "The result of the tool is no JSON"),
        ("misbehave", {"how": "object"}, "validation", "The result of the tool is no JSON"),
        ("misbehave", {"how": "surrogate"}, "validation", "The result of the tool is no JSON"),
        ("misbehave", {"how": "much"}, "validation", "The result of the tool has more than"),
        ("misbehave", {"how": "none"}, "validation", "The result of the tool does not fit"),
    ],
)  # fmt: skip
def test_however_a_tool_ends_there_is_an_outcome(
    name: str, given: dict[str, object], failure: str, message: str
) -> None:
    found = run(name, **given)

    assert (found.failure, found.result, found.resource_down) == (failure, None, False)
    assert found.message.startswith(message)


def test_a_result_may_be_large() -> None:
    found = run("misbehave", how="umlauts")

    assert (found.failure, len(str(found.result))) == ("", 8 * 1024 * 1024 - 100 + len("{'n': ''}"))


def test_where_no_process_can_be_started_it_may_be_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    found = run("shout", text="x")

    assert found.failure == "transient"
    assert found.message == "The process of the tool cannot be started: No such file or directory."


def test_what_a_tool_says_of_its_failure_is_told() -> None:
    found = run("misbehave", how="fail")

    assert found[1:5] == ("configuration", "no", "why", True)


def test_what_was_not_foreseen_is_told_with_its_place() -> None:
    assert 'KeyError("unforeseen")' in run("misbehave", how="raise").detail


def test_what_is_printed_goes_to_the_log_and_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "interlock.toolbox"):
        found = run("chatty")

    assert found.result == {"heard": ""}
    assert sorted(caplog.messages) == [
        "chatty: one", "chatty: three", "chatty: two", 'chatty: {"result": "forged"}',
    ]  # fmt: skip


def test_of_very_much_a_little_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "interlock.toolbox"):
        found = run("chatty", lines=1_000)

    assert found.failure == ""
    assert len(caplog.messages) == LINES_MAX + 1
    assert caplog.messages[-1] == f"chatty: {1_004 - LINES_MAX} more lines"
    assert max(map(len, caplog.messages)) < 1_100


def test_a_tool_knows_no_secret_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLOCK_TOKEN", "s3cret")
    monkeypatch.setenv("GITHUB_TOKEN", "s3cret")
    model = ModelAt("openai", "http://127.0.0.1:1", "big", "s3cret")
    around = Around(model, ("a.example",), (Server("x", ("s3cret",)),), AROUND.modules)

    found = run("around", around).result

    assert isinstance(found, dict)
    assert "s3cret" not in str(found)
    assert not {name for name in found["env"] if name.startswith("INTERLOCK")}
    assert found["around"]["fetch_hosts"] == ["a.example"]
    assert Path(found["folder"]).parts[:-1] != Path.cwd().parts
    assert not Path(found["folder"]).exists()


def test_a_deadline_ends_the_tool_and_all_that_it_has_started(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    found = run("linger", AROUND, 2.0, file=str(file))

    assert found.failure == "transient"
    assert found.message == "It took longer than 2 s, and was ended."
    assert are_gone(told(file))


def test_cancelling_ends_the_tool_and_all_that_it_has_started(tmp_path: Path) -> None:
    file = tmp_path / "pids"

    async def cancel() -> list[int]:
        task = asyncio.create_task(run_in_child("linger", {"file": str(file)}, around=AROUND))
        pids = await asyncio.to_thread(told, file)
        assert all(map(is_alive, pids))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pids

    assert are_gone(asyncio.run(cancel()))


def test_what_a_tool_leaves_running_ends_with_it(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    found = run("linger", file=str(file), returns=True)

    assert found.failure == ""
    assert are_gone(told(file))


def test_when_who_asked_is_killed_the_tool_ends_too(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    code = (
        "import asyncio; from interlock.toolbox.child import run_in_child;"
        " from interlock.toolbox.around import Around;"
        f" asyncio.run(run_in_child('linger', {{'file': {str(file)!r}}},"
        " around=Around(modules=('tests.toolbox.strange',))))"
    )
    path = os.pathsep.join([str(ROOT), *sys.path])
    env = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(tmp_path)}
    asking = subprocess.Popen([sys.executable, "-c", code], env=env)
    try:
        pids = told(file)
    finally:
        asking.send_signal(signal.SIGKILL)
        asking.wait()

    assert are_gone(pids)
    assert [one.name for one in tmp_path.iterdir()] == ["pids"]


def test_servers_are_asked_once_and_again_when_they_were_away(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    server = Server("late", (sys.executable, str(program)))
    catalog = Catalog(Around(servers=(server,)))

    asyncio.run(refresh(catalog))
    assert catalog.problems[0].startswith("late: The MCP server late cannot be reached.")
    program.write_text((Path(__file__).parent / "mcp_server.py").read_text())
    asyncio.run(refresh(catalog))
    assert (catalog.problems, "late.add" in catalog.describe()) == ((), True)
    program.unlink()
    asyncio.run(refresh(catalog))
    assert catalog.problems == ()
    asyncio.run(refresh(catalog, ("late",)))
    assert (len(catalog.problems), "late.add" in catalog.describe()) == (1, True)
