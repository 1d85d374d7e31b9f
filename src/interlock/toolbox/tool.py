"""What a tool is: a name, two JSON Schemas, what it needs, and a callable. And how one fails.

Which tools there are is in ``catalog``; running one so that it can be ended is in ``child``.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from interlock.toolbox.around import Around

Schema = Mapping[str, object]
Run = Callable[[Mapping[str, object], Around], object | Awaitable[object]]
"""Takes arguments that fit the parameters; returns a result that fits. It may be a coroutine."""

NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_./-]{1,128})?")

TRANSIENT: Final = "transient"
VALIDATION: Final = "validation"
CONFIGURATION: Final = "configuration"
USER_CORRECTABLE: Final = "user_correctable"
RESOURCE_UNAVAILABLE: Final = "resource_unavailable"
SYSTEM: Final = "system"
UNHANDLED: Final = "unhandled"
FAILURES: Final = (
    TRANSIENT, VALIDATION, CONFIGURATION, USER_CORRECTABLE, RESOURCE_UNAVAILABLE, SYSTEM, UNHANDLED,
)  # fmt: skip
"""The classes of failure; what follows from each is the workflow's."""


class Described(NamedTuple):
    """A tool as validation, listings and agents need it: nothing of it runs."""

    name: str
    doc: str
    parameters: Schema
    result: Schema
    resources: tuple[str, ...] = ()
    # How many seconds it may run; as long as others may, where it does not say.
    deadline_s: int | None = None


class ToolFailure(Exception):
    """A tool could not do its work, and knows of which class that is."""

    def __init__(
        self, failure: str, message: str, *, detail: str = "", resource_down: bool = False
    ) -> None:
        """Keep what failed; a class that nobody knows counts as unhandled."""
        super().__init__(message)
        self.failure = failure if failure in FAILURES else UNHANDLED
        self.message = message
        self.detail = detail
        self.resource_down = resource_down


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. Both schemas are of objects: a result's properties are its named outputs."""

    name: str
    doc: str
    parameters: Schema
    result: Schema
    resources: tuple[str, ...]
    run: Run
    deadline_s: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no listing could show and no mapping could name."""
        if not NAME.fullmatch(self.name):
            raise ValueError(f"{self.name[:80]!r} is no name of a tool: letters, digits, _ and -")
        for what, schema in (("parameters", self.parameters), ("result", self.result)):
            if schema.get("type") != "object":
                raise ValueError(f"the {what} of {self.name} are no JSON Schema of an object")
        if self.deadline_s is not None and self.deadline_s < 1:
            raise ValueError(f"the deadline of {self.name} is {self.deadline_s} s")

    @property
    def described(self) -> Described:
        """The tool without what runs."""
        return Described(
            self.name, self.doc, self.parameters, self.result, self.resources, self.deadline_s
        )


def tool(
    *,
    name: str,
    doc: str,
    parameters: Schema,
    result: Schema,
    resources: tuple[str, ...] = (),
    deadline_s: int | None = None,
) -> Callable[[Run], Tool]:
    """Make a tool of the function below: it is called with the arguments and what is around it."""

    def decorate(run: Run) -> Tool:
        return Tool(name, doc, parameters, result, resources, run, deadline_s)

    return decorate
