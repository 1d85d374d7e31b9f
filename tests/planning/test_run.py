"""A whole planning run: a real server, a real worker, scripted members, a person over REST."""

import asyncio
import json
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest

from interlock.client import Client
from interlock.ticketing import canonical
from tests.planning.ground import Ground, Past, Vote, open_ground, past_of
from tests.planning.inside import planned as inside
from tests.planning.person import FRESH, Person, is_planned
from tests.planning.script import (
    CALM,
    FINAL,
    FOLLOWED,
    NAMES,
    SEED,
    SKIPPED,
    VOTES,
    WHOLE,
    expected,
)
from tests.stage import opened
from tests.store.postgres.made import database
from tests.worker.workspace.repositories import plain, repository

PATIENCE_S: Final = 120
ROUND_S: Final = 8
"""How long the one who never answers is waited for; everybody else needs a moment."""

AUDITED: Final = ("VERIFYING_BEADS_COVERAGE",) * 5
BLUEPRINT: Final = ("DRAFTING_BEADS", "COUNCIL_VOTING_BEADS", "REFINING_BEADS", *AUDITED)
WAITS: Final = "WAITING_INTERVIEW_ANSWERS"
COURSE: Final = (
    "SCANNING_RELEVANT_FILES", "COUNCIL_DELIBERATING", "COUNCIL_VOTING_INTERVIEW",
    "COMPILING_INTERVIEW", WAITS, WAITS, WAITS, WAITS, "VERIFYING_INTERVIEW_COVERAGE",
    WAITS, WAITS, "VERIFYING_INTERVIEW_COVERAGE", "WAITING_INTERVIEW_APPROVAL",
    "DRAFTING_PRD", "COUNCIL_VOTING_PRD", "REFINING_PRD", *("VERIFYING_PRD_COVERAGE",) * 3,
    "WAITING_PRD_APPROVAL", *BLUEPRINT, "WAITING_BEADS_APPROVAL",
    "WAITING_PRD_APPROVAL", *BLUEPRINT, "WAITING_BEADS_APPROVAL", "PRE_FLIGHT_CHECK",
)  # fmt: skip
"""Every phase of the run: three batches, a follow-up, two revisions, five audits, and again."""


def counted(seed: str) -> tuple[Vote, ...]:
    """Return the votes that a seed must come to: three members vote, the last round twice."""
    found = []
    for domain in (*VOTES, "beads"):
        sums, winner = expected(domain, seed)
        totals = tuple(sums.get(name, 0) for name in NAMES)
        found.append(Vote(totals, NAMES.index(winner), len(NAMES)))
    return tuple(found)


async def planned(ground: Ground, url: str, ticket: str) -> dict[str, Any]:
    """Be the person until the ticket is planned; return how it stands, with its texts."""
    async with asyncio.timeout(PATIENCE_S), Client(url, ground.person) as client:
        told = await Person(client.call, ticket).decide()
        assert is_planned(told), json.dumps(told.get("error"))
        return dict((await client.call("ticket_context", {"ticket_id": ticket})).data)


def course(past: Past) -> tuple[str, ...]:
    """Return the phases up to the end of planning."""
    return past.phases[: past.phases.index("PRE_FLIGHT_CHECK") + 1]


def test_three_scripted_members_plan_a_ticket_with_all_that_can_happen(tmp_path: Path) -> None:
    check_run(tmp_path)


@pytest.mark.long("the stores are compared elsewhere")
def test_they_do_so_on_postgresql(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with database(request.getfixturevalue("postgres_server")) as url:
        check_run(tmp_path, url)


def check_run(folder: Path, where: str = "") -> None:
    """Play the run, and compare all that it came to with what the script promises."""
    ground = open_ground(folder, where)
    ground.tell(WHOLE)
    with ground.base.serving() as server, ground.working(server.url):
        name = asyncio.run(ground.begin(server.url, round_s=ROUND_S))
        told = asyncio.run(planned(ground, server.url, name))

    audit = ground.audit(name)
    past = past_of(audit)
    assert course(past) == COURSE
    assert past.votes == counted(SEED)
    check_members(audit)
    check_interview(canonical.read(told["texts"]["interview"]))
    assert FRESH in told["texts"]["prd"]
    # Capped: the gaps that are left are for whoever approves.
    assert told["warnings"] == {"beads": ["Gap 5."]}
    assert [one["title"] for one in told["beads"]] == ["Do sell-apples", "Do count-apples"]
    # The first blueprint is not gone: its attempts can be looked at.
    attempts = [one for one in told["attempts"] if one["phase"] == "DRAFTING_BEADS"]
    assert len(attempts) == 2
    check_tree(folder / "worker" / "workspaces" / name / "tree", told["documents"])


def check_tree(tree: Path, known: dict[str, str]) -> None:
    """The working tree has the code, and beside it the documents that the last member had."""
    assert (tree / "shop.py").exists()
    kept = {one.stem: sha256(one.read_bytes()).hexdigest() for one in (tree / ".ticket").iterdir()}
    last = ("relevant_files", "interview", "prd", "blueprint")
    assert {name: kept[name] for name in last} == {name: known[name] for name in last}
    assert plain(tree, "status", "--porcelain") == ""


def check_members(audit: list[dict[str, Any]]) -> None:
    """One has run out of time, one has mended what could not be read; nobody else was refused."""
    # Whoever is faster says so: the worker that waits for the member, or the clock of the phase.
    late = [one for one in audit if one.get("signal") in ("fail", "expire")]
    assert late[0]["signal"] == "expire" or late[0]["set"]["failure"]["class"] == "timed_out"
    assert {one["event"] for one in late[1:]} <= {"fail_work"}  # the check that is not done yet
    (refused,) = [one for one in audit if one["event"] == "reject_work"]
    assert refused["set"] == {"rejected": 1}
    assert "unreadable" in json.dumps(refused)


def check_interview(document: dict[str, Any]) -> None:
    """Every type of answer, one edited, one skipped, the free one, one that followed up."""
    by_id = {one["id"]: one for one in document["questions"]}
    answers = {name: one["answer"] for name, one in by_id.items()}
    assert {one["answer_type"] for one in by_id.values()} == {
        "single_choice", "multiple_choice", "yes_no", "free_text",
    }  # fmt: skip
    assert answers["Q01"]["selected_option_ids"] == ["o2"]  # on second thoughts
    assert answers["Q02"]["selected_option_ids"] == ["o1", "o2"]
    assert answers["Q02"]["free_text"] == "Not on Sundays."
    assert answers["Q03"]["selected_option_ids"] == ["yes"]
    assert answers[SKIPPED]["skipped"]
    assert answers[FINAL]["free_text"] == f"Answer to {FINAL}."
    assert answers[FOLLOWED]["selected_option_ids"] == ["yes"]


def test_the_same_seed_gives_the_same_winners_and_another_one_others(tmp_path: Path) -> None:
    repository(tmp_path / "shop")
    other = "pears-2"

    async def story() -> list[Past]:
        async with opened(tmp_path / "interlock.db") as stage:
            names = [await inside(stage, tmp_path, seed, CALM) for seed in (SEED, SEED, other)]
            return [past_of(await stage.audit(name)) for name in names]

    first, again, third = asyncio.run(story())
    assert course(first) == course(again) == COURSE
    assert first.votes == again.votes
    assert first.votes[1:] == counted(SEED)[1:]
    assert third.votes[1:] == counted(other)[1:]
    assert [one.winner for one in first.votes] != [one.winner for one in third.votes]
