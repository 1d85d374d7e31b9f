"""People for tests: made by invitations, as they are made anywhere, but for the first."""

from typing import Final

from interlock.service.engine import Principal
from interlock.service.people import accept, invite
from interlock.service.roles import GIVES, OWNER
from interlock.store.people import UserRow
from tests.stage import HOME, Stage

PASSWORD: Final = "a horse and a battery"  # noqa: S105 (of people who do not exist)


def setter(tenant: str = HOME) -> Principal:
    """Return an owner who sets everything up, and is nobody's row."""
    return Principal(tenant, "user", "setter", GIVES[OWNER], role=OWNER)


async def person(stage: Stage, name: str = "pam", role: str = OWNER, tenant: str = HOME) -> UserRow:
    """Make a person by an invitation."""
    secret, _ = await invite(stage.engine, setter(tenant), f"{name}@example.org", role)
    return (await accept(stage.engine, secret, name.title(), PASSWORD)).person


async def first(stage: Stage, name: str, role: str, tenant: str = HOME) -> UserRow:
    """Make a person without a password, which takes no time: behind everybody's back."""
    at = stage.engine.store.now()
    columns = "tenant, id, email, name, role, created_at"
    values = f"'{tenant}', '{name}', '{name}@example.org', '{name.title()}', '{role}', {at}"
    await stage.sql(f"INSERT INTO users ({columns}) VALUES ({values})")  # noqa: S608 (ours)
    row = await stage.engine.store.people.user(tenant, name)
    assert row is not None
    return row
