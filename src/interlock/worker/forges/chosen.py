"""Which forge a project has; a new kind gets its line here."""

from interlock.worker.forges.forge import Forge
from interlock.worker.forges.github import GitHub, slug_of
from interlock.worker.forges.local import Local


def forge_of(kind: str, repository: str) -> Forge:
    """Return the forge of a project; whether it can be reached is not asked."""
    if kind == GitHub.kind:
        return GitHub(slug_of(repository), repository)
    return Local(repository)
