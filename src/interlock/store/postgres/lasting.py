"""How well a server keeps what it acknowledges, as it is set up now.

A commit waits for the disk of this server, and where standbys are named for that of one of them.
Whoever weakens that while we run takes something from what we tell our callers, so they are told.
What a connection waits for is fixed when it begins (``trips``); all else is asked of the server.
"""

from collections.abc import Collection, Mapping
from typing import Final

COMMIT: Final = "synchronous_commit"
STANDBYS: Final = "synchronous_standby_names"

RANKS: Final = ("off", "local", "remote_write", "on", "remote_apply")
"""What a commit waits for, ever more: nothing, our disk, a standby, its disk, its readers."""

LOST: Final = ("fsync", "full_page_writes")
NO_STANDBY: Final = "no standby is named any more"


def waits_less(one: str, other: str) -> bool:
    """Say whether a commit waits for less with one setting than with another."""
    return RANKS.index(one) < RANKS.index(other)


class Lasting:
    """What one process knows of one server: what it is set to, and what it was."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._had_standby = False

    def losses(self, facts: Mapping[str, str], waits: Collection[str]) -> tuple[str, ...]:
        """Say what could lose an acknowledged commit; ``waits`` is how our connections commit."""
        found = [name for name in LOST if facts[name] == "off"]
        has_standby = bool(facts[STANDBYS].strip())
        # A cluster that has lost its last standby goes on alone: what was on two disks is on one.
        if self._had_standby and not has_standby:
            found.append(NO_STANDBY)
        self._had_standby = self._had_standby or has_standby
        least = "on" if has_standby else "local"
        found += sorted({f"{COMMIT} is {one}" for one in waits if waits_less(one, least)})
        return tuple(found)
