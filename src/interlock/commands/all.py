"""Every command by its name."""

from typing import Final

from interlock.commands import (
    audit,
    board,
    gates,
    health,
    hooks,
    library,
    people,
    plans,
    records,
    skills,
    tokens,
    work,
    workflows,
)
from interlock.commands.mission import rows as mission
from interlock.commands.plan import rows as plan
from interlock.commands.row import AnyCommand

COMMANDS: Final[dict[str, AnyCommand]] = {
    command.name: command
    for command in (
        *plan.COMMANDS,
        *plans.COMMANDS,
        *mission.COMMANDS,
        *library.COMMANDS,
        *skills.COMMANDS,
        *work.COMMANDS,
        *board.COMMANDS,
        *audit.COMMANDS,
        *records.COMMANDS,
        *workflows.COMMANDS,
        *gates.COMMANDS,
        *tokens.COMMANDS,
        *people.COMMANDS,
        *hooks.COMMANDS,
        *health.COMMANDS,
    )
}
