"""Trouble: where a unit is put whose rows were found corrupt, so that a person decides about it.

The kernel finds nothing corrupt: it only says how a workflow wants it told. A workflow that says
nothing leaves such a unit as it is; it then takes no commands.
"""

from collections.abc import Mapping
from dataclasses import dataclass

CODE = "SNAPSHOT_RECOVERY_FAILED"
"""What such a unit is blocked with."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """The event that blocks a unit, the status it has then, and the fields that say why.

    ``previous`` names the status it was in; ``lost`` is set where nobody knows that. ``error``
    holds a code and a message, ``count`` how often there was one.
    """

    event: str
    status: str
    previous: str
    lost: str
    error: str
    count: str

    def told(self, fields: Mapping[str, object], message: str) -> dict[str, object]:
        """Return what is written where the unit is blocked already, or no rule can decide it."""
        count = fields.get(self.count)
        error = {"code": CODE, "message": message}
        return {self.error: error, self.count: (count if type(count) is int else 0) + 1}
