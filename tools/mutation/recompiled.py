"""A plugin of pytest: every workflow is compiled again before tests run.

mutmut switches a mutant on when the test files are loaded already, and with them the workflows.
What was compiled then, and what was remembered since, would hide whatever the mutant changes.
"""

import sys
from dataclasses import fields

from interlock.kernel.table import Table, compile_table
from interlock.kernel.workflow import Workflow


def pytest_collection_finish() -> None:
    """Compile each workflow that a module of ours holds, in place: others hold its table."""
    loaded = [
        module for name, module in sys.modules.items() if name.startswith(("interlock", "tests"))
    ]
    held = [value for module in loaded for value in vars(module).values()]
    for flow in {id(value): value for value in held if isinstance(value, Workflow)}.values():
        fresh = compile_table(flow)
        for field in fields(Table):
            setattr(flow.table, field.name, getattr(fresh, field.name))
