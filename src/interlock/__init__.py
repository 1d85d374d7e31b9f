"""Interlock keeps the place of long agent work, as state machines that lock into each other.

Only the version is here: import everything else from the module that owns it.
"""

__version__ = "0.1.0"
