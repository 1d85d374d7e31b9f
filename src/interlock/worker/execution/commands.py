"""Commands of others, run by us in a working tree: contained, and recorded.

What counts is how a command ended. What an agent says of a command counts for nothing.
"""

import asyncio
from pathlib import Path
from typing import Final, NamedTuple

from interlock.worker.process import Ended, run, scrubbed

OUTPUT_MAX: Final = 50_000
SHELL: Final = "/bin/sh"
QUIET: Final = {
    # What a run leaves in the tree could be taken for work.
    "PYTHONDONTWRITEBYTECODE": "1", "CI": "1", "NO_COLOR": "1",
}  # fmt: skip


class Run(NamedTuple):
    """A command that was run, as it is told."""

    command: str
    exit_code: int | None
    signal: int
    timed_out: bool
    seconds: float
    output: str
    output_cut: bool

    @property
    def is_green(self) -> bool:
        """Whether it ended by itself, and well."""
        return self.exit_code == 0 and not self.timed_out

    def told(self) -> dict[str, object]:
        """Return it as a report has it."""
        return {**self._asdict(), "seconds": round(self.seconds, 3)}

    def ended(self) -> str:
        """Say in a few words how it ended."""
        if self.timed_out:
            return f"did not end within {self.seconds:.0f} s"
        if self.exit_code is None:
            return f"was ended by signal {self.signal}"
        return f"ended with {self.exit_code}"


class Place(NamedTuple):
    """Where commands run."""

    folder: Path
    home: Path


async def run_one(place: Place, command: str, until_s: float) -> Run:
    """Run a command in the shell; cancelling this ends it, with all that it has started."""
    left_s = max(until_s - asyncio.get_running_loop().time(), 0.1)
    ended = await run(
        (SHELL, "-c", command), folder=place.folder, env=scrubbed(place.home, QUIET),
        deadline_s=left_s, output_max=4 * OUTPUT_MAX,
    )  # fmt: skip
    return _run(command, ended)


def _run(command: str, ended: Ended) -> Run:
    output = ended.text[-OUTPUT_MAX:]
    is_cut = ended.is_cut or len(output) < len(ended.text)
    return Run(
        command, ended.code, ended.signal, ended.timed_out, ended.seconds, output, is_cut
    )  # fmt: skip


def told_of(run: Run, most: int = 600) -> str:
    """Say what went wrong with a command, with the end of what it said."""
    tail = run.output.strip()[-most:]
    return f"{run.command!r} {run.ended()}." + (f" It said at last:\n{tail}" if tail else "")
