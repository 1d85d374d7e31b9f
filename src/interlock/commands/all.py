"""Every command by its name."""

from typing import Final

from interlock.commands import (
    audit,
    board,
    gates,
    health,
    hooks,
    library,
    logs,
    people,
    plans,
    project,
    queue,
    records,
    skills,
    tokens,
    work,
    workflows,
)
from interlock.commands.mission import rows as mission
from interlock.commands.plan import rows as plan
from interlock.commands.row import AnyCommand
from interlock.commands.ticket import rows as ticket

COMMANDS: Final[dict[str, AnyCommand]] = {
    command.name: command
    for command in (
        *plan.COMMANDS,
        *plans.COMMANDS,
        *mission.COMMANDS,
        *project.COMMANDS,
        *ticket.COMMANDS,
        *library.COMMANDS,
        *skills.COMMANDS,
        *work.COMMANDS,
        *queue.COMMANDS,
        *logs.COMMANDS,
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
