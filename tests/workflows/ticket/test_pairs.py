"""The legal pairs say what the specification says, on every small ticket."""

from collections import Counter

from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.oracle import disagreements, is_legal, tickets


def test_the_tables_and_the_specification_agree_on_every_small_ticket() -> None:
    assert disagreements(WORKFLOW) == []


def test_there_is_something_to_disagree_about() -> None:
    found = Counter(is_legal(ticket) for ticket in tickets())

    assert found[True] > 500
    assert found[False] > 5_000
