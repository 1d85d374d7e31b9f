"""What can go wrong with a working tree; every message may be shown to anybody.

Who catches one tells it to the server as the reason. What git itself said is in ``git``.
"""


class NoWorkspace(Exception):
    """There is no working tree, and why."""


class ResetFailed(Exception):
    """The tree could not be made what a commit says; nothing may be run in it."""


class CommitFailed(Exception):
    """Nothing was committed, or the branch was not where it was said to be."""


class SquashFailed(Exception):
    """There is no candidate; the branch is where it was."""


class MergeConflict(Exception):
    """Two changes do not go together; ``paths`` says where."""

    def __init__(self, message: str, paths: tuple[str, ...]) -> None:
        """Keep what does not go together."""
        super().__init__(message)
        self.paths = paths
