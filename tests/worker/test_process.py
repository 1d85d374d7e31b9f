"""Programs are contained: however one behaves, its end is told, and nothing of it is left."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.family import can_adopt, marked
from interlock.worker.process import LINE_MAX, Ended, Tail, run, scrubbed
from interlock.worker.supervisor import TOO_MANY
from tests.toolbox.processes import are_gone, is_alive, told

ROOT = Path(__file__).parents[2]
LINUX = pytest.mark.skipif(not can_adopt(), reason="only Linux shows the tree of processes")

DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        if len(sys.argv) > 2:
            os.close(0); os.close(1); os.close(2)
        open(sys.argv[1], "w").write(f"{os.getpid()}\\n")
        time.sleep(600)
    os._exit(0)
os.wait()
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
"""
STAYS = DAEMON + "\ntime.sleep(600)\n"


def done(
    folder: Path, *argv: str, deadline_s: float = 20.0, stdin: bytes = b"", split: bool = False,
    output_max: int = 1_000_000,
) -> Ended:  # fmt: skip
    env = scrubbed(folder / "home", {"GIVEN": "yes"})
    return asyncio.run(
        run(
            argv, folder=folder, env=env, deadline_s=deadline_s, stdin=stdin, split=split,
            output_max=output_max,
        )
    )  # fmt: skip


def python(code: str, *words: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code, *words)


def test_a_program_is_told_its_input_and_its_end_is_told(tmp_path: Path) -> None:
    given = os.urandom(300_000).hex().encode()
    found = done(tmp_path, "sh", "-c", "cat; pwd; echo no >&2; exit 3", stdin=given)

    assert (found.code, found.signal, found.timed_out, found.is_cut) == (3, 0, False, False)
    assert found.text == f"{given.decode()}{tmp_path}\nno\n"
    assert 0 < found.seconds < 20


def test_what_it_says_comes_apart_where_that_is_asked(tmp_path: Path) -> None:
    found = done(tmp_path, "sh", "-c", "echo yes; echo no >&2", split=True)

    assert (found.out, found.err, found.text) == ("yes\n", "no\n", "yes\nno\n")


def test_input_that_nobody_reads_holds_nothing_up(tmp_path: Path) -> None:
    found = done(tmp_path, "sh", "-c", "exec <&-; echo done", stdin=b"x" * 1_000_000)

    assert (found.code, found.text) == (0, "done\n")


@pytest.mark.parametrize(
    ("argv", "code", "text"),
    [
        (("no-such-program-here",), 127, "no-such-program-here: No such file or directory\n"),
        (("/dev/null",), 126, "/dev/null: Permission denied\n"),
    ],
)  # fmt: skip
def test_a_program_that_cannot_be_started_ends_as_in_a_shell(
    tmp_path: Path, argv: tuple[str, ...], code: int, text: str
) -> None:
    found = done(tmp_path, *argv)

    assert (found.code, found.text) == (code, text)


def test_a_signal_that_ends_it_is_told(tmp_path: Path) -> None:
    found = done(tmp_path, "sh", "-c", "kill -SEGV $$")

    assert (found.code, found.signal) == (None, signal.SIGSEGV)


def test_it_knows_nothing_of_our_environment_and_has_no_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "s3cret")
    monkeypatch.setenv("INTERLOCK_TOKEN", "s3cret")
    home = tmp_path / "home"
    found = done(tmp_path, "sh", "-c", "env; ulimit -c; ls -d $TMPDIR; ls /proc/self/fd")

    lines = found.text.splitlines()
    around = dict(line.split("=", 1) for line in lines if "=" in line)
    assert set(around) <= {
        "PATH", "LANG", "TERM", "HOME", "TMPDIR", "GIVEN", "CONTAINED_RUN", "PWD",
    }  # fmt: skip
    assert (around["HOME"], around["TERM"], around["GIVEN"]) == (str(home), "dumb", "yes")
    assert "0" in lines
    assert str(home / "tmp") in lines
    # ls itself opens a folder: the way to the worker is not among what it has.
    assert lines[-4:] == ["0", "1", "2", "3"]


@LINUX
def test_it_gains_no_rights(tmp_path: Path) -> None:
    found = done(tmp_path, "grep", "NoNewPrivs", "/proc/self/status")

    assert found.text.split() == ["NoNewPrivs:", "1"]


def test_a_flood_is_cut_and_takes_no_memory(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = done(
        tmp_path, "sh", "-c", "yes äöü | head -c 100000000; echo; echo end", output_max=100_000
    )

    assert (found.code, found.is_cut) == (0, True)
    assert found.text.endswith("\nend\n")
    assert len(found.text.encode()) <= 100_000
    assert "\ufffd" not in found.text[:1000]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000


def test_one_that_never_ends_is_ended_at_its_deadline(tmp_path: Path) -> None:
    found = done(tmp_path, "sh", "-c", "echo begun; exec sleep 600", deadline_s=0.5)

    assert (found.code, found.signal, found.timed_out) == (None, signal.SIGTERM, True)
    assert (found.text, found.seconds < 10) == ("begun\n", True)


def test_one_that_says_all_is_well_after_its_deadline_is_not_believed(tmp_path: Path) -> None:
    found = done(tmp_path, "sh", "-c", "trap 'exit 0' TERM; sleep 600 & wait", deadline_s=0.5)

    assert (found.code, found.timed_out) == (None, True)


def test_one_that_ignores_what_it_is_asked_is_killed(tmp_path: Path) -> None:
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
    found = done(tmp_path, *python(code), deadline_s=0.5)

    assert (found.code, found.signal, found.timed_out) == (None, signal.SIGKILL, True)


def test_one_that_closes_its_output_is_waited_for(tmp_path: Path) -> None:
    found = done(tmp_path, "sh", "-c", "exec >&- 2>&-; sleep 0.3; exit 5")

    assert (found.code, found.text) == (5, "")
    assert found.seconds >= 0.3


@LINUX
@pytest.mark.parametrize("how", [(), ("closed",)], ids=["holds the output", "holds nothing"])
def test_a_daemon_ends_with_the_program(tmp_path: Path, how: tuple[str, ...]) -> None:
    file = tmp_path / "pids"
    found = done(tmp_path, *python(DAEMON, str(file), *how))

    assert found.code == 0
    assert not any(map(is_alive, told(file)))


@LINUX
def test_a_daemon_ends_at_the_deadline(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    found = done(tmp_path, *python(STAYS, str(file), "closed"), deadline_s=3)

    assert found.timed_out
    assert not any(map(is_alive, told(file)))


@LINUX
def test_a_daemon_ends_when_we_are_cancelled(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    argv = python(STAYS, str(file), "closed")

    async def cancel() -> list[int]:
        env = scrubbed(tmp_path, {})
        task = asyncio.create_task(run(argv, folder=tmp_path, env=env, deadline_s=60))
        pids = await asyncio.to_thread(told, file)
        assert all(map(is_alive, pids))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pids

    assert not any(map(is_alive, asyncio.run(cancel())))


WORKER = """
import asyncio, sys
from pathlib import Path
from interlock.worker.process import run, scrubbed
folder = Path(sys.argv[1])
asyncio.run(run(sys.argv[2:], folder=folder, env=scrubbed(folder, {}), deadline_s=60))
"""


@LINUX
def test_a_daemon_ends_when_the_worker_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *sys.path])}
    argv = [*python(WORKER, str(tmp_path)), *python(STAYS, str(file), "closed")]
    worker = subprocess.Popen(argv, env=env)
    pids = told(file)
    worker.kill()
    worker.wait()

    assert are_gone(pids)


@LINUX
def test_a_daemon_ends_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    code = f"{DAEMON}\nimport signal\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(600)\n"
    found = done(tmp_path, *python(code, str(file), "closed"))

    assert (found.code, found.why) == (None, "its supervisor was killed")
    assert found.seconds < 10
    assert are_gone(told(file))


@LINUX
def test_one_that_forks_without_end_is_ended(tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "while True:\n"
        "    if os.fork() == 0:\n"
        "        os.setsid(); time.sleep(600)\n"
        "    time.sleep(0.0002)\n"
    )
    found = done(tmp_path, *python(code), deadline_s=120)

    assert (found.code, found.why) == (None, TOO_MANY)
    assert marked(f"HOME={tmp_path / 'home'}") == []


def test_lines_are_told_while_it_runs(tmp_path: Path) -> None:
    heard: list[str] = []
    file = tmp_path / "go"
    argv = ("sh", "-c", f"echo one; while ! [ -e {file} ]; do sleep 0.02; done; printf 'two'")

    async def watch() -> Ended:
        env = scrubbed(tmp_path, {})

        def hear(line: str) -> None:
            heard.append(line)
            file.touch()

        return await run(argv, folder=tmp_path, env=env, deadline_s=20, on_text=hear)

    assert asyncio.run(watch()).text == "one\ntwo"
    assert heard == ["one", "two"]


def test_whatever_bytes_come_there_are_lines_of_text() -> None:
    heard: list[str] = []
    tail = Tail(10, heard.append)
    for piece in ("ä".encode()[:1], "ä".encode()[1:] + b"\r\nb\0c\xff", b"\n" + b"x" * LINE_MAX):
        tail.take(piece)
    tail.take(b"yz")
    tail.close()

    assert heard == ["ä", "b\ufffdc\ufffd", "x" * LINE_MAX + "yz"]
    assert (tail.text(), tail.is_cut) == ("xxxxxxxxyz", True)
