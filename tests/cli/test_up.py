"""``interlock up``: everything on one port of this machine, told so that it can be used at once."""

import json
import os
import pty
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from interlock.config import Settings
from tests.cli.home import Home
from tests.cli.test_browser import Browser, browser
from tests.doors.mcp.clients import command, environment
from tests.forking import PIPE, Process

ALONE = {"INTERLOCK_WORKER": "no"}
"""What is tried here needs no worker beside it; ``test_beside`` tries those."""


@contextmanager
def up(folder: Path, *words: str, **around: str) -> Iterator[Process]:
    """Start it; whatever happens it is gone at the end."""
    line = command(folder, "up", *words)
    told = environment() | ALONE | around
    with Process(line, told, stdout=PIPE, stderr=PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def document(process: Process) -> dict[str, Any]:
    """Read the one document that is printed."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line.startswith("}"):
            break
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def port_of(found: dict[str, Any]) -> int:
    return int(found["url"].rpartition(":")[2])


def test_one_document_says_all_that_is_needed(tmp_path: Path) -> None:
    with up(tmp_path, "--port", "0", "--json") as process:
        found = document(process)
        secret = Path(found["token_file"]).read_text().strip()
        headers = {"Authorization": f"Bearer {secret}"}
        rest = httpx2.get(found["rest"] + "/whoami", headers=headers, timeout=30)
        ready = httpx2.get(found["url"] + "/readyz", timeout=30)
        second = command(tmp_path, "up", "--json")
        again = Process(second, environment(), stdout=PIPE, stderr=PIPE)
        told_again, _ = again.communicate(60)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0

    assert (rest.status_code, ready.status_code) == (200, 200)
    assert found["data"] == str(tmp_path)
    assert f"{found['url']}/mcp" in found["claude"]
    assert secret not in json.dumps(found)
    assert found["is_new"] is True
    # The second one points at the first.
    assert again.returncode == 0
    told = json.loads(told_again)
    page = told.pop("page")
    assert told == {"url": found["url"], "data": str(tmp_path), "is_new": False}
    # A link is good once, so there are two.
    assert {page.partition("/login/")[0], found["page"].partition("/login/")[0]} == {found["url"]}
    assert page != found["page"]
    assert not (tmp_path / "server.json").exists()


def test_people_read_a_few_lines(tmp_path: Path) -> None:
    with up(tmp_path, "--port", "0") as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(6)]

    assert lines[0].startswith("interlock is up at http://127.0.0.1:")
    names = [line.split()[0] for line in lines[1:]]
    assert names == ["open", "data", "Claude", "token", "stop"]
    assert len({line.index(line.split()[1]) for line in lines[1:]}) == 1


def test_it_listens_on_loopback_whatever_is_set(tmp_path: Path) -> None:
    with up(tmp_path, "--port", "0", "--json", INTERLOCK_HOST="0.0.0.0") as process:  # noqa: S104 (as said)
        found = document(process)
        rows = Path("/proc/net/tcp").read_text().splitlines()

    listens = [row.split()[1] for row in rows[1:] if row.split()[3] == "0A"]
    assert f"0100007F:{port_of(found):04X}" in listens
    assert f"00000000:{port_of(found):04X}" not in listens


def test_a_port_that_was_chosen_and_is_taken_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with up(tmp_path, "--port", port) as process:
            _, said = process.communicate(timeout=30)

    assert process.returncode == 2
    assert said.startswith("CANNOT_LISTEN ")


def test_where_the_usual_port_is_taken_a_free_one_is_chosen_with_a_notice(tmp_path: Path) -> None:
    usual = Settings(tmp_path).port
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", usual))
            taken.listen()
        except OSError:
            pass  # somebody else has it, which is as good
        with up(tmp_path, "--json") as process:
            found = document(process)
            assert httpx2.get(found["url"] + "/healthz", timeout=30).status_code == 200
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=30)

    assert port_of(found) != usual
    assert f"127.0.0.1:{usual} cannot be listened on" in said
    assert found["page"].startswith(found["url"])


SCREENLESS = ("CI", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY", "DISPLAY", "WAYLAND_DISPLAY")


@contextmanager
def at_a_terminal(
    folder: Path, one: Browser, *words: str, **around: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Start it as a person does, before a terminal; whatever happens it is gone at the end."""
    told = {name: value for name, value in environment().items() if name not in SCREENLESS}
    told |= {"BROWSER": one.command, **ALONE, **around}
    ours, theirs = pty.openpty()
    line = command(folder, "up", "--port", "0", *words)
    with subprocess.Popen(line, env=told, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        try:
            process.stdout = os.fdopen(ours, "rb", closefd=False)
            yield process
        finally:
            process.kill()
            os.close(ours)


def said(process: subprocess.Popen[bytes], last: str) -> str:
    """Read what a terminal shows, up to a line that begins with a word."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line.decode()
        if line.decode().strip().startswith(last):
            break
    return text


def test_before_a_terminal_the_page_is_opened(tmp_path: Path) -> None:
    with browser(tmp_path) as one, at_a_terminal(tmp_path, one) as process:
        url = one.opened()
        assert url in said(process, "open").split()
        page = httpx2.get(url, timeout=30)
        with at_a_terminal(tmp_path, one) as second:
            again = one.opened()
            assert "interlock is up already" in said(second, "open")
            assert second.wait(60) == 0

    assert (page.status_code, "Log in with this link" in page.text) == (200, True)
    assert again.partition("/login/")[0] == url.partition("/login/")[0]
    assert again != url


def test_nothing_is_opened_where_nobody_looks_or_nobody_wants_it(tmp_path: Path) -> None:
    with browser(tmp_path) as one:
        for words, around in (
            (("--no-open",), {}), (("--json",), {}), ((), {"CI": "true"}),
            ((), {"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}),
        ):  # fmt: skip
            with at_a_terminal(tmp_path, one, *words, **around) as process:
                said(process, "}" if words == ("--json",) else "stop")
                process.send_signal(signal.SIGINT)
                process.wait(60)
        with up(tmp_path, "--port", "0", BROWSER=one.command, DISPLAY=":0") as process_piped:
            assert process_piped.stdout is not None
            for _ in range(6):
                process_piped.stdout.readline()
            process_piped.send_signal(signal.SIGINT)
            process_piped.wait(60)

        assert one.is_untouched()


def test_a_browser_that_cannot_be_opened_changes_nothing(tmp_path: Path) -> None:
    with up(tmp_path, "--port", "0", "--json", "--open", BROWSER="/nowhere/at/all") as process:
        found = document(process)
        assert httpx2.get(found["url"] + "/readyz", timeout=30).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_links_of_the_command_line_lead_to_the_server_that_runs(tmp_path: Path) -> None:
    home = Home(tmp_path)
    plan = home.plan()
    step, lease = home.claim(plan)
    with up(tmp_path, "--port", "0", "--json") as process:
        found = document(process)
        link = home.ask("login-link").out
        review = (
            "plan",
            "review",
            step,
            "--lease",
            lease,
            "--summary",
            "look",
            "--question",
            "so?",
        )
        told = home.told(*review)

    assert link.startswith(found["url"] + "/login/")
    assert f"{found['url']}/gates/" in json.dumps(told)
