"""What the door itself says no with: a request that no command could make sense of."""

from interlock.errors import InterlockError


class BadRequest(InterlockError):
    """The request cannot be read."""

    code = "BAD_REQUEST"
    http = 400


class TokenInQuery(InterlockError):
    """A token came in the address, where it is written into logs and histories."""

    code = "TOKEN_IN_QUERY"
    http = 400


class WrongMethod(InterlockError):
    """The path is there, but not for this method."""

    code = "WRONG_METHOD"
    http = 405

    def __init__(self, message: str, *, fix: str = "", allow: tuple[str, ...] = ()) -> None:
        """Keep which methods there are."""
        super().__init__(message, fix=fix)
        self.allow = allow


class WrongMediaType(InterlockError):
    """The body is of a kind that is not read here."""

    code = "WRONG_MEDIA_TYPE"
    http = 415


class TooManyStreams(InterlockError):
    """More streams are open than one caller or one server may have."""

    code = "TOO_MANY_STREAMS"
    http = 429
    retryable = True
