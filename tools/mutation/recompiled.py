"""A plugin of pytest: every workflow is compiled again before tests run, and examples are few.

mutmut switches a mutant on when the test files are loaded already, and with them the workflows.
What was compiled then, and what was remembered since, would hide whatever the mutant changes.
Of an example that fails nobody wants the smallest: looking for it takes longer than the test.
"""

import sys
from dataclasses import fields

from hypothesis import Phase, settings

from interlock.kernel.table import Table, compile_table
from interlock.kernel.workflow import Workflow

# Always the same examples, so that a verdict can be had again.
settings.register_profile(
    "mutation",
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)


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
