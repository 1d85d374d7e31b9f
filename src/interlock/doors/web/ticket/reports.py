"""What workers report, as a page tells it: runs of commands, files that changed, attempts.

A report was judged when it came in. What is missing here reads as empty, and nothing is trusted:
every text goes through the page's own escaping.
"""

from typing import Final, NamedTuple

from interlock.doors.web.chips import Chip, Look
from interlock.ticketing.checked import Json, part, rows, text, texts

RUNS_MAX: Final = 200
"""So many runs of a report are shown."""

LOOKS: Final[dict[str, Look]] = {
    "done": "done", "passed": "done", "ready": "done", "clean": "done", "merged": "done",
    "pass": "done", "failed": "bad", "fail": "bad", "warning": "gate", "draft": "idle",
    "open": "active",
}  # fmt: skip
WORDS: Final = {"pass": "Passed", "fail": "Failed", "warning": "Warning"}


class Run(NamedTuple):
    """A command that a worker has run."""

    command: str
    exit_code: int | None
    signal: str
    is_out_of_time: bool
    seconds: float
    output: str
    is_cut: bool

    @property
    def is_green(self) -> bool:
        """Whether it ended as it should."""
        return self.exit_code == 0 and not self.is_out_of_time and not self.signal

    @property
    def chip(self) -> Chip:
        """How it ended, in a word."""
        if self.is_out_of_time:
            return Chip("bad", "Out of time")
        if self.signal:
            return Chip("bad", f"Ended by signal {self.signal}")
        if self.exit_code is None:
            return Chip("bad", "No exit code")
        return Chip("done" if self.is_green else "bad", f"Exit code {self.exit_code}")


class File(NamedTuple):
    """A file that changed."""

    path: str
    status: str
    added: int
    removed: int


class Refused(NamedTuple):
    """A file that was left out of a commit, and why."""

    path: str
    why: str


class Report(NamedTuple):
    """What a worker says it did, in an attempt or in a phase."""

    status: str
    reason: str
    note: str
    summary: str
    runs: tuple[Run, ...]
    files: tuple[File, ...]
    refused: tuple[Refused, ...]
    dirty: tuple[str, ...]
    commit: str
    diff: str
    is_cut: bool
    # What was made of it, where that is not what it says of itself.
    verdict: str

    @property
    def chip(self) -> Chip:
        """How it ended."""
        return chip_of(self.status, self.reason)

    @property
    def failed(self) -> Run | None:
        """The run that it failed by, if it was one: the last one that was not green."""
        return next((run for run in reversed(self.runs) if not run.is_green), None)

    @property
    def seconds(self) -> float:
        """How long its commands ran, all together."""
        return sum(run.seconds for run in self.runs)


class Check(NamedTuple):
    """A check before anything is built."""

    name: str
    category: str
    chip: Chip
    message: str


def chip_of(status: str, reason: str = "") -> Chip:
    """Return a word of a report as it is shown, with why where it says that."""
    word = reason.replace("_", " ") if status == "failed" and reason else status.replace("_", " ")
    told = WORDS.get(status, word[:1].upper() + word[1:])
    return Chip(LOOKS.get(status, "idle"), told or "Unknown")


def report_of(document: Json) -> Report:
    """Read a report of an attempt or a phase."""
    answer, judged = part(document, "answer"), part(document, "verdict")
    return Report(
        status=text(document, "status"), reason=text(document, "reason"),
        note=text(document, "note"), summary=text(answer, "summary") or text(document, "summary"),
        runs=runs_of(document), files=files_of(document),
        refused=tuple(
            Refused(text(one, "path"), text(one, "why")) for one in rows(document, "refused")
        ),
        dirty=tuple(texts(document, "dirty")),
        commit=text(document, "commit") or text(document, "candidate"),
        diff=_whole(document, "diff"), is_cut=document.get("diff_cut") is True,
        verdict="" if judged.get("is_good") is True else text(judged, "message"),
    )  # fmt: skip


def runs_of(document: Json) -> tuple[Run, ...]:
    """Return the commands that were run, in their order."""
    return tuple(
        Run(
            text(one, "command"), _code(one.get("exit_code")), _signal(one.get("signal")),
            one.get("timed_out") is True, _number(one.get("seconds")), _whole(one, "output"),
            one.get("output_cut") is True,
        )
        for one in rows(document, "runs")[:RUNS_MAX]
    )  # fmt: skip


def files_of(document: Json) -> tuple[File, ...]:
    """Return the files that changed."""
    return tuple(
        File(
            _whole(one, "path"), text(one, "status"), int(_number(one.get("added"))),
            int(_number(one.get("removed"))),
        )
        for one in rows(document, "files")
    )  # fmt: skip


def checks_of(document: Json) -> tuple[Check, ...]:
    """Return the checks, those first that need somebody."""
    order = ("fail", "warning")
    found = sorted(
        rows(document, "checks"),
        key=lambda one: order.index(text(one, "result")) if text(one, "result") in order else 9,
    )
    return tuple(
        Check(
            text(one, "name"),
            text(one, "category"),
            chip_of(text(one, "result")),
            text(one, "message"),
        )
        for one in found
    )


def _whole(document: Json, name: str) -> str:
    """Return a text as it is: blanks matter in a diff."""
    value = document.get(name)
    return value if isinstance(value, str) else ""


def _code(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _signal(value: object) -> str:
    return str(value) if value and isinstance(value, int | str) else ""


def _number(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and isinstance(value, int | float) else 0.0
