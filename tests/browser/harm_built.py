"""The corpus stored on tickets that are built: in every report, diff, output and request."""

from collections.abc import Callable
from typing import Any, Final

from tests import reports
from tests.browser.corpus import SHORT, UNSEEN
from tests.browser.pages import Names
from tests.browser.room import Room
from tests.doors.web.ticket.built import Says, reported
from tests.doors.web.ticket.scenes import approve
from tests.stage import PAT
from tests.tickets import NAMES, Answers, bead, claim, expansion, phase_of, said, work

Told = dict[str, Any]
TEXTS: Final = tuple(text.strip()[:1_500] for text in SHORT if text.strip())
LINES: Final = tuple(" ".join(text.split())[:300] for text in TEXTS)
WHOLE: Final = "\n\n".join(TEXTS)
OUTPUT: Final = WHOLE[:50_000]
LONG: Final = 300_000
"""How many characters of changes a report may hold."""


def _patch(path: str, lines: int = 0) -> str:
    """Return a patch whose name and lines are harmful, as many as are asked for."""
    shown = [f"+{text}" for one in TEXTS for text in one.split("\n")]
    while len(shown) < lines:
        shown += shown
    head = f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,9 @@ {LINES[0]}\n"
    return head + "\n".join((*shown, *(f"-{text}" for text in LINES), *UNSEEN)) + "\n"


DIFF: Final = "".join(
    _patch(path, lines)
    for path, lines in (
        ("a.py", 0), (f"{LINES[1]}.js", 0), ('"\\"><img src=x onerror=canary(20)>.html"', 0),
        ("big.py", 9_000),
    )
)[:LONG]  # fmt: skip
CHANGED: Final = {
    "diff": DIFF, "diff_cut": True,
    "files": [{"path": text, "status": LINES[2][:20], "added": 1, "removed": None}
              for text in (*TEXTS, *UNSEEN)],
}  # fmt: skip


def _run(command: str, code: int = 0) -> Told:
    return {**reports.run(command, code), "output": OUTPUT, "output_cut": True}


def _plan(_: Told) -> Told:
    step = {
        "id": "step", "title": LINES[3], "purpose": WHOLE[:8_000], "commands": list(LINES[:20]),
        "required": False, "rationale": TEXTS[4], "cautions": list(LINES[:20]),
    }  # fmt: skip
    words = list(LINES[:20])
    return {
        "summary": WHOLE[:8_000], "steps": [step], "cautions": words,
        "readiness": {
            "status": "partial", "actions_required": True, "evidence": words, "gaps": words,
        },
        "probes": [{"id": "probe", "command": LINES[5], "purpose": TEXTS[6]}],
        "project_commands": dict.fromkeys(
            ("prepare", "test_full", "lint_full", "typecheck_full"), words
        ),
    }  # fmt: skip


def _code(task: Told, **more: object) -> Told:
    refused = [{"path": text, "why": text[:500]} for text in TEXTS]
    told = {**CHANGED, "refused": refused, "note": WHOLE[:2_000]}
    told["runs"] = [_run(one) for one in task["bead"]["test_commands"]]
    found = reports.code(task, **{**told, **more})
    return {**found, "answer": {**found["answer"], "summary": TEXTS[7]}}


def _failed(task: Told) -> Told:
    runs = [_run(text, 1) for text in TEXTS[:5]]
    more = {"status": "failed", "reason": "tests_failed", "runs": runs, "commit": ""}
    return _code(task, **more)


def _tested(task: Told) -> Told:
    found = reports.final(task, **CHANGED)
    return {**found, "note": WHOLE[:2_000], "runs": [_run("pytest")]}


SAYS: Final[dict[str, Says]] = {
    **reports.REPORTS,
    "check": lambda _: {
        "checks": [
            {"name": text[:200], "category": text[:100], "result": "warning", "message": text}
            for text in TEXTS
        ]
    },
    "plan": _plan,
    "prepare": lambda task: {
        "status": "ready", "added": list(TEXTS[:5]), "dirty": [], "note": WHOLE[:2_000],
        "runs": [_run(task["plan"]["probes"][0]["command"]), *(_run(text) for text in TEXTS[:3])],
    },
    "code": _code,
    "test": _tested,
    "integrate": lambda task: {**reports.integrate(task), **CHANGED},
    "publish": lambda task: {
        **reports.publish(task), "url": "javascript:canary(50)", "title": LINES[8],
        "body": WHOLE[:50_000], "base": LINES[9],
    },
    "merge": lambda task: {**reports.merge(task), "warning": WHOLE[:2_000]},
    "clean": lambda _: {
        "status": "warning", "removed": list(TEXTS), "kept": list(TEXTS), "errors": list(TEXTS),
    },
}  # fmt: skip


def _beads() -> list[Told]:
    return [
        {**bead(name), "title": LINES[place], "description": WHOLE[:8_000]}
        for place, name in enumerate(("sell-apples", "count-apples"))
    ]


BEADS: Final[dict[str, Answers]] = {
    "beads_draft": lambda _: {"beads": _beads()},
    "beads_refine": lambda _: {"beads": _beads(), "changes": []},
    "beads_audit": lambda _: {
        "status": "clean", "gaps": [], "expansion": expansion("sell-apples", "count-apples"),
    },
}  # fmt: skip


def _said(task: Told) -> Told:
    found = BEADS.get(f"{task['domain']}_{task['task']}")
    return said(task) if found is None else found(task)


async def _step(here: Room, name: str, says: Says | None = None) -> None:
    await reported(here, name, says or (lambda task: SAYS[task["task"]](task)))


async def _planned(here: Room, bring: Callable[[], Any]) -> str:
    """Bring a ticket from its approved PRD to the approval of its setup plan."""
    name = str(await bring())
    await approve(here, name)
    for members in (NAMES, NAMES, ("",), ("",)):
        await work(here, name, _said, members)
    await approve(here, name)
    await _step(here, name)
    await _step(here, name)
    return name


async def _prepared(here: Room, bring: Callable[[], Any]) -> str:
    name = await _planned(here, bring)
    await approve(here, name)
    await _step(here, name)
    return name


async def harmed_building(here: Room, bring: Callable[[], Any]) -> Names:
    """Store it on tickets at every place of the second half; ``bring`` makes one with a PRD."""
    names = {"planned": await _planned(here, bring), "stuck": await _prepared(here, bring)}
    for _ in range(5):
        await _step(here, names["stuck"], _failed)
    # Each is brought to where it leaves no work behind: whoever asks for some gets the oldest.
    for stands in ("review", "delivered"):
        names[stands] = await _prepared(here, bring)
        for _ in range(5):
            await _step(here, names[stands])
        assert await phase_of(here, names[stands]) == "WAITING_PR_REVIEW"
    await here.call("merge", PAT, ticket_id=names["delivered"])
    await _step(here, names["delivered"])
    await _step(here, names["delivered"])
    names["working"] = await _prepared(here, bring)
    await _step(here, names["working"], _failed)
    await _step(here, names["working"])
    part = await claim(here, names["working"])
    lines = [{"at": 5, "stream": "err", "text": text} for text in TEXTS]
    lease = part["lease"]["token"]
    await here.call("append_log", part_id=part["part_id"], lease=lease, lines=lines)
    return names
