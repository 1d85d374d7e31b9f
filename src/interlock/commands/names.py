"""Which names could be those of a plan or a step; whether there is one, only a store knows."""

from interlock.service.errors import NotFound


def is_plan(name: str) -> None:
    """Raise ``NotFound`` unless a name could be a plan's."""
    if not name.startswith("plan-") or "." in name:
        raise NotFound(name)


def is_step(name: str) -> None:
    """Raise ``NotFound`` unless a name could be a step's."""
    if not name.startswith("plan-") or "." not in name:
        raise NotFound(name)
