"""Clients that work on a database while it is broken under them, as who breaks it sees them.

They live in one process, which is not killed: it must find its own way back to the database. How
much was answered is read from the journal that they write.
"""

from typing import Any, Final, Self

from tests.crash.campaign import Campaign, stopwatch
from tests.crash.child import AT_WORK
from tests.crash.journal import read

POLL_S: Final = 0.01
PATIENCE_S: Final = 60.0
ANSWERED: Final = b'{"id"'
"""How a line of the journal begins that tells of an answer."""


class Load:
    """A child at work; ``with Load(campaign)`` starts it, and kills what has not left by itself."""

    def __init__(
        self, campaign: Campaign, rest_s: float = 0.0, patience_s: float = PATIENCE_S
    ) -> None:
        """Take the campaign whose journal is written; nothing runs yet."""
        self.campaign = campaign
        self._patience_s = patience_s
        self._rest_s = rest_s
        self._read = 0
        self._answered = 0
        self._has_left = False

    def __enter__(self) -> Self:
        self.child = self.campaign.nursery.start(self.campaign.spec(rest_s=self._rest_s))
        assert self.child.told()
        assert self.child.told() == AT_WORK
        return self

    def __exit__(self, *_: object) -> None:
        if not self._has_left:
            self.child.kill()

    def answered(self) -> int:
        """Return how many commands have been answered."""
        with self.campaign.journal.open("rb") as journal:
            journal.seek(self._read)
            whole = journal.read().rpartition(b"\n")[0]
        if whole:
            self._read += len(whole) + 1
            self._answered += sum(line.startswith(ANSWERED) for line in whole.split(b"\n"))
        return self._answered

    def goes_on(self, count: int) -> bool:
        """Wait until so many more commands have been answered; say whether they were."""
        until, goal = stopwatch() + self._patience_s, self.answered() + count
        while self.answered() < goal:
            if stopwatch() > until:
                return False
            assert self.child.told(POLL_S) is None
        return True

    def broken(self, how: str) -> None:
        """Note that something was just broken, and whether commands were under way."""
        report = self.campaign.report
        report.kills += 1
        report.points[how] += 1
        lines = read(self.campaign.journal).values()
        report.in_flight += any(line.outcome is None for line in lines)

    def leave(self) -> dict[str, Any] | None:
        """Have the clients end what they are at; return what they report, or None if they don't."""
        self._has_left = True
        return self.child.leave(self._patience_s)
