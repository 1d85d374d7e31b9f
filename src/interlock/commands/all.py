"""Every command by its name."""

from typing import Final

from interlock.commands import library, plan, work
from interlock.commands.row import AnyCommand

COMMANDS: Final[dict[str, AnyCommand]] = {
    command.name: command for command in (*plan.COMMANDS, *library.COMMANDS, *work.COMMANDS)
}
