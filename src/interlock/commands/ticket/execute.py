"""Taking in reports of execution: each is judged, and becomes the machine's event.

A report that is good names the outcome of its phase. One that is not there yet is an attempt that
is counted; one that ends it is a failure. What is filed is what was reported, with our verdict.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, cast

from interlock.commands.ticket.band import crowded
from interlock.commands.ticket.desk import Desk
from interlock.commands.ticket.outcome import AGAIN, FAIL, Taken
from interlock.commands.ticket.words import documents_of
from interlock.service.order import Kept, Reply
from interlock.store.rows import dump
from interlock.ticketing import canonical
from interlock.ticketing.checked import Json, rows, text, texts
from interlock.ticketing.execution import judge, preflight, setup_plan
from interlock.ticketing.execution.judge import Verdict
from interlock.workflows.ticket.bead import FINAL_REASONS

NOTE_MAX: Final = 2_000


def _failed(answer: Json, verdict: Verdict, texts_: dict[str, str], code: str = "") -> Taken:
    """Return a report that ends the work of its phase."""
    args: Reply = {"failure": verdict.reason, "reason": verdict.message}
    if code:
        args["code"] = code
    return Taken(answer, args, texts_, verb=FAIL, verdict=verdict)


def _again(answer: Json, verdict: Verdict, texts_: dict[str, str]) -> Taken:
    """Return a report of an attempt that is followed by another one, if any is left."""
    note = text(answer, "note") or verdict.message
    args: Reply = {
        "class": verdict.reason, "failure": verdict.reason, "reason": verdict.message,
        "note": note[:NOTE_MAX],
    }  # fmt: skip
    return Taken(answer, args, texts_, verb=AGAIN, verdict=verdict)


def _filed(desk: Desk, name: str, report: Json, verdict: Verdict) -> dict[str, str]:
    """Return a report as it is filed: JSON, with which attempt it is and what we make of it."""
    told = {**report, "attempt": desk.attempt, "verdict": verdict._asdict()}
    return {name: dump(told)}


async def _check(desk: Desk, answer: Json, _: int) -> Taken:
    report = judge.read("check", answer)
    beads = await desk.document("beads")
    own = list(preflight.own_checks(beads, desk.tree, tuple(documents_of(desk.unit))))
    own.append(preflight.check_row("band", await crowded(desk), "There is room in the project."))
    checks = [*rows(report, "checks"), *own]
    verdict = preflight.judged(checks)
    filed = _filed(desk, "preflight_report", {"checks": checks}, verdict)
    if not verdict.is_good:
        return _failed({"checks": checks}, verdict, filed)
    return Taken({"checks": checks}, {"outcome": "CHECKS_PASSED"}, filed, verdict=verdict)


async def _plan(desk: Desk, answer: Json, _: int) -> Taken:
    made = canonical.write(setup_plan.document(answer, desk.unit.id))
    args: Reply = {"outcome": "EXECUTION_SETUP_PLAN_READY", "digest": canonical.digest(made)}
    return Taken(answer, args, {setup_plan.NAME: made})


async def _prepare(desk: Desk, answer: Json, _: int) -> Taken:
    report = judge.read("prepare", answer)
    plan = await desk.document(setup_plan.NAME)
    verdict = judge.prepared(report, plan)
    filed = _filed(desk, "execution_setup_report", report, verdict)
    if not verdict.is_good:
        return _again(report, verdict, filed)
    commands = [one for step in rows(plan, "steps") for one in texts(step, "commands")]
    probes = [text(one, "command") for one in rows(plan, "probes")]
    profile = {"commands": commands, "probes": probes, "added": texts(report, "added")}
    filed["execution_setup_profile"] = canonical.write(profile)
    return Taken(report, {"outcome": "EXECUTION_SETUP_READY"}, filed, verdict=verdict)


async def _code(desk: Desk, answer: Json, _: int) -> Taken:
    report = judge.read("code", answer)
    row = await desk.bead()
    green = await desk.green()
    bead = judge.Bead(text(row, "id"), texts(row, "test_commands"), green is not None)
    verdict = judge.built(report, bead, text(desk.tree, "head"))
    digest = Kept("answer", dump(dict(report)).encode()).digest
    if verdict.is_good:
        commit = text(report, "commit")
        more: Reply = {"tree": {**desk.tree, "head": commit}}
        own: Reply = {"commit": commit, "report": digest}
        return Taken(report, {}, {}, more, own, verdict=verdict)
    args: Reply = {
        "reason": verdict.reason, "note": (text(report, "note") or verdict.message)[:NOTE_MAX],
        "message": f"{bead.id}: {verdict.message}",
    }  # fmt: skip
    if judge.is_green_but_uncommitted(report, bead):
        args["green"] = {"tree": text(report, "tree"), "parent": text(desk.tree, "head")}
    if verdict.reason in FINAL_REASONS:
        args["code"] = verdict.reason.upper()
    return Taken(report, args, own={"report": digest}, verb=FAIL, verdict=verdict)


async def _test(desk: Desk, answer: Json, _: int) -> Taken:
    report = judge.read("test", answer)
    verdict = judge.tested(report, text(desk.tree, "head"))
    filed = _filed(desk, "final_test_report", report, verdict)
    if not verdict.is_good:
        return _again(report, verdict, filed)
    head = text(report, "commit") or text(desk.tree, "head")
    more: Reply = {"tree": {**desk.tree, "head": head}}
    return Taken(report, {"outcome": "TESTS_PASSED"}, filed, more, verdict=verdict)


async def _integrate(desk: Desk, answer: Json, _: int) -> Taken:
    report = judge.read("integrate", answer)
    judge.on_head(report, "before", text(desk.tree, "head"))
    filed = _filed(desk, "integration_report", report, judge.GOOD)
    tree = {**desk.tree, "candidate": text(report, "candidate")}
    tree["merge_base"] = text(report, "merge_base")
    return Taken(report, {"outcome": "INTEGRATION_DONE"}, filed, {"tree": tree}, verdict=judge.GOOD)


async def _publish(desk: Desk, answer: Json, _: int) -> Taken:
    report = judge.read("publish", answer)
    judge.published(report, text(desk.tree, "candidate"))
    filed = _filed(desk, "pull_request_report", report, judge.GOOD)
    names = ("number", "url", "state", "head", "base", "title")
    more: Reply = {"pull_request": {name: report[name] for name in names}}
    return Taken(report, {"outcome": "PULL_REQUEST_READY"}, filed, more, verdict=judge.GOOD)


async def _merge(desk: Desk, answer: Json, _: int) -> Taken:
    report = judge.read("merge", answer)
    verdict = judge.merged(report)
    filed = _filed(desk, "merge_report", report, verdict)
    if not verdict.is_good:
        return _failed(report, verdict, filed, "MERGE_FAILED")
    return Taken(
        report, {"outcome": "MERGE_COMPLETE"}, filed, merged_request(desk.fields), verdict=verdict
    )


def merged_request(fields: Mapping[str, object]) -> Reply:
    """Return the pull request of a ticket as it stands once it is merged."""
    known = cast("Json", fields["pull_request"] or {})
    return {"pull_request": {**known, "state": "merged"}}


async def _clean(desk: Desk, answer: Json, _: int) -> Taken:
    report = judge.read("clean", answer)
    filed = _filed(desk, "cleanup_report", report, judge.GOOD)
    return Taken(report, {"outcome": "CLEANUP_DONE"}, filed, verdict=judge.GOOD)


async def _restore(desk: Desk, answer: Json, _: int) -> Taken:
    report = judge.read("restore", answer)
    args: Reply = {"outcome": "RETRY"}
    if report.get("finalise") is True and await desk.green() is not None:
        args["finalise"] = True
    return Taken(report, args, verdict=judge.GOOD)


Takes = Callable[[Desk, Json, int], Awaitable[Taken]]

TAKES: Final[Mapping[str, Takes]] = {
    "check": _check,
    "plan": _plan,
    "prepare": _prepare,
    "code": _code,
    "test": _test,
    "integrate": _integrate,
    "publish": _publish,
    "merge": _merge,
    "clean": _clean,
    "restore": _restore,
}
"""What is done with what is handed in for each task of execution."""
