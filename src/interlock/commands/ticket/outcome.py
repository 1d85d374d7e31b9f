"""What an answer comes to: which event it is, what the machine is told, and what is kept."""

from dataclasses import dataclass, field
from typing import Final

from interlock.service.order import Reply
from interlock.ticketing.checked import Json
from interlock.ticketing.execution.judge import Verdict

SUBMIT: Final = "submit"
FAIL: Final = "fail"
AGAIN: Final = "retry_work"
"""What an answer can be: good, over, or an attempt that is followed by another one."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What an answer comes to: what the machine is told, and what is kept.

    ``answer`` is what is kept as the member's own, read into one form; ``texts`` are documents of
    the ticket by name, ``more`` other fields of it that no rule reads, ``own`` such fields of the
    part itself. A report has its ``verdict``.
    """

    answer: Json
    args: Reply = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    more: Reply = field(default_factory=dict)
    own: Reply = field(default_factory=dict)
    verb: str = SUBMIT
    verdict: Verdict | None = None
