"""Ask the command line: inside of this process, for speed, or as a command of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from io import StringIO
from unittest.mock import patch

import typer.main

from interlock.cli.main import run
from interlock.workflows.built_in import BUILT_IN, BuiltIn
from interlock.workflows.plan.scope import scope
from interlock.workflows.plan.workflow import WORKFLOW
from tests.forking import PIPE, Process

UNFINISHED = replace(WORKFLOW, lifts=tuple(x for x in WORKFLOW.lifts if x.fire != "finish"))
UNSOUND = {"plan": BuiltIn(UNFINISHED, lambda n: scope(n, UNFINISHED), "steps", usual=1, most=5)}
"""The built-in workflows with a hole: a plan whose steps are all settled is never completed."""

BUILT_ONCE = patch.object(typer.main, "get_command", cache(typer.main.get_command))
"""The commands as typer builds them, but not anew for each: that takes longer than most of them."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


def ask(*words: str) -> Said:
    """Run the command line in this process."""
    out, err = StringIO(), StringIO()
    code = 0
    argv = patch.object(sys, "argv", ["interlock", *words])
    with argv, BUILT_ONCE, redirect_stdout(out), redirect_stderr(err):
        try:
            run()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
    return Said(code, out.getvalue(), err.getvalue())


def start(*words: str, **environment: str) -> Said:
    """Run the command line as a process of its own."""
    line = [sys.executable, "-m", "interlock", *words]
    process = Process(line, {**os.environ, **environment}, stdout=PIPE, stderr=PIPE)
    out, err = process.communicate(120)
    return Said(process.wait(), out, err)


def start_anew(*words: str, **environment: str) -> Said:
    """Do the same with one that has to load the program first, as everybody's does."""
    return _process([sys.executable, "-m", "interlock", *words], environment)


def start_unsound(*words: str) -> Said:
    """Run it as a process whose plan has a hole: every built-in workflow is sound."""
    program = (
        "from interlock.cli import bounds, main\n"
        "from tests.cli.terminal import UNSOUND\n"
        "bounds.BUILT_IN = UNSOUND\n"
        "main.run()\n"
    )
    return _process([sys.executable, "-c", program, *words], {})


def _process(command: list[str], environment: Mapping[str, str]) -> Said:
    told = {**os.environ, "PYTHONUTF8": "1", **environment}
    done = subprocess.run(command, capture_output=True, check=False, env=told, timeout=120)
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


def names() -> tuple[str, ...]:
    """Return the names of the built-in workflows."""
    return tuple(BUILT_IN)
