"""The judgement of reports: what was really shown, whatever the report or the model calls it.

A command counts as passed when its run is there and ended with 0. A report that calls itself done
is not believed where a run is missing or red; one that calls itself failed is. Whatever builds on
another commit than the ticket's head is refused, not judged.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from interlock.errors import InterlockError
from interlock.ticketing.answer import Wrong, check, refuse, told
from interlock.ticketing.checked import Json, part, rows, text, texts
from interlock.ticketing.execution.answers import CHECKS, CODE, TEST
from interlock.ticketing.execution.reports import REPORTS
from interlock.ticketing.execution.setup_plan import needed

TOLD_MAX: Final = 200
NOTE_MAX: Final = 2_000


class HeadMoved(InterlockError):
    """What is reported builds on another commit than the one the ticket is at."""

    code = "HEAD_MOVED"
    http = 409

    def __init__(self, parent: str, head: str) -> None:
        """Tell both commits."""
        message = f"The report builds on {parent or 'nothing'}; the ticket is at {head or 'none'}."
        fix = "Put the change on the ticket's head and report again, or report a failed attempt."
        super().__init__(message, fix=fix)
        self.details = {"head": head, "parent": parent}


class Verdict(NamedTuple):
    """What a report comes to: the class of a failure as ``reason``, and in words."""

    is_good: bool
    reason: str = ""
    message: str = ""


GOOD: Final = Verdict(is_good=True)


class Bead(NamedTuple):
    """What of a bead its report is judged by."""

    id: str
    commands: Sequence[str]
    is_finalising: bool = False


def read(task: str, report: object) -> Json:
    """Return a report of a task that fits its schema; raises ``AnswerInvalid``."""
    return check(REPORTS[task], report)


def is_green(run: Json) -> bool:
    """Say whether a run ended well: with 0, by itself, in time."""
    code = run.get("exit_code")
    is_zero = isinstance(code, int) and not isinstance(code, bool) and code == 0
    return is_zero and run.get("timed_out") is not True and not run.get("signal")


def unproven(wanted: Iterable[str], runs: Sequence[Json]) -> str:
    """Say what keeps runs from proving that commands pass, one after the other; empty if nothing.

    Further runs may stand between them; none of all may be red.
    """
    red = next((run for run in runs if not is_green(run)), None)
    if red is not None:
        return f"{_command(red)} {_end(red)}."
    left = iter(runs)
    for command in wanted:
        if not any(text(run, "command") == command.strip() for run in left):
            return f"{_short(command)} was not run, or not in its turn."
    return ""


def _end(run: Json) -> str:
    if run.get("timed_out") is True:
        return "did not end in time"
    if run.get("signal"):
        return f"was ended by signal {run['signal']}"
    code = run.get("exit_code")
    return "has no exit code" if code is None else f"ended with {code}"


def _command(run: Json) -> str:
    return _short(text(run, "command"))


def _short(command: str) -> str:
    return f"“{command[:TOLD_MAX]}{'…' if len(command) > TOLD_MAX else ''}”"


def on_head(report: Json, name: str, head: str) -> None:
    """Raise ``HeadMoved`` unless a report builds on the ticket's head."""
    parent = text(report, name)
    if not head or parent != head:
        raise HeadMoved(parent, head)


# -- beads -------------------------------------------------------------------------------------


def built(report: Json, bead: Bead, head: str) -> Verdict:
    """Judge the report of an attempt at a bead."""
    if text(report, "bead_id") != bead.id:
        refuse((Wrong("$.bead_id", told(bead.id), told(report.get("bead_id"))),))
    if report["status"] != "done":
        reason = text(report, "reason") or "not_done"
        return Verdict(is_good=False, reason=reason, message=_why(report, reason))
    answer = part(report, "answer")
    # Nobody is asked again where a green attempt is only committed.
    verdict = GOOD if bead.is_finalising and not answer else _claimed(answer, bead)
    if not verdict.is_good:
        return verdict
    why = unproven(bead.commands, rows(report, "runs"))
    if why or not bead.commands:
        return Verdict(is_good=False, reason="tests_failed", message=why or "There is no test.")
    on_head(report, "parent", head)
    if text(report, "commit") in ("", head):
        return Verdict(is_good=False, reason="nothing_changed", message="There is no new commit.")
    return GOOD


def _claimed(answer: Json, bead: Bead) -> Verdict:
    """Judge what whoever built a bead says about it: the bead's own name, done, and four passes."""
    found = check(CODE, answer)
    if text(found, "bead_id") != bead.id:
        message = f"The answer is about {told(found['bead_id'])}, not about {bead.id}."
        return Verdict(is_good=False, reason="wrong_bead", message=message)
    checks = part(found, "checks")
    failed = [name for name in CHECKS if checks.get(name) != "pass"]
    if found["status"] != "done" or failed:
        said = text(found, "reason") or f"Not passed: {', '.join(failed) or 'it says error'}."
        return Verdict(is_good=False, reason="not_done", message=said[:NOTE_MAX])
    return GOOD


def is_green_but_uncommitted(report: Json, bead: Bead) -> bool:
    """Say whether an attempt was green and only its commit failed: it can be finished later."""
    is_so = report["status"] == "failed" and report.get("reason") == "commit_failed"
    has_tree = bool(text(report, "tree"))
    runs = rows(report, "runs")
    return is_so and has_tree and bool(bead.commands) and not unproven(bead.commands, runs)


def _why(report: Json, reason: str) -> str:
    red = next((run for run in reversed(rows(report, "runs")) if not is_green(run)), None)
    words = f"{_command(red)} {_end(red)}." if red is not None else reason.replace("_", " ")
    return text(report, "note") or words


# -- phases ------------------------------------------------------------------------------------


def prepared(report: Json, plan: Json) -> Verdict:
    """Judge the report of a setup: what is needed ended well at last, nothing is left over."""
    if report["status"] != "ready":
        return Verdict(is_good=False, reason="setup_failed", message=_why(report, "setup failed"))
    last = {text(run, "command"): run for run in rows(report, "runs")}
    for command in needed(plan):
        run = last.get(command)
        if run is None or not is_green(run):
            how = "was not run" if run is None else _end(run)
            message = f"{_short(command)} {how}."
            return Verdict(is_good=False, reason="setup_failed", message=message)
    dirty = texts(report, "dirty")
    if dirty:
        named = ", ".join(dirty[:5]) + (", …" if len(dirty) > 5 else "")  # noqa: PLR2004  as many as fit a line
        message = f"It leaves changes that would be committed: {named}."
        return Verdict(is_good=False, reason="setup_failed", message=message)
    return GOOD


def tested(report: Json, head: str) -> Verdict:
    """Judge the report of a final test: its own commands, all of them green, on the head."""
    if report["status"] != "passed":
        reason = text(report, "reason") or "tests_failed"
        return Verdict(is_good=False, reason=reason, message=_why(report, reason))
    answer = check(TEST, report.get("answer") or {})
    why = unproven(texts(answer, "commands"), rows(report, "runs"))
    if why:
        return Verdict(is_good=False, reason="tests_failed", message=why)
    on_head(report, "parent", head)
    return GOOD


def published(report: Json, candidate: str) -> None:
    """Raise ``HeadMoved`` unless a pull request is about the candidate."""
    on_head(report, "head", candidate)


def merged(report: Json) -> Verdict:
    """Judge the report of a merge: the base must be said to contain it, with the commit."""
    if report["merged"] is not True:
        message = text(report, "reason") or "The pull request could not be merged."
        return Verdict(is_good=False, reason="not_merged", message=message)
    wrong = [
        Wrong(f"$.{name}", "a commit", told(report.get(name)))
        for name in ("merge_commit", "base_head")
        if not text(report, name)
    ]
    refuse(tuple(wrong))
    return GOOD
