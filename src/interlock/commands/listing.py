"""Lists of units, page by page: where a page begins, and where the next one does."""

from interlock.service.errors import InvalidInput
from interlock.service.order import Reply
from interlock.store.port import Listed

DIGITS_MAX = 15


def place_of(cursor: str | None) -> tuple[int, str] | None:
    """Return the place in the order of changes that a cursor names; raises ``InvalidInput``."""
    if cursor is None:
        return None
    at, _, name = cursor.partition(".")
    if not (at.isascii() and at.isdigit()) or not name:
        raise bad_cursor()
    return int(at[:DIGITS_MAX]), name


def bad_cursor() -> InvalidInput:
    """Return how a cursor is refused that no list has given."""
    return InvalidInput("This is no cursor.", fix="Send one that an earlier list gave you.")


def amiss(listed: Listed) -> Reply:
    """Say of a unit that it cannot be read; it stands in the list among the others."""
    return {"wrong": listed.wrong} if listed.wrong else {}


def page(name: str, told: list[Reply], rows: tuple[Listed, ...], limit: int) -> Reply:
    """Return the answer to a list: its rows under a name, and a cursor if there may be more."""
    data: Reply = {name: told}
    if len(rows) == limit:
        data["cursor"] = f"{rows[-1].row.changed_at}.{rows[-1].row.id}"
    reply: Reply = {"status": "ok", "next_action": "", "legal_moves": [], "data": data}
    # What is wrong in detail may quote what somebody wrote there: it stands in the data.
    damaged = [one.row.id for one in rows if one.wrong]
    return reply | {
        "warnings": [f"{name} cannot be read; verify_audit says more." for name in damaged]
    }
