"""What can go wrong with a call over HTTP: the server said no, or it cannot be reached."""

from collections.abc import Mapping

from interlock.errors import InterlockError
from interlock.kernel.refusal import Legal
from interlock.wire.envelope import Problem


class Refused(InterlockError):
    """The server has refused a call; each has the server's own code, which is stable."""

    code = "REFUSED_BY_SERVER"
    http = 409

    def __init__(
        self,
        told: Problem,
        http: int,
        fields: tuple[tuple[str, str], ...] = (),
        details: Mapping[str, object] | None = None,
    ) -> None:
        """Keep what the server said; ``fields`` pairs a field with what is wrong with it.

        ``details`` is what belongs to this code alone, as the server has it.
        """
        super().__init__(told.message, fix=told.fix)
        self.code = told.code
        self.http = http
        self.retryable = told.retryable
        self.legal_moves = told.legal_moves
        self.fields = fields
        self.details = details or {}

    @property
    def legal(self) -> tuple[Legal, ...]:
        """What is legal now, in the form that every refusal has."""
        return tuple(Legal("", command, ()) for command in self.legal_moves)


class Unreachable(InterlockError):
    """The server does not answer, or not as one of ours."""

    code = "SERVER_UNREACHABLE"
    http = 502
    retryable = True
