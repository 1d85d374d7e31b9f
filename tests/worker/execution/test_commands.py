"""Commands of others, run by us."""

import asyncio
from pathlib import Path

import pytest

from interlock.worker.execution.commands import OUTPUT_MAX, Place, Run, run_one, told_of


def ran(folder: Path, command: str, seconds: float = 20) -> Run:
    async def run() -> Run:
        until = asyncio.get_running_loop().time() + seconds
        return await run_one(Place(folder, folder / "home"), command, until)

    return asyncio.run(run())


def test_how_a_command_ended_and_what_it_said_is_told(tmp_path: Path) -> None:
    good = ran(tmp_path, "echo out; echo err >&2")
    bad = ran(tmp_path, "echo no; exit 3")
    killed = ran(tmp_path, "kill -9 $$")

    assert good.is_green
    assert sorted(good.output.split()) == ["err", "out"]
    assert (bad.is_green, bad.exit_code, bad.ended()) == (False, 3, "ended with 3")
    assert (killed.exit_code, killed.signal, killed.is_green) == (None, 9, False)
    assert told_of(bad) == "'echo no; exit 3' ended with 3. It said at last:\nno"
    assert set(good.told()) == {
        "command", "exit_code", "signal", "timed_out", "seconds", "output", "output_cut",
    }  # fmt: skip


def test_one_that_never_ends_is_ended(tmp_path: Path) -> None:
    run = ran(tmp_path, "sleep 60", 0.5)

    assert (run.timed_out, run.exit_code, run.is_green) == (True, None, False)
    assert "did not end within" in run.ended()


def test_of_a_flood_the_end_is_kept(tmp_path: Path) -> None:
    run = ran(tmp_path, "yes abc | head -c 3000000; echo the end")

    assert run.output_cut
    assert len(run.output) == OUTPUT_MAX
    assert run.output.endswith("the end\n")


def test_it_knows_nothing_of_who_runs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLOCK_TOKEN", "il_secret")

    run = ran(tmp_path, "env; pwd")

    assert "il_secret" not in run.output
    assert f"HOME={tmp_path / 'home'}" in run.output
    assert run.output.rstrip().endswith(str(tmp_path))
