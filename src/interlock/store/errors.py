"""What goes wrong with a database, in words that are the same for every kind of database.

Driver errors become these where they are caught, in the stores alone, always ``from`` the cause.
"""

from interlock.errors import InterlockError


class StoreError(InterlockError):
    """The database cannot do what was asked."""

    code = "STORE_ERROR"
    http = 503


class StoreUnavailable(StoreError):
    """The database does not answer; the same command may succeed later."""

    code = "STORE_UNAVAILABLE"
    retryable = True


class StoreBusy(StoreError):
    """Others kept the database locked for too long; nothing was applied."""

    code = "STORE_BUSY"
    retryable = True


class StoreFull(StoreError):
    """There is no room left on the disk; nothing was applied."""

    code = "STORE_FULL"
    http = 507
    retryable = True


class StoreBroken(StoreError):
    """Writing has failed: no commands are taken until a restart; then send the same ones again."""

    code = "STORE_BROKEN"
    retryable = True


class NotADatabase(StoreError):
    """The file is not one of our databases, or is damaged."""

    code = "NOT_A_DATABASE"


class NotWritable(StoreError):
    """The database or its folder cannot be written."""

    code = "STORE_NOT_WRITABLE"


class DurabilityRefused(StoreError):
    """A setting would let acknowledged work be lost, and nobody has allowed that."""

    code = "DURABILITY_REFUSED"


class TenantErased(StoreError):
    """The tenant was erased by its owner; nothing can be read of it or done for it any more."""

    code = "TENANT_ERASED"
    http = 410

    def __init__(self) -> None:
        """Say what is left to do; nothing is told of the tenant."""
        fix = "Work for another tenant; on this machine, with another data folder."
        super().__init__("This tenant was erased.", fix=fix)


class CorruptState(InterlockError):
    """What is stored contradicts its audit or its rules; the unit takes no commands."""

    code = "CORRUPT_STATE"
    http = 500

    def __init__(self, name: str, what: str) -> None:
        """Name the unit or part, and what is wrong with it."""
        self.unit = name.partition(".")[0]
        fix = f"Run `interlock audit verify --unit {self.unit}`; restore a backup."
        super().__init__(f"{name} cannot be used: {what}.", fix=fix)
