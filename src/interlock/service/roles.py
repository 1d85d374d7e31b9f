"""Roles: what a person is in their tenant, what that lets them do, and whom they may change.

A role is read anew for every request, so whoever loses one loses what it gave at once. Nobody
but an owner makes an owner, or changes one.
"""

from typing import Final

from interlock.kernel.rules import USER
from interlock.service.engine import Principal
from interlock.service.errors import NotAllowed
from interlock.store.people import UserRow

OWNER: Final = "owner"
ADMIN: Final = "admin"
ROLES: Final = (OWNER, ADMIN, "member", "viewer")
GIVES: Final = {
    OWNER: frozenset({"read", "work", "decide", "admin"}),
    ADMIN: frozenset({"read", "work", "decide", "admin"}),
    "member": frozenset({"read", "work", "decide"}),
    "viewer": frozenset({"read"}),
}


def as_person(row: UserRow, session: str = "") -> Principal:
    """Return a person as they act: with all that their role gives."""
    return Principal(row.tenant, USER, row.id, GIVES[row.role], session, role=row.role)


def require_person(caller: Principal, what: str) -> None:
    """Raise unless a person is calling: else an agent could make itself one."""
    if caller.kind != USER:
        message = f"{what} is for people; you are {caller.kind}."
        raise NotAllowed(message, fix="Ask a person who is an admin to do it.")


def require_rank(caller: Principal, role: str, what: str) -> None:
    """Raise where an owner is concerned and the caller is none."""
    if role == OWNER and caller.role != OWNER:
        message = f"{what}: only an owner may do that."
        raise NotAllowed(message, fix="Ask an owner to do it.")


def require_gift(caller: Principal, role: str, what: str) -> None:
    """Raise where a role gives more than the caller has, by whatever way they came in."""
    require_rank(caller, role, what)
    missing = sorted(GIVES[role] - caller.scopes)
    if missing:
        message = f"You cannot give what you do not have: {', '.join(missing)}."
        raise NotAllowed(message, fix="Ask somebody who has it, or log in yourself.")
