"""The built-in workflows by name, and what a check of each covers.

A fourth workflow is one more package beside this module and one more row here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from interlock.kernel.check.scope import Scope
from interlock.kernel.workflow import Workflow
from interlock.workflows.mission.scope import scope as mission_scope
from interlock.workflows.mission.workflow import WORKFLOW as MISSION
from interlock.workflows.plan.scope import scope as plan_scope
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from interlock.workflows.ticket.scope import scope as ticket_scope
from interlock.workflows.ticket.workflow import WORKFLOW as TICKET


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A workflow that comes with the product, and how large a check of it may be.

    ``bound`` is the word of its main bound; ``usual`` is explored unless told otherwise.
    """

    flow: Workflow
    scope: Callable[[int], Scope]
    bound: str
    usual: int
    most: int


BUILT_IN: Final[Mapping[str, BuiltIn]] = MappingProxyType(
    {
        "plan": BuiltIn(PLAN, plan_scope, "steps", usual=3, most=5),
        "mission": BuiltIn(MISSION, mission_scope, "hops", usual=2, most=4),
        "ticket": BuiltIn(TICKET, ticket_scope, "beads", usual=3, most=5),
    }
)

WORKFLOWS: Final[Mapping[str, Workflow]] = MappingProxyType(
    {name: built.flow for name, built in BUILT_IN.items()}
)
