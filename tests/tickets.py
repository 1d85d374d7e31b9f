"""Tickets for stories: projects, and a council whose members answer as a story wants."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from interlock.service.engine import Principal
from interlock.ticketing.vote import CRITERIA
from tests.reports import REPORTS, SITE
from tests.stage import ADA, PAT, Stage

Told = dict[str, Any]
Answers = Callable[[Told], Told]
NAMES: Final = ("ann", "ben", "cleo")


def new_project(members: Sequence[str] = NAMES, **more: object) -> Told:
    """Return what makes a project with a council."""
    told: Told = {
        "name": "Shop", "repository": "/srv/shop.git", "base_branch": "main",
        "members": [{"name": name, "agent": "scripted", "model": f"{name}-1"} for name in members],
    }  # fmt: skip
    return told | more


async def project(stage: Stage, members: Sequence[str] = NAMES, **more: object) -> str:
    """Make a project; return its id."""
    answer = await stage.call("create_project", PAT, **new_project(members, **more))
    return str(answer.data["project_id"])


async def ticket(stage: Stage, members: Sequence[str] = NAMES, **more: object) -> str:
    """Write a ticket down in a project of its own; return its id."""
    name = await project(stage, members, **more)
    told = {"project_id": name, "title": "Sell apples", "description": "People want apples."}
    return str((await stage.call("create_ticket", PAT, **told)).data["ticket_id"])


async def started(stage: Stage, members: Sequence[str] = NAMES, **more: object) -> str:
    """Return a ticket whose working tree was made: its files are to be scanned."""
    name = await ticket(stage, members, **more)
    await stage.call("start", PAT, ticket_id=name)
    await work(stage, name)
    return name


async def status_of(stage: Stage, name: str) -> Told:
    """Read how a ticket stands."""
    return dict((await stage.call("ticket_status", PAT, ticket_id=name)).data)


async def phase_of(stage: Stage, name: str) -> str:
    """Return the phase a ticket is in."""
    return str((await status_of(stage, name))["phase"]["name"])


async def claim(stage: Stage, name: str, member: str = "", by: Principal = ADA) -> Told:
    """Claim work of a ticket, of a member where one is named; return its part."""
    found = await stage.call("get_next_work", by, workflow="ticket", member=member, site=SITE)
    assert found.status == "claimed", found
    assert found.data["unit_id"] == name
    part = found.data["part"]
    assert isinstance(part, Mapping)
    return dict(part)


async def answer(stage: Stage, part: Told, said: Mapping[str, object], by: Principal = ADA) -> None:
    """Hand in an answer to an assignment."""
    lease = part["lease"]["token"]
    await stage.call("submit_work", by, part_id=part["part_id"], lease=lease, answer=dict(said))


async def work(
    stage: Stage, name: str, say: Answers | None = None, members: Sequence[str] = ("",)
) -> None:
    """Have the assignments of a phase answered, one for each member."""
    for member in members:
        part = await claim(stage, name, member)
        await answer(stage, part, (say or said)(part["task"]))


# -- what a member says ------------------------------------------------------------------------


def said(task: Told) -> Told:
    """Return a sensible answer to a task."""
    key = f"{task['domain']}_{task['task']}" if task["domain"] else task["task"]
    return SAID[key](task)


def _scan(_: Told) -> Told:
    file = {"path": "shop.py", "rationale": "It sells.", "relevance": "high"}
    return {"files": [{**file, "likely_action": "modify", "content_preview": "def sell(): ..."}]}


def questions(count: int = 2) -> list[Told]:
    """Return questions of an interview."""
    phases = ("foundation", "structure", "assembly")
    return [
        {"id": f"Q{n:02d}", "phase": phases[min(n - 1, 2)], "question": f"What about {n}?"}
        for n in range(1, count + 1)
    ]


def vote(task: Told, points: Sequence[int] = ()) -> Told:
    """Return a vote; points are by draft as it is shown, else all the same."""
    drafts = len(task["schema"]["properties"]["scores"]["properties"])
    given = [*points, *[10] * (drafts - len(points))]
    names = CRITERIA[task["domain"]]
    scores = {f"Draft {n}": dict.fromkeys(names, given[n - 1]) for n in range(1, drafts + 1)}
    return {"scores": scores}


def prd(title: str = "Apples") -> Told:
    """Return a PRD."""
    story = {
        "id": "US-1-1", "title": "Buy", "acceptance_criteria": ["An apple can be bought."],
        "implementation_steps": ["Sell."],
        "verification": {"required_commands": ["pytest"]},
    }  # fmt: skip
    epic = {
        "id": "EPIC-1", "title": title, "objective": "Sell.", "implementation_steps": [],
        "user_stories": [story],
    }  # fmt: skip
    names = (
        "architecture_constraints", "data_model", "api_contracts", "security_constraints",
        "performance_constraints", "reliability_constraints", "error_handling_rules",
        "tooling_assumptions",
    )  # fmt: skip
    return {
        "product": {"problem_statement": "No apples.", "target_users": ["people"]},
        "scope": {"in_scope": ["apples"], "out_of_scope": ["pears"]},
        "technical_requirements": {name: [] for name in names},
        "epics": [epic], "risks": ["worms"],
    }  # fmt: skip


def bead(name: str = "sell-apples") -> Told:
    """Return a bead of a blueprint."""
    return {
        "id": name, "title": f"Do {name}", "description": "Sell apples.", "prd_refs": ["US-1-1"],
        "guidance": {"patterns": [], "anti_patterns": []},
        "acceptance_criteria": ["Sold."], "tests": ["test_sell"], "test_commands": ["pytest"],
    }  # fmt: skip


def expansion(*names: str) -> list[Told]:
    """Return what an expansion says of beads, each waiting for the one before."""
    return [
        {
            "id": name, "issue_type": "task", "labels": ["epic:EPIC-1"],
            "blocked_by": list(names[max(0, n - 1) : n]), "target_files": ["shop.py"],
        }
        for n, name in enumerate(names)
    ]  # fmt: skip


SAID: Final[Mapping[str, Answers]] = {
    **REPORTS,
    "scan": _scan,
    "interview_draft": lambda _: {"questions": questions()},
    "interview_vote": vote,
    "interview_refine": lambda _: {"questions": questions(), "changes": []},
    "interview_batch": lambda _: {"complete": True},
    "interview_audit": lambda _: {"status": "clean", "gaps": []},
    "prd_draft": lambda task: {"full_answers": full(task), "prd": prd()},
    "prd_vote": vote,
    "prd_refine": lambda _: {"prd": prd(), "changes": []},
    "prd_audit": lambda _: {"status": "clean", "gaps": []},
    "beads_draft": lambda _: {"beads": [bead("sell-apples"), bead("count-apples")]},
    "beads_vote": vote,
    "beads_refine": lambda _: {
        "beads": [bead("sell-apples"), bead("count-apples")], "changes": [],
    },
    "beads_audit": lambda _: {
        "status": "clean", "gaps": [], "expansion": expansion("sell-apples", "count-apples"),
    },
}  # fmt: skip
"""What is said where a story does not care."""


def full(task: Told) -> list[Told]:
    """Return answers to all questions that the interview shown has as skipped."""
    text = task["prompt"]["text"]
    # Options have ids, too.
    blocks = text.split("- id: Q")[1:]
    return [
        {"id": "Q" + one.split("\n", 1)[0].strip(), "answer": {"free_text": "As you like."}}
        for one in blocks
        if "skipped: true" in one
    ]
