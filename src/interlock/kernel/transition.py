"""A move that a machine does not have, as an error: what was asked, and what is legal instead.

``decide`` refuses by rules and says so by a ``Refusal``; this is for whoever asks a machine alone.
"""

from interlock.errors import InterlockError
from interlock.kernel.machine import Machine
from interlock.kernel.validate import nearest


class InvalidTransition(InterlockError):
    """No edge of the map leads from the one status to the other."""

    code = "INVALID_TRANSITION"
    http = 409

    def __init__(self, machine: Machine, source: str, target: str) -> None:
        """Say what was asked, what is legal instead, and where a name is wrong."""
        names = frozenset(machine.names())
        unknown = next((name for name in (source, target) if name not in names), None)
        self.source = source
        self.target = target
        self.legal = () if source not in names else machine.targets(source)
        if unknown is not None:
            message = f"A {machine.name} has no status {unknown!r}; {nearest(unknown, names)}"
        else:
            message = f"A {machine.name} cannot go from {source} to {target}."
        if source not in names:
            fix = f"Statuses of a {machine.name}: {', '.join(machine.names())}."
        else:
            legal = ", ".join(self.legal) or "nothing: the status is terminal"
            fix = f"Legal from {source}: {legal}."
        super().__init__(message, fix=fix)
