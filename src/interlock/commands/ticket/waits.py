"""How it is told what a ticket waits for: its commands, its gates, and its words."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from interlock.commands.mission.rows import COMMANDS as MISSION
from interlock.commands.mission.waits import Speech
from interlock.commands.row import AnyCommand
from interlock.commands.ticket.rows import COMMANDS
from interlock.workflows.ticket.phases import ANSWERS, APPROVALS, BLOCKED, REVIEW

# It cancels whatever it is told; a person says it with the noun.
CANCEL: Final = next(replace(row, words="ticket cancel") for row in MISSION if row.name == "cancel")
ROWS: Final[Mapping[str, AnyCommand]] = {row.name: row for row in (*COMMANDS, CANCEL)}

TICKET: Final = Speech(
    rows=ROWS,
    decisions={
        ("ticket", ANSWERS): "answer_batch",
        ("ticket", REVIEW): "merge", ("ticket", BLOCKED): "retry",
        **{("ticket", status): "approve" for status in APPROVALS},
    },
    pulls={"claim_work": "assignment", "claim_bead": "bead"},
    after={"ticket save": "FILE", "ticket edit": "--title …", "ticket raise-budget": "--tokens …"},
    by_gate=False,
)  # fmt: skip
"""How tickets speak."""
