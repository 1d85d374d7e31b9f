"""What an answer comes to is good unless something else is said."""

from interlock.commands.ticket.outcome import SUBMIT, Taken
from interlock.workflows.ticket.assignment import ASSIGNMENT_KIND
from interlock.workflows.ticket.bead import BEAD_KIND


def test_an_answer_is_taken_unless_something_else_is_said() -> None:
    taken = Taken({"a": 1})

    assert (taken.verb, taken.args, taken.texts, taken.own) == (SUBMIT, {}, {}, {})
    assert taken.verdict is None


def test_every_kind_of_work_knows_the_verb() -> None:
    for kind in (ASSIGNMENT_KIND, BEAD_KIND):
        assert {"submit", "fail"} <= set(kind.verbs)
