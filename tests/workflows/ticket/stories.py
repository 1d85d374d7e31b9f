"""All stories of a ticket, and what is broken when a workflow cannot play them.

``broken(flow)`` takes any workflow object: the mutation tests call it with one that lacks a row.
"""

from interlock.kernel.workflow import Workflow
from tests.workflows.ticket.blocked_stories import DELIVERY, ENDED, TROUBLE
from tests.workflows.ticket.coding_stories import CODING
from tests.workflows.ticket.oracle import disagreements
from tests.workflows.ticket.planning_stories import PLANNING
from tests.workflows.ticket.reopen_stories import REOPENING
from tests.workflows.ticket.story import Story, told
from tests.workflows.ticket.work_stories import WORK


def stories() -> tuple[Story, ...]:
    """Return every story."""
    return (*PLANNING, *WORK, *CODING, *DELIVERY, *TROUBLE, *REOPENING, *ENDED)


def broken(flow: Workflow) -> list[str]:
    """Return what a workflow gets wrong: stories that end otherwise, and pairs that differ."""
    wrong = [text for story in stories() if (text := told(flow, story))]
    return wrong + disagreements(flow)
