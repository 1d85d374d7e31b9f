"""Questions of an interview: drafted, numbered, refined with every change told."""

import pytest

from interlock.ticketing.answer import AnswerInvalid, Wrong
from interlock.ticketing.checked import Json
from interlock.ticketing.interview import (
    Question,
    as_draft,
    draft,
    follow_ups_max,
    next_number,
    normal_id,
    refine,
)


def row(name: str, phase: str, question: str) -> Json:
    return {"id": name, "phase": phase, "question": question}


BEFORE = (
    Question("Q01", "foundation", "What is it for?"),
    Question("Q02", "structure", "Which parts?"),
    Question("Q03", "assembly", "How is it shipped?"),
)
SAME = [row(one.id, one.phase, one.prompt) for one in BEFORE]
DRAFTS = {"Draft 1": {"Q01", "Q02"}}


def wrongs(answer: object, maximum: int = 50) -> list[Wrong]:
    """Return what is wrong with a refinement."""
    with pytest.raises(AnswerInvalid) as caught:
        refine(answer, BEFORE, DRAFTS, maximum)
    return list(caught.value.wrong)


def test_a_draft_is_sorted_by_phase_and_numbered_by_us() -> None:
    answer = {
        "questions": [
            row("Q7", "assembly", "How is it shipped?"),
            row("Q7", "foundation", " What is it for? "),
            {"phase": "structure", "question": "Which parts?"},
        ]
    }

    assert draft(answer) == BEFORE
    assert as_draft(BEFORE) == {"questions": SAME}


@pytest.mark.parametrize(
    ("questions", "path"),
    [
        ([], "$.questions"),
        ([row("Q1", "end", "What?")], "$.questions[0].phase"),
        ([row("Q1", "foundation", " ")], "$.questions[0].question"),
        (
            [row("Q1", "foundation", "What?"), row("Q2", "structure", "what? ")],
            "$.questions[1].question",
        ),
        ([row(f"Q{n}", "foundation", f"What {n}?") for n in range(4)], "$.questions"),
    ],
    ids=["none", "phase", "blank", "repeated", "too many"],
)
def test_a_draft_that_does_not_fit_is_refused(questions: list[Json], path: str) -> None:
    with pytest.raises(AnswerInvalid) as caught:
        draft({"questions": questions}, maximum=3)

    assert [one.path for one in caught.value.wrong] == [path]


@pytest.mark.parametrize(
    ("said", "meant"),
    [("q7", "Q07"), ("Q007", "Q07"), ("12", "Q12"), ("Q-3", "Q03"), (" Q100 ", "Q100"), ("x", "x")],
)
def test_ids_are_written_in_one_way(said: str, meant: str) -> None:
    assert normal_id(said) == meant


def test_a_refinement_keeps_ids_and_tells_its_changes() -> None:
    answer = {
        "questions": [
            row("q4", "assembly", "Who runs it?"),
            row("Q1", "foundation", "What is it for, and for whom?"),
            row("Q03", "assembly", "How is it shipped?"),
        ],
        "changes": [
            {"type": "modified", "item": "Q1"},
            {"type": "removed", "item": "Q02", "reason": "known from the code"},
            {"type": "added", "item": "q4", "inspiration": {"draft": "Draft 1", "item": "q2"}},
        ],
    }

    refined = refine(answer, BEFORE, DRAFTS)
    assert [one.id for one in refined.questions] == ["Q01", "Q04", "Q03"]
    assert [(one.type, one.item, one.attribution) for one in refined.changes] == [
        ("modified", "Q01", "unattributed"),
        ("added", "Q04", "inspired"),
        ("removed", "Q02", "unattributed"),
    ]
    assert next_number(refined.questions) == 5


def test_nothing_changed_is_a_refinement_too() -> None:
    assert refine({"questions": SAME, "changes": []}, BEFORE, DRAFTS).questions == BEFORE


@pytest.mark.parametrize(
    ("questions", "changes", "expected"),
    [
        (SAME[:2], [], [Wrong("$.changes", "an entry for Q03, which was removed", "none")]),
        (SAME, [{"type": "modified", "item": "Q01"}], [Wrong("$.changes[0]", "a change that was made", "Q01 modified")]),
        ([*SAME[:2], row("Q02", "structure", "Else?")], [], [Wrong("$.questions[2].id", "each id once", '"Q02"')]),
        ([SAME[0], row("Qx", "structure", "Else?")], [], [Wrong("$.questions[1].id", "an id like Q07", '"Qx"')]),
    ],
    ids=["not told", "not made", "twice", "no id"],
)  # fmt: skip
def test_changes_must_account_exactly_for_the_difference(
    questions: list[Json], changes: list[Json], expected: list[Wrong]
) -> None:
    assert wrongs({"questions": questions, "changes": changes}) == expected


def test_a_new_question_gets_an_id_above_all_others() -> None:
    before = (BEFORE[0], BEFORE[2])
    answer = {"questions": [*SAME[:1], row("Q02", "structure", "New?"), SAME[2]], "changes": []}

    with pytest.raises(AnswerInvalid) as caught:
        refine(answer, before, DRAFTS)
    assert caught.value.wrong == (
        Wrong("$.questions[1].id", "an id of the draft, or one above Q03", '"Q02"'),
    )


def test_a_refinement_keeps_to_the_maximum() -> None:
    assert [one.path for one in wrongs({"questions": SAME, "changes": []}, 2)] == ["$.questions"]


@pytest.mark.parametrize(
    ("maximum", "percent", "budget"),
    [(50, 20, 10), (4, 20, 1), (9, 20, 1), (50, 0, 0), (50, 100, 50)],
)
def test_follow_ups_are_a_part_of_the_maximum(maximum: int, percent: int, budget: int) -> None:
    assert follow_ups_max(maximum, percent) == budget
