"""Coverage: what an audit leads to, what must come along, and what is kept of it."""

import pytest

from interlock.ticketing.answer import AnswerInvalid, wrong_with
from interlock.ticketing.checked import Json
from interlock.ticketing.coverage import (
    Turn,
    Verdict,
    audit_schema,
    candidate,
    judged,
    notes_of,
    recorded,
)
from interlock.workflows.ticket.coverage import AUDITS_MAX
from interlock.workflows.ticket.machine import TICKET
from tests.ticketing.papers import BEADS, EXPANSION, a_prd

FIRST = Turn(1, 5)
LAST = Turn(5, 5)
CLEAN: Json = {"status": "clean", "gaps": []}
GAPS: Json = {"status": "gaps", "gaps": ["No word on errors."]}
ASKED: Json = {"question": "What of errors?", "phase": "structure"}
REVISED: dict[str, Json] = {"prd": {"prd": a_prd()}, "beads": {"beads": BEADS}}
EXPANDED: Json = {"expansion": EXPANSION}


def paths(domain: str, answer: Json, turn: Turn) -> list[str]:
    with pytest.raises(AnswerInvalid) as caught:
        judged(domain, answer, turn)
    return [one.path for one in caught.value.wrong]


@pytest.mark.parametrize(
    ("domain", "answer"),
    [("interview", CLEAN), ("prd", CLEAN), ("beads", {**CLEAN, **EXPANDED})],
)
def test_clean_is_clean_in_every_turn(domain: str, answer: Json) -> None:
    for turn in (FIRST, LAST):
        assert judged(domain, answer, turn) == Verdict("COVERAGE_CLEAN", ())


@pytest.mark.parametrize("domain", ["prd", "beads"])
def test_gaps_are_closed_by_a_revision(domain: str) -> None:
    found = judged(domain, {**GAPS, **REVISED[domain], "changes": []}, FIRST)

    assert found == Verdict("GAPS_FOUND", ("No word on errors.",))
    assert found.warnings == ()
    assert paths(domain, GAPS, FIRST) == [f"$.{domain}"]


def test_gaps_of_an_interview_are_closed_by_questions() -> None:
    found = judged("interview", {**GAPS, "follow_up_questions": [ASKED]}, Turn(1, 2, 1))

    assert found.outcome == "GAPS_FOUND"
    assert [one.prompt for one in found.follow_ups] == ["What of errors?"]
    assert paths("interview", GAPS, Turn(1, 2, 10)) == ["$.follow_up_questions"]


@pytest.mark.parametrize(
    ("domain", "answer", "turn", "why"),
    [
        ("prd", GAPS, LAST, "coverage_pass_limit_reached"),
        ("beads", {**GAPS, **EXPANDED}, LAST, "coverage_pass_limit_reached"),
        ("interview", GAPS, Turn(2, 2, 3), "coverage_pass_limit_reached"),
        ("interview", GAPS, Turn(1, 2), "follow_up_budget_exhausted"),
    ],
)
def test_a_cap_is_no_error_and_the_gaps_become_warnings(
    domain: str, answer: Json, turn: Turn, why: str
) -> None:
    found = judged(domain, answer, turn)

    assert (found.outcome, found.why) == ("COVERAGE_LIMIT_REACHED", why)
    assert found.warnings == ("No word on errors.",)


def test_what_is_sent_along_in_vain_is_noted_and_not_refused() -> None:
    assert judged("prd", {**CLEAN, **REVISED["prd"]}, FIRST).notes == (
        "The revision was not taken: nothing is missing.",
    )
    assert judged("prd", {**GAPS, **REVISED["prd"]}, LAST).notes == (
        "The revision was not taken: this was the last audit.",
    )
    assert judged("beads", {**GAPS, **REVISED["beads"], **EXPANDED}, FIRST).notes == (
        "The expansion was not taken: the blueprint is being revised.",
    )
    answer = {**GAPS, "follow_up_questions": [ASKED]}
    assert judged("interview", answer, Turn(1, 2, 0)).notes == (
        "The follow-up questions were not taken: no follow-up is left.",
    )


@pytest.mark.parametrize("answer", [CLEAN, GAPS])
def test_beads_leave_the_last_audit_only_expanded(answer: Json) -> None:
    assert paths("beads", answer, LAST) == ["$.expansion"]


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ({"status": "clean", "gaps": ["x"]}, "$.gaps"),
        ({"status": "gaps", "gaps": []}, "$.gaps"),
        ({"status": "fine", "gaps": []}, "$.status"),
        ({"status": "clean"}, "$.gaps"),
        ({**CLEAN, "follow_up_questions": []}, "$.follow_up_questions"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused(answer: Json, path: str) -> None:
    assert path in paths("prd", answer, LAST)


def test_follow_up_questions_are_judged_like_those_of_a_batch() -> None:
    wrong = {**ASKED, "answer_type": "single_choice", "options": ["One"]}

    assert paths("interview", {**GAPS, "follow_up_questions": [wrong]}, Turn(1, 2, 5)) == [
        "$.follow_up_questions[0].options"
    ]


def test_the_record_counts_candidates_and_keeps_what_is_left() -> None:
    gaps = judged("prd", {**GAPS, **REVISED["prd"]}, Turn(1, 2))
    first = recorded(None, "prd", gaps, Turn(1, 2))
    assert candidate(first) == 2

    last = recorded(first, "prd", judged("prd", GAPS, Turn(2, 2)), Turn(2, 2))
    assert last == {
        "schema_version": 1, "artifact": "coverage/prd", "audits_max": 2,
        "audits": [
            {"number": 1, "candidate": 1, "status": "gaps", "gaps": ["No word on errors."],
             "outcome": "GAPS_FOUND", "why": "", "notes": []},
            {"number": 2, "candidate": 2, "status": "gaps", "gaps": ["No word on errors."],
             "outcome": "COVERAGE_LIMIT_REACHED", "why": "coverage_pass_limit_reached",
                 "notes": []},
        ],
        "remaining_gaps": ["No word on errors."],
    }  # fmt: skip
    assert candidate(last) == 2
    assert candidate(None) == 1


def test_what_was_in_vain_is_kept_with_the_number_of_its_audit() -> None:
    gaps = judged("prd", {**GAPS, **REVISED["prd"]}, FIRST).noting(("Not made.",))
    first = recorded(None, "prd", gaps, Turn(1, 2))
    clean = judged("prd", {**CLEAN, **REVISED["prd"]}, LAST)

    assert notes_of(recorded(first, "prd", clean, Turn(2, 2))) == (
        "Audit 1: Not made.",
        "Audit 2: The revision was not taken: nothing is missing.",
    )


def test_outcomes_are_events_of_the_machine() -> None:
    events = {edge.on for edge in TICKET.edges}

    assert {"COVERAGE_CLEAN", "GAPS_FOUND", "COVERAGE_LIMIT_REACHED"} <= events
    assert set(AUDITS_MAX.values()) == {2, 5}


def test_a_schema_of_an_audit_has_only_what_its_domain_needs() -> None:
    answer = {**CLEAN, "follow_up_questions": []}

    assert wrong_with(audit_schema("interview"), answer) == ()
    assert [one.path for one in wrong_with(audit_schema("beads"), answer)] == [
        "$.follow_up_questions"
    ]
