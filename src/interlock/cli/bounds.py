"""Find a workflow by name, read the bounds of a check; wrong ones are told with what is right."""

from collections.abc import Mapping

from interlock.errors import InterlockError
from interlock.kernel.validate import nearest
from interlock.workflows.built_in import BUILT_IN, BuiltIn


class UnknownWorkflow(InterlockError):
    """There is no workflow of that name."""

    code = "UNKNOWN_WORKFLOW"
    http = 404


class UnknownPart(InterlockError):
    """The snapshot has no part of that id."""

    code = "UNKNOWN_PART"
    http = 404


class ImpossibleBounds(InterlockError):
    """A check cannot be made within these bounds."""

    code = "IMPOSSIBLE_BOUNDS"
    http = 422


def find(name: str) -> BuiltIn:
    """Return a built-in workflow, or raise ``UnknownWorkflow`` with the nearest name."""
    if name not in BUILT_IN:
        message = f"There is no workflow {name!r}; {nearest(name, frozenset(BUILT_IN))}"
        raise UnknownWorkflow(message, fix="`interlock workflow list` shows all of them.")
    return BUILT_IN[name]


def from_bounds(built: BuiltIn, given: Mapping[str, int | None]) -> int:
    """Return the bound that belongs to the workflow; another one's is refused."""
    for word, value in given.items():
        if value is not None and word != built.bound:
            message = f"A {built.flow.name} has no {word}."
            raise ImpossibleBounds(message, fix=f"Use --{built.bound}.")
    value = given[built.bound]
    return built.usual if value is None else value


def bounded(built: BuiltIn, value: int) -> int:
    """Return the bound if a check can be made with it."""
    if not 1 <= value <= built.most:
        message = f"--{built.bound} {value} cannot be checked."
        fix = f"Use a number from 1 to {built.most}; {built.usual} is usual."
        raise ImpossibleBounds(message, fix=fix)
    return value
