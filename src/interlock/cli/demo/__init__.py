"""``interlock demo``: one unit of each workflow from start to end, every move with its cause."""

from interlock.cli.demo.run import demo

__all__ = ["demo"]
