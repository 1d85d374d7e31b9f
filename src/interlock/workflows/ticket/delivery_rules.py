"""What a person does with the pull request, and with a clean-up that will not end.

Merging is a worker's work: ``merge`` only offers it, and MERGE_COMPLETE fires when it is done.
Somebody may also merge outside of us, which is noticed; either way the ticket goes on once.
"""

from typing import Final

from interlock.kernel.rules import Do, Fire, Rule
from interlock.workflows.ticket.guards import NOTHING_OFFERED, OPEN, PEOPLE_DECIDE, phase_is
from interlock.workflows.ticket.machine import DELIVERED, PEOPLE, PERSON, WATCHERS
from interlock.workflows.ticket.phases import REVIEW

REVIEWING: Final = phase_is(REVIEW)

# fmt: off
DELIVERY_RULES: Final = (
    Rule(
        "merge", "ticket", PEOPLE, command="merge",
        doc="Have the pull request merged.",
        guards=(OPEN, REVIEWING, PEOPLE_DECIDE, NOTHING_OFFERED),
        walk=(Do("offer_work"),),
    ),
    Rule(
        "outside_merge", "ticket", WATCHERS, command="report_merge",
        doc="A worker's poll, a webhook or a person says that somebody has merged the pull request.",
        guards=(OPEN, REVIEWING),
        walk=(Fire("unit", "MERGE_COMPLETE", reason="merged_outside"),),
    ),
    Rule(
        "close_unmerged", "ticket", PEOPLE, command="close_unmerged",
        doc="End the ticket without a merge; branch and request are left alone.",
        guards=(OPEN, REVIEWING, PEOPLE_DECIDE),
        walk=(Fire("unit", "CLOSE_UNMERGED_COMPLETE"),),
    ),
    Rule(
        "finish", "ticket", PERSON, command="finish",
        doc="Complete a ticket whose clean-up hangs; what was not cleaned is kept as a warning.",
        guards=(OPEN, phase_is(DELIVERED)),
        walk=(Fire("unit", "CLEANUP_DONE", reason="finished_by_hand"),),
    ),
)
# fmt: on
