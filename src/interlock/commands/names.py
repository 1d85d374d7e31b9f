"""Which names could be those of a unit or part of a workflow; whether there is one, a store knows."""

from interlock.service.errors import NotFound


def is_plan(name: str) -> None:
    """Raise ``NotFound`` unless a name could be a plan's."""
    if not name.startswith("plan-") or "." in name:
        raise NotFound(name)


def is_step(name: str) -> None:
    """Raise ``NotFound`` unless a name could be a step's."""
    if not name.startswith("plan-") or "." not in name:
        raise NotFound(name)


def is_mission(name: str) -> None:
    """Raise ``NotFound`` unless a name could be a mission's."""
    if not name.startswith("mission-") or "." in name:
        raise NotFound(name)


def is_of_mission(name: str) -> None:
    """Raise ``NotFound`` unless a name could be that of a part of a mission."""
    if not name.startswith("mission-") or "." not in name:
        raise NotFound(name)


def is_ticket(name: str) -> None:
    """Raise ``NotFound`` unless a name could be a ticket's."""
    if not name.startswith("ticket-") or "." in name:
        raise NotFound(name)
