"""Timers: an event that is due some time after a status was entered, unless it is left before.

The kernel has no clock. Here it is only said, from how a thing stood and stands, whether its time
begins, goes on or ends; a store keeps when that is, and a sweeper sends the event.
"""

from dataclasses import dataclass
from typing import Final

from interlock.kernel.seen import Part, Unit

MS: Final = 1000

GOES_ON: Final = -1
"""In place of a duration: the time that a thing has is the one it keeps."""

ENDS: Final = 0
"""In place of a duration: there is no time any more."""


@dataclass(frozen=True, slots=True)
class Timer:
    """When time is up for a unit or a part of some kind, and what happens then.

    ``field`` holds how long it has, in seconds; with nothing in it there is no end. Its time runs
    in the statuses ``during``, where ``when`` names a field only while that is set. It begins when
    they are entered from elsewhere, and anew when one of ``anew`` is entered, one of the events
    ``renewed`` is about it, or what ``when`` names is set to something else. ``reason`` goes with
    the event.
    """

    field: str
    event: str
    during: tuple[str, ...]
    anew: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()
    when: str = ""
    reason: str = ""

    def lasts_ms(self, thing: Unit | Part | None) -> int:
        """Return how long a thing has as it stands; 0 where no time runs."""
        if thing is None or thing.status not in self.during:
            return 0
        fields = thing.fields
        lasts = fields.get(self.field)
        is_on = not self.when or bool(fields.get(self.when))
        return lasts * MS if is_on and isinstance(lasts, int) and lasts > 0 else 0

    def goes(
        self, before: Unit | Part | None, after: Unit | Part | None, *, is_renewed: bool = False
    ) -> int | None:
        """Say what has become of a thing's time: how long it has from now on, or how it stays.

        That is ``GOES_ON``, ``ENDS``, or None where no time ran and none begins.
        """
        had, has = self.lasts_ms(before), self.lasts_ms(after)
        if not has or before is None or after is None:
            return has or (ENDS if had else None)
        is_entered = after.status != before.status and after.status in self.anew
        is_other = before.fields.get(self.when) != after.fields.get(self.when)
        return has if had != has or is_entered or is_other or is_renewed else GOES_ON
