"""The table of tasks has what the phases hand out, row for row, and shows no more than it may."""

import json
import re

import pytest

from interlock.ticketing.context import KINDS, Block, assemble
from interlock.ticketing.prd import SECTIONS
from interlock.ticketing.prompt import ordered, prompts
from interlock.ticketing.schemas import SCHEMAS, answer_schema, schema_key
from interlock.ticketing.tasks import (
    BY_KEY,
    DOMAINS,
    EXECUTION,
    PLANNING,
    TASKS,
    Task,
    task_of,
)
from interlock.workflows.ticket.phases import BY_NAME, PHASES, between

ASKED = [one for one in TASKS if one.is_asked]
HANDING_OUT = [phase for phase in PHASES if phase.task]


def test_every_phase_that_hands_out_work_has_exactly_one_row_and_nothing_else_has() -> None:
    wanted = [(one.group if one.group in DOMAINS else "", one.task) for one in HANDING_OUT]

    wanted.append(("", "code"))  # beads are handed out themselves
    assert sorted(wanted) == sorted((one.domain, one.task) for one in TASKS)
    assert len(BY_KEY) == len(TASKS)


def test_a_task_of_the_council_is_named_with_its_domain() -> None:
    assert BY_KEY["prd", "vote"].name == "prd_vote"
    assert task_of("discovery", "scan").name == "scan"
    with pytest.raises(KeyError):
        task_of("prd", "scan")
    assert len({one.name for one in TASKS}) == len(TASKS)


def test_a_model_is_asked_wherever_the_work_is_not_the_worker_s_own() -> None:
    for phase in HANDING_OUT:
        row = task_of(phase.group, phase.task)
        assert row.is_asked == (phase.role != "workspace")
        assert row.prompt == (row.name if row.is_asked else "")


def test_every_task_has_its_prompt_and_every_prompt_its_task() -> None:
    planning = {
        (phase.group, phase.task)
        for phase in HANDING_OUT
        if phase.name in between("SCANNING_RELEVANT_FILES", "WAITING_BEADS_APPROVAL")
    }

    assert {task_of(*one) for one in planning} == set(PLANNING)
    assert {one.prompt for one in ASKED} == set(prompts())


def test_only_kinds_that_there_are_can_be_shown_and_none_twice() -> None:
    for row in TASKS:
        assert set(row.context) <= set(KINDS)
        assert len(set(row.context)) == len(row.context)


def test_voters_see_drafts_and_nothing_to_search_and_drafters_see_no_drafts() -> None:
    for domain in DOMAINS:
        vote, draft = BY_KEY[domain, "vote"], BY_KEY[domain, "draft"]
        assert (vote.reach, "drafts" in vote.context) == ("none", True)
        assert "drafts" not in draft.context
        assert "votes" not in BY_KEY[domain, "refine"].context


def test_before_the_work_begins_nothing_is_written() -> None:
    writing = {row.task for row in TASKS if row.reach == "write"}

    phases = ("PREPARING_EXECUTION_ENV", "RUNNING_FINAL_TEST")
    assert writing == {"code", *(BY_NAME[name].task for name in phases)}


@pytest.mark.parametrize("row", ASKED, ids=lambda row: row.name)
def test_what_a_prompt_speaks_of_is_in_the_schema_of_its_answer(row: Task) -> None:
    schema = json.dumps(answer_schema(*schema_key(row)))
    text = prompts()[row.prompt].text
    words = {found for found in re.findall(r"`([a-z_]+)`", text) if found not in DOMAINS}

    assert words - set(re.findall(r"[a-z_]+", schema)) <= SECTIONS


def test_whatever_is_asked_has_a_schema_and_no_other_task_has() -> None:
    assert {schema_key(one) for one in ASKED} == set(SCHEMAS)


def test_a_builder_sees_its_bead_and_nothing_else() -> None:
    assert BY_KEY["", "code"].context == ("bead_data", "bead_notes", "user_note")


def test_after_the_blueprint_comes_execution() -> None:
    assert {one.task for one in EXECUTION} == {
        "check", "plan", "prepare", "code", "test", "integrate", "publish", "merge", "clean",
        "restore",
    }  # fmt: skip


@pytest.mark.parametrize("row", ASKED, ids=lambda row: row.name)
def test_a_whole_order_fits_beside_the_largest_context(row: Task) -> None:
    blocks = [Block(kind, "word " * 100_000) for kind in row.context]
    context = assemble(row.context, blocks, "5ecret00")
    one = prompts()[row.prompt]
    values = dict.fromkeys(one.placeholders, "7") | {"context": context.text}

    order = ordered(one.fill(values), answer_schema(*schema_key(row)))

    assert context.text in order
    assert len(order) < 500_000
