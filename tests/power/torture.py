"""Power cuts of a SQLite file and faults of its disk, as campaigns."""

import asyncio
import random
import shutil
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tests.planted.in_child import ACK_BEFORE_COMMIT
from tests.power import log
from tests.power.audit import Auditor
from tests.power.child import JOURNAL, Nursery, Spec, nursery
from tests.power.library import BUILT, fast_folder, lacks, watched
from tests.power.recording import Image, Recording, lay_out
from tests.torture.frame import Campaign, Leg, Tried

IMAGES_A_RECORDING: Final = 250
COMMANDS: Final = 60
LIVES: Final = 2
THOROUGH: Final = 10
"""One image of so many is looked at thoroughly."""

NORMAL: Final = "synchronous normal"
LIES: Final = "the log is not synced"
FOUND_MAX: Final = 20


class Cuts:
    """A leg: recordings, each on what a cut of the one before has left."""

    def __init__(self, leg: Leg, folder: Path, children: Nursery) -> None:
        """Take where the files are to be."""
        self.leg = leg
        self.folder = folder
        self.children = children
        self.chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
        self.auditor = Auditor()
        self.findings: list[str] = []
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    async def run(self) -> None:
        """Record, cut and look until all images are made."""
        left, start = self.leg.amount, None
        while left > 0 and len(self.findings) < FOUND_MAX:
            amount = min(left, IMAGES_A_RECORDING)
            start = await self._look(self._record(start), amount)
            left -= amount

    def _record(self, start: Image | None) -> Recording:
        number = self.counts["recordings"]
        root = self.folder / f"root{number}"
        files = {**start.files, JOURNAL: start.written} if start else {}
        lay_out(files, root)
        path = self.folder / f"log{number}"
        around = watched(root, log=path) | ({"POWER_LIES": "-wal"} if self.leg.bug == LIES else {})
        told = self.children.run(
            Spec(
                str(root), self.chance.getrandbits(32), COMMANDS, LIVES,
                synchronous="normal" if self.leg.bug == NORMAL else "full",
                bug=self.leg.bug if self.leg.bug == ACK_BEFORE_COMMIT else "",
                is_closing=self.chance.random() < 0.5, around=around,
            )
        )  # fmt: skip
        recording = Recording(root, log.read(path), files)
        self.findings += [f"recording {number}: {code}" for code in told.errors]
        self.counts["recordings"] += 1
        self.counts["commands"] += told.asked
        self.counts["syncs"] += sum(record.what == log.SYNC for record in recording.records)
        return recording

    async def _look(self, recording: Recording, amount: int) -> Image:
        """Look at images of a recording; return one to go on with."""
        images = recording.images(amount, self.chance)
        goes_on = self.chance.randrange(amount)
        for number, image in enumerate(images):
            file = lay_out(image.files, self.folder / "image")
            is_thorough = number % THOROUGH == 0
            found = await self.auditor.look(file, image.journal, is_thorough=is_thorough)
            self.counts["images"] += 1
            self.faults["power cut"] += 1
            if number <= goes_on:
                kept = image
            if found:
                self._found(recording, image, found)
            if len(self.findings) >= FOUND_MAX:
                break
        return kept

    def _found(self, recording: Recording, image: Image, found: list[str]) -> None:
        where = f"cut at {image.cut} of {len(recording.records)}"
        self.findings += [f"{where}: {finding}" for finding in found[:2]]
        if not self.leg.bug:
            # What a seed repeats is not the same to the byte: so the image itself is kept.
            lay_out(image.files, BUILT / "found" / f"{self.leg.seed}-{self.counts['images']}")


def cut_power(leg: Leg) -> Tried:
    """Cut the power so often, at any place of what children did to their files."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=fast_folder() or leg.folder)))
        cuts = Cuts(leg, folder, stack.enter_context(nursery()))
        asyncio.run(cuts.run())
    counts = {**cuts.counts, "units verified": cuts.auditor.verified}
    return Tried(counts, cuts.faults, cuts.findings)


POWER: Final = Campaign(
    "power", ("P1", "P2"), "images", 500, 20_000, 500, cut_power, lacks=lacks
)
