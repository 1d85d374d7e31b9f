"""Runs campaigns leg by leg, each leg in a process of its own, and writes down each that is done.

A run that was stopped goes on where it was: what ``torture.json`` holds is not run again. A leg in
its own process keeps a planted bug out of everything else, and a leg that hangs is a finding. When
a run is stopped its legs end with all that they have started.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

from interlock.family import end_kin, kin_of
from tests.torture.bugs import Bug, caught
from tests.torture.frame import Campaign, Leg, Tried

ROOT: Final = Path(__file__).parents[2]
SHOWN_MAX: Final = 400
LEAVE_S: Final = 10.0
"""How long those below a killed leg may take to clear away after it, as the wardens of servers do."""


@dataclass(frozen=True, slots=True)
class Job:
    """One leg to run: a part of a campaign, or a bug that it must find."""

    key: str
    campaign: Campaign
    seed: int
    amount: int
    bug: Bug | None = None

    def line(self) -> str:
        """Return the command that runs exactly this again."""
        planted = f" --bug '{self.bug.name}'" if self.bug else ""
        return (
            f"python -m tests.torture leg {self.campaign.name}"
            f" --seed {self.seed} --amount {self.amount}{planted}"
        )


def jobs(
    campaigns: Mapping[str, Campaign], bugs: Sequence[Bug], share: float, seed: int
) -> Iterator[Job]:
    """Return every leg of a run: the bugs first, for a campaign that misses its bug proves nothing."""
    for bug in bugs:
        if bug.campaign in campaigns:
            yield Job(f"bug {bug.name}", campaigns[bug.campaign], bug.seed, bug.amount, bug)
    for one in campaigns.values():
        left = max(1, round(one.long * share))
        for number in range(-(-left // one.leg)):
            amount = min(one.leg, left - number * one.leg)
            yield Job(f"{one.name} {number}", one, seed + number, amount)


class Legs:
    """The processes of the legs that run, each the leader of a session of its own."""

    def __init__(self) -> None:
        """Have none yet."""
        self._lock = Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._is_stopped = False

    def start(self, arguments: Sequence[str]) -> "subprocess.Popen[str]":
        """Start a leg; raises once all were stopped, for nobody would end this one."""
        with self._lock:
            if self._is_stopped:
                message = "the run is being stopped"
                raise RuntimeError(message)
            started = subprocess.Popen(
                [sys.executable, "-m", "tests.torture", *arguments],
                cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                start_new_session=True,
            )  # fmt: skip
            self._running.add(started)
        return started

    def end(self, started: "subprocess.Popen[str]") -> None:
        """End a leg, if it has not ended, and what is left of its group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(started.pid, signal.SIGKILL)
        started.communicate()
        with self._lock:
            self._running.discard(started)

    def stop(self) -> None:
        """End all legs and whatever they have left below this process, and start no more."""
        with self._lock:
            self._is_stopped = True
            running = [*self._running]
        for started in running:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(started.pid, signal.SIGKILL)
        until = time.monotonic() + LEAVE_S
        while kin_of(os.getpid()) and time.monotonic() < until:
            time.sleep(0.05)
        end_kin(os.getpid())


def play(job: Job, legs: Legs | None = None) -> dict[str, Any]:
    """Run a leg in a process of its own; return what it came to, as it is written down."""
    legs = legs or Legs()
    arguments = ["leg", job.campaign.name, "--seed", str(job.seed), "--amount", str(job.amount)]
    if job.bug:
        arguments += ["--bug", job.bug.name]
    started = legs.start(arguments)
    try:
        told, wrong = started.communicate(timeout=job.campaign.patience_s)
    except subprocess.TimeoutExpired:
        return _told(job, Tried({}, {}, [f"no end after {job.campaign.patience_s:.0f} s"]))
    finally:
        legs.end(started)
    if started.returncode:
        return _told(job, Tried({}, {}, [f"the leg broke: {wrong[-SHOWN_MAX:].strip()}"]))
    return _told(job, Tried(**json.loads(told.splitlines()[-1])))


def _told(job: Job, tried: Tried) -> dict[str, Any]:
    told = {"campaign": job.campaign.name, "run again": job.line(), **tried.told()}
    if job.bug:
        told["bug"] = job.bug.name
        told["caught"] = caught(job.bug, [*tried.findings])
    return told


def leg(campaign: Campaign, seed: int, amount: int, bug: str) -> Tried:
    """Run a leg here, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="torture-") as folder:
        return campaign.run(Leg(seed, amount, Path(folder), bug))


def play_all(
    todo: Sequence[Job], at_once: int
) -> Generator[tuple[Job, dict[str, Any]], None, None]:
    """Run legs, so many at once; return each as it ends."""
    legs = Legs()
    with ThreadPoolExecutor(at_once) as pool:
        running = {pool.submit(play, job, legs): job for job in todo}
        try:
            for done in as_completed(running):
                yield running[done], done.result()
        finally:
            # Stopped by hand: what has not begun does not begin, what runs is ended.
            pool.shutdown(wait=False, cancel_futures=True)
            legs.stop()


def commit() -> str:
    """Return what the tree was made of: a run goes on with the same one only."""
    asked: Sequence[str] = ("git", "-C", str(ROOT), "rev-parse", "HEAD")
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
