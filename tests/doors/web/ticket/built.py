"""Tickets in their second half: brought there by reports of a worker, in the shape of the real ones."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from interlock.service.order import Asked, Filled, Kept, Order, Result
from interlock.service.run import advance
from interlock.service.work import next_work
from interlock.store.port import Filter
from interlock.ticketing import canonical
from tests.doors.web.ticket.scenes import approve, approving
from tests.stage import ADA, PAT, Stage
from tests.tickets import phase_of

Told = dict[str, Any]
BASE: Final = "1" * 40
CANDIDATE: Final = "c" * 40
MERGED: Final = "d" * 40
SITE: Final = ""

DIFF: Final = """\
diff --git a/shop.py b/shop.py
index 1111111..2222222 100644
--- a/shop.py
+++ b/shop.py
@@ -1,3 +1,4 @@
 def sell(fruit):
-    return None
+    \"\"\"Sell a fruit.\"\"\"
+    return f"sold {fruit}"  # 1 apple
 
diff --git a/test_shop.py b/test_shop.py
new file mode 100644
--- /dev/null
+++ b/test_shop.py
@@ -0,0 +1,2 @@
+def test_sell():
+    assert sell("apple") == "sold apple"
"""
FILES: Final = (
    {"path": "shop.py", "status": "modified", "added": 2, "removed": 1},
    {"path": "test_shop.py", "status": "added", "added": 2, "removed": 0},
)
PLAN: Final[Told] = {
    "schema_version": 1, "artifact": "execution_setup_plan",
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


def run(command: str = "pytest", code: int | None = 0, output: str = "2 passed") -> Told:
    """Return a run of a command."""
    return {
        "command": command, "exit_code": code, "timed_out": False, "seconds": 1.25,
        "output": output, "output_cut": False,
    }  # fmt: skip


def report(status: str = "done", **more: object) -> Told:
    """Return the report of an attempt at a bead."""
    told: Told = {
        "bead_id": "sell-apples", "status": status, "reason": "", "note": "", "answer": {},
        "runs": [run()], "parent": BASE, "commit": "a" * 40, "tree": "b" * 40,
        "files": list(FILES), "diff": DIFF, "diff_cut": False, "refused": [], "usage": {},
    }  # fmt: skip
    return told | more


def failed(note: str = "Two tests fail.", **more: object) -> Told:
    """Return the report of an attempt that failed by its tests."""
    runs = [run("ruff check ."), run("pytest", 1, "FAILED test_shop.py::test_sell\n1 failed")]
    return report("failed", reason="tests_failed", note=note, runs=runs, commit="", **more)


CHECKS: Final = {
    "checks": [
        {"name": "graph", "category": "beads", "result": "pass", "message": "No cycle."},
        {"name": "forge", "category": "forge", "result": "warning", "message": "It is slow."},
    ]
}
PULL: Final = {
    "number": 7, "url": "https://forge.example/shop/7", "state": "draft", "head": CANDIDATE,
    "base": "main", "title": "Sell apples", "body": "## Why\n\nPeople want **apples**.",
}  # fmt: skip
PAPERS: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "check": ("CHECKS_PASSED", {"preflight_report": CHECKS}),
    "plan": ("EXECUTION_SETUP_PLAN_READY", {"execution_setup_plan": PLAN}),
    "prepare": ("EXECUTION_SETUP_READY", {"execution_setup_report": {
        "status": "ready", "runs": [run("python -m venv .venv", output="")], "added": [],
        "dirty": [], "note": ""}}),
    "test": ("TESTS_PASSED", {"final_test_report": {
        "status": "passed", "answer": {"summary": "All of it was tried."}, "runs": [run()],
        "files": [], "diff": "", "diff_cut": False, "note": ""}}),
    "integrate": ("INTEGRATION_DONE", {"integration_report": {
        "candidate": CANDIDATE, "merge_base": BASE, "before": "a" * 40, "commits": [],
        "files": list(FILES), "diff": DIFF, "diff_cut": False}}),
    "publish": ("PULL_REQUEST_READY", {"pull_request_report": PULL}),
    "merge": ("MERGE_COMPLETE", {"merge_report": {
        "merged": True, "merge_commit": MERGED, "base_head": MERGED, "by": "interlock"}}),
    "clean": ("CLEANUP_DONE", {"cleanup_report": {
        "status": "warning", "removed": ["tree"], "kept": ["vault.git"],
        "errors": ["runtime is busy"]}}),
    "restore": ("RETRY", {}),
}  # fmt: skip
"""By task the outcome that a good report comes to, and what is filed."""


async def taken(stage: Stage, name: str) -> Told:
    """Take the next work of a ticket."""
    who = replace(ADA, tenant=tenant_of(stage))

    def word(result: Result) -> Told:
        row = result.done[0].part
        assert row is not None
        assert result.unit.id == name
        return {"part_id": row.id, "fields": dict(row.part.fields), "lease": result.lease(row)}

    found = await next_work(stage.engine, who, Filter("ticket"), word)
    assert found is not None
    return dict(found.reply)


async def reported(
    stage: Stage, name: str, papers: Mapping[str, object] | None = None, **more: object
) -> Told:
    """Have the next assignment done; ``papers`` are other documents than usual."""
    part = await taken(stage, name)
    task = str(part["fields"]["task"])
    outcome, usual = PAPERS[task]
    texts = {one: canonical.write(dict(told)) for one, told in (papers or usual).items()}
    args: Told = {"outcome": outcome}
    if task == "plan":
        args["digest"] = canonical.digest(texts["execution_setup_plan"])
    await _hand_in(stage, name, part, "submit", args, texts, more)
    return part


async def attempted(stage: Stage, name: str, said: Mapping[str, object], **more: object) -> Told:
    """Have the next bead tried once."""
    part = await taken(stage, name)
    is_done = said["status"] == "done"
    kept = (Kept("attempt", json.dumps(said).encode()),)
    args = {} if is_done else {"reason": said["reason"], "note": said["note"]}
    await _hand_in(stage, name, part, "submit" if is_done else "fail", args, {}, more, kept)
    return part


async def _hand_in(
    stage: Stage,
    name: str,
    part: Told,
    verb: str,
    args: Told,
    texts: Mapping[str, str],
    more: Mapping[str, object],
    kept: Sequence[Kept] = (),
) -> None:
    """Apply a report as the server does: what it is judged to be, and what is filed, at once."""
    row = (await stage.whole(name, tenant_of(stage))).row
    held = dict(row.unit.fields["documents"] or {})  # type: ignore[call-overload]  # by name a digest
    filed = tuple(Kept(one, text.encode(), "application/yaml") for one, text in texts.items())
    held |= {one.name: one.digest for one in filed}
    fields = {"documents": held, **more}
    asked = Asked(
        part=part["part_id"], verb=verb, args=args, lease=part["lease"]["token"],
        kept=tuple(kept), also=(Filled(name, fields, filed),),
    )  # fmt: skip
    actor = ADA.actor()
    await advance(stage.engine, Order(tenant_of(stage), actor, name, (asked,), lambda _: {}))


def tenant_of(stage: Stage) -> str:
    """Return whose tickets these are."""
    owner = getattr(stage, "owner", PAT)
    return str(owner.tenant)


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


SPENT: Final = {
    "budget": {"tokens": 100_000, "cost_micros": 5_000_000, "seconds": 36_000, "attempts": None},
    "spent": {"tokens": 90_000, "cost_micros": 1_230_000, "seconds": 600, "attempts": 3},
    "tree": {"branch": "ticket/sell-apples", "base_commit": BASE, "head": BASE, "candidate": ""},
}  # fmt: skip


async def coding(stage: Stage) -> str:
    """Return a ticket whose beads are built: the first was tried twice, the second is under way."""
    name = await planned(stage)
    await approve(stage, name)
    await reported(stage, name, **SPENT)
    await attempted(stage, name, failed())
    await stage_later(stage)
    await attempted(stage, name, report())
    return name


async def stage_later(stage: Stage) -> None:
    """Let a minute pass, where the clock stands still."""
    if hasattr(stage.clock, "pass_ms"):
        await stage.pass_ms(60_000)


async def stuck(stage: Stage) -> str:
    """Return a ticket whose first bead has failed as often as it may."""
    name = await planned(stage)
    await approve(stage, name)
    await reported(stage, name, **SPENT)
    for number in range(5):
        await attempted(stage, name, failed(f"Attempt {number + 1} fails."))
    assert await phase_of(stage, name) == "BLOCKED_ERROR"
    return name


async def reviewing(stage: Stage) -> str:
    """Return a ticket whose pull request waits."""
    name = await coding(stage)
    await attempted(stage, name, report(bead_id="count-apples"))
    for _ in range(3):
        await reported(stage, name)
    assert await phase_of(stage, name) == "WAITING_PR_REVIEW"
    return name


async def working(stage: Stage) -> str:
    """Return a ticket whose second bead is built right now, by somebody who tells about it."""
    name = await coding(stage)
    part = await taken(stage, name)
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
    asked = Asked("merge")
    await advance(stage.engine, Order(tenant_of(stage), PAT.actor(), name, (asked,), lambda _: {}))
    await reported(stage, name)
    await reported(stage, name)
    assert await phase_of(stage, name) == "COMPLETED"
    return name
