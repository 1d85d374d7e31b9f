"""What each process of ours makes for itself before it serves, made once in whoever forks them.

Loaded by the nursery (``tests.forking``) as the last of what it loads: tools with their schemas, the
words of the command line, statements, workflows and pages are kept by those who make them.
"""

from functools import cache
from pathlib import Path
from typing import Final

import typer.main

from interlock.app import _flows
from interlock.cli.main import app
from interlock.commands.all import COMMANDS
from interlock.config import Settings
from interlock.doors.mcp.tools import toolset, toolsets
from interlock.doors.rest.fields import fields_of
from interlock.doors.web.page import _pages
from interlock.store.migrate import own_migrations
from interlock.store.statements import statements

DIALECTS: Final = ("sqlite", "postgres")

typer.main.get_command = cache(typer.main.get_command)
typer.main.get_command(app)
_flows(Settings(Path()).lease_ms)
for one in toolsets():
    toolset(one)
for row in COMMANDS.values():
    fields_of(row)
for template in _pages.list_templates():
    _pages.get_template(template)
for dialect in DIALECTS:
    statements(dialect)
    own_migrations(dialect)
