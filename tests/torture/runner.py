"""Runs campaigns leg by leg, each leg in a process of its own, and writes down each that is done.

A run that was stopped goes on where it was: what ``torture.json`` holds is not run again. A leg in
its own process keeps a planted bug out of everything else, and a leg that hangs is a finding.
"""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.torture.bugs import Bug, caught
from tests.torture.frame import Campaign, Leg, Tried

ROOT: Final = Path(__file__).parents[2]
SHOWN_MAX: Final = 400


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


def play(job: Job) -> dict[str, Any]:
    """Run a leg in a process of its own; return what it came to, as it is written down."""
    arguments = ["leg", job.campaign.name, "--seed", str(job.seed), "--amount", str(job.amount)]
    if job.bug:
        arguments += ["--bug", job.bug.name]
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.torture", *arguments],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        told, wrong = started.communicate(timeout=job.campaign.patience_s)
    except subprocess.TimeoutExpired:
        started.send_signal(signal.SIGTERM)
        try:
            started.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            started.kill()
            started.communicate()
        return _told(job, Tried({}, {}, [f"no end after {job.campaign.patience_s:.0f} s"]))
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


def play_all(todo: Sequence[Job], at_once: int) -> Iterator[tuple[Job, dict[str, Any]]]:
    """Run legs, so many at once; return each as it ends."""
    with ThreadPoolExecutor(at_once) as pool:
        running = {pool.submit(play, job): job for job in todo}
        try:
            for done in as_completed(running):
                yield running[done], done.result()
        finally:
            # Stopped by hand: what has not begun does not begin.
            pool.shutdown(wait=False, cancel_futures=True)
