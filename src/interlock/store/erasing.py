"""Erasing a tenant: what is erased, in which order, and what it comes to; both stores go by it.

Everything that was said by or of a tenant goes, in one transaction. What stays is in the tables of
tenants, units, audit and acts: ids, instants, hashes, and who has erased it. Each store then sees
to it that no byte of the rest is left in its files.
"""

from typing import Final, NamedTuple

ERASES: Final = (
    "erase_chunks", "erase_jobs", "erase_documents", "erase_artifacts",
    "erase_contents", "erase_links", "erase_conditions", "erase_logs",
    "erase_feedback", "erase_gates", "erase_cards", "erase_skills",
    "erase_tags", "erase_parts", "erase_replies", "erase_calls",
    "erase_usage", "erase_deliveries", "erase_hooks", "erase_link_keys",
    "erase_projects", "erase_sessions", "erase_logins", "erase_invitations",
    "erase_tokens", "erase_users", "erase_acts",
    "erase_audit", "erase_units",
)  # fmt: skip
"""The statements that erase a tenant, each after those whose rows refer to its own."""


class Erased(NamedTuple):
    """What erasing came to: when it was, how much went, and where bytes may be left."""

    at: int
    rows: int
    entries: int
    # Files beside the database that have it, too; whoever keeps them must see to them.
    left: tuple[str, ...] = ()
