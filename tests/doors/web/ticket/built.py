"""Tickets in their second half: brought there by a worker's reports, as pages show them."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from tests import reports
from tests.doors.web.ticket.scenes import approve, approving
from tests.stage import PAT, Stage
from tests.tickets import claim, phase_of

Told = dict[str, Any]
Says = Callable[[Told], Told]

_LINES: Final = (
    "diff --git a/shop.py b/shop.py", "index 1111111..2222222 100644",
    "--- a/shop.py", "+++ b/shop.py", "@@ -1,3 +1,4 @@",
    " def sell(fruit):", "-    return None", '+    """Sell a fruit."""',
    '+    return f"sold {fruit}"  # 1 apple', " ",
    "diff --git a/test_shop.py b/test_shop.py", "new file mode 100644",
    "--- /dev/null", "+++ b/test_shop.py", "@@ -0,0 +1,2 @@",
    "+def test_sell():", '+    assert sell("apple") == "sold apple"', "",
)  # fmt: skip
DIFF: Final = "\n".join(_LINES)
FILES: Final = (
    {"path": "shop.py", "status": "modified", "added": 2, "removed": 1},
    {"path": "test_shop.py", "status": "added", "added": 2, "removed": 0},
)
CHANGED: Final = {"files": list(FILES), "diff": DIFF, "diff_cut": False}
CHECKS: Final = {
    "checks": [
        {"name": "git", "category": "tree", "result": "pass", "message": "It is clean."},
        {"name": "forge", "category": "forge", "result": "warning", "message": "It is slow."},
    ]
}
PLAN: Final[Told] = {
    "summary": "A virtual environment with pytest.",
    "readiness": {"status": "partial", "actions_required": True, "evidence": ["pyproject.toml"],
                  "gaps": ["no environment"]},
    "steps": [{"id": "venv", "title": "Make an environment", "purpose": "Tests need one.",
               "commands": ["python -m venv .venv"], "required": True,
               "rationale": "It is kept out of git.", "cautions": ["It takes a minute."]}],
    "probes": [{"id": "pytest", "command": "pytest --version", "purpose": "Tests can be run."}],
    "project_commands": {"prepare": [], "test_full": ["pytest"], "lint_full": [],
                         "typecheck_full": []},
    "cautions": ["Nothing is downloaded."],
}  # fmt: skip
USAGE: Final = {
    "tokens_in": 80_000, "tokens_out": 10_000, "cost_micros": 1_230_000, "seconds": 600,
}  # fmt: skip
BUDGET: Final = {"tokens": 100_000, "cost_micros": 5_000_000, "seconds": 36_000}
TASK: Final[Told] = {
    "bead": {"id": "sell-apples", "test_commands": ["pytest"]}, "tree": {"head": reports.BASE},
}  # fmt: skip


def run(command: str = "pytest", code: int | None = 0, output: str = "2 passed") -> Told:
    """Return a run of a command."""
    return {**reports.run(command, code), "output": output, "seconds": 1.25}


def report(task: Told = TASK, **more: object) -> Told:
    """Return the report of an attempt at a bead that went well."""
    runs = [run(one) for one in task["bead"]["test_commands"]]
    return reports.code(task, **{**CHANGED, "runs": runs, **more})


def failed(task: Told = TASK, note: str = "Two tests fail.", **more: object) -> Told:
    """Return the report of an attempt that failed by its tests."""
    runs = [run("ruff check ."), run("pytest", 1, "FAILED test_shop.py::test_sell\n1 failed")]
    told = {"status": "failed", "reason": "tests_failed", "note": note, "runs": runs}
    return report(task, **{**told, "commit": "", **more})


def _prepared(_: Told) -> Told:
    runs = [run("python -m venv .venv", output=""), run("pytest --version")]
    return {"status": "ready", "runs": runs, "added": [], "dirty": [], "note": ""}


def _tested(task: Told) -> Told:
    told = reports.final(task)
    return {**told, "answer": {**told["answer"], "summary": "All of it was tried."}}


def _published(task: Told) -> Told:
    told = {"url": "https://forge.example/shop/7", "body": "## Why\n\nPeople want **apples**."}
    return {**reports.publish(task), **told}


def _cleaned(_: Told) -> Told:
    return {
        "status": "warning", "removed": ["runtime"], "kept": ["vault.git"],
        "errors": ["runtime is busy"],
    }  # fmt: skip


SAID: Final[Mapping[str, Says]] = {
    **reports.REPORTS,
    "check": lambda _: dict(CHECKS),
    "plan": lambda _: dict(PLAN),
    "prepare": _prepared,
    "code": report,
    "test": _tested,
    "integrate": lambda task: {**reports.integrate(task), **CHANGED},
    "publish": _published,
    "clean": _cleaned,
}
"""What a worker says where a page shows it."""


async def reported(
    stage: Stage, name: str, say: Says | None = None, usage: Told | None = None
) -> Told:
    """Have the next work of a ticket done; return it."""
    part = await claim(stage, name)
    task = part["task"]
    said = (say or SAID[task["task"]])(task)
    told: Told = {"part_id": part["part_id"], "lease": part["lease"]["token"], "answer": said}
    await stage.call("submit_work", **told | ({} if usage is None else {"usage": usage}))
    return part


async def checking(stage: Stage) -> str:
    """Return a ticket whose readiness is checked."""
    name = await approving(stage, "beads")
    await approve(stage, name)
    assert await phase_of(stage, name) == "PRE_FLIGHT_CHECK"
    return name


async def planned(stage: Stage) -> str:
    """Return a ticket whose setup plan waits for approval."""
    name = await checking(stage)
    await reported(stage, name)
    await reported(stage, name)
    return name


async def prepared(stage: Stage) -> str:
    """Return a ticket whose beads can be built, and that has a budget."""
    name = await planned(stage)
    await approve(stage, name)
    await stage.call("raise_budget", PAT, ticket_id=name, **BUDGET)
    await reported(stage, name, usage=USAGE)
    return name


async def coding(stage: Stage) -> str:
    """Return a ticket whose first bead was tried twice; the second can be built."""
    name = await prepared(stage)
    await reported(stage, name, failed)
    await stage.pass_ms(60_000)
    await reported(stage, name)
    return name


async def stuck(stage: Stage) -> str:
    """Return a ticket whose first bead has failed as often as it may."""
    name = await prepared(stage)
    for number in range(5):
        await reported(stage, name, partial(failed, note=f"Attempt {number + 1} fails."))
    assert await phase_of(stage, name) == "BLOCKED_ERROR"
    return name


async def reviewing(stage: Stage) -> str:
    """Return a ticket whose pull request waits."""
    name = await coding(stage)
    for _ in range(4):
        await reported(stage, name)
    assert await phase_of(stage, name) == "WAITING_PR_REVIEW"
    return name


async def working(stage: Stage) -> str:
    """Return a ticket whose second bead is built right now, by somebody who tells about it."""
    name = await coding(stage)
    part = await claim(stage, name)
    lines = [
        {"at": stage.engine.store.now(), "stream": "out", "text": f"line {number}"}
        for number in range(1, 13)
    ]
    lease = part["lease"]["token"]
    await stage.call("append_log", part_id=part["part_id"], lease=lease, lines=lines)
    return name


async def delivered(stage: Stage) -> str:
    """Return a ticket that is done: its pull request was merged."""
    name = await reviewing(stage)
    await stage.call("merge", PAT, ticket_id=name)
    await reported(stage, name)
    await reported(stage, name)
    assert await phase_of(stage, name) == "COMPLETED"
    return name
