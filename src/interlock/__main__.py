"""``python -m interlock``: the same as the command ``interlock``."""

from interlock.cli.main import run

run()
