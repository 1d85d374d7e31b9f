"""What the service says no with, beside the refusals of the rules."""

from interlock.errors import InterlockError
from interlock.store.errors import CorruptState

__all__ = [
    "Conflict",
    "CorruptState",
    "EmailTaken",
    "InvalidInput",
    "LastOwner",
    "LinkNotGood",
    "NotAllowed",
    "NotFound",
    "RequestBeforeRestore",
    "RequestIdReused",
    "StaleVersion",
    "TooLarge",
    "TooManyTries",
    "Unauthenticated",
]


class NotFound(InterlockError):
    """There is no such thing, or it is not yours to see."""

    code = "NOT_FOUND"
    http = 404

    def __init__(self, name: str) -> None:
        """Name what was asked for; a foreign thing and an absent one look the same."""
        super().__init__(f"There is no {name[:80]!r}.", fix="Check the id; list what there is.")


class Conflict(InterlockError):
    """Others changed the unit again and again in between."""

    code = "CONFLICT"
    http = 409
    retryable = True


class StaleVersion(InterlockError):
    """The caller has seen an older version of the unit than the one that stands."""

    code = "STALE_VERSION"
    http = 412


class RequestIdReused(InterlockError):
    """The request id was used before, for something else."""

    code = "IDEMPOTENCY_MISMATCH"
    http = 409


class RequestBeforeRestore(InterlockError):
    """The request id was answered before the database was restored from a backup."""

    code = "REQUEST_BEFORE_RESTORE"
    http = 409


class InvalidInput(InterlockError):
    """What was sent cannot be used."""

    code = "INVALID_INPUT"
    http = 422

    def __init__(
        self, message: str, *, fix: str = "", fields: tuple[tuple[str, str], ...] = ()
    ) -> None:
        """Keep what is wrong, where it is known also with which field each mistake is."""
        super().__init__(message, fix=fix)
        self.fields = fields


class TooLarge(InterlockError):
    """What was sent is larger than is taken."""

    code = "TOO_LARGE"
    http = 413


class NotAllowed(InterlockError):
    """The caller is known, and may not do this."""

    code = "NOT_ALLOWED"
    http = 403


class Unauthenticated(InterlockError):
    """Nobody is known by this token."""

    code = "UNAUTHENTICATED"
    http = 401


class TooManyTries(InterlockError):
    """Somebody tried to log in to this account too often within a minute."""

    code = "TOO_MANY_TRIES"
    http = 429
    retryable = True


class LinkNotGood(InterlockError):
    """A link was used before, has expired, was withdrawn, or never was one."""

    code = "LINK_NOT_GOOD"
    http = 410


class LastOwner(InterlockError):
    """The tenant would be left without an owner."""

    code = "LAST_OWNER"
    http = 409


class EmailTaken(InterlockError):
    """Somebody in the tenant has this e-mail already."""

    code = "EMAIL_TAKEN"
    http = 409
