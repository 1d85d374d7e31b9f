"""``interlock demo``: one unit of each workflow from start to end, every move with its cause."""

from interlock.cli.demo.run import demo, plays

__all__ = ["demo", "plays"]
