"""Power cuts of a SQLite file and faults of its disk, as campaigns."""

import asyncio
import errno
import random
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from interlock.clock import SystemClock
from interlock.service.engine import Engine
from interlock.store.sqlite.store import SqliteStore
from tests.crash.child import RUNNING
from tests.crash.journal import read
from tests.crash.judge import judge
from tests.native import BUILT, lacks_compiler
from tests.power import log
from tests.power.audit import Auditor
from tests.power.child import FILE, JOURNAL, Nursery, Spec, Told, nursery
from tests.power.library import fast_folder, order, watched
from tests.power.planted import LIES, NORMAL
from tests.power.recording import Image, Recording, lay_out
from tests.torture.frame import Campaign, Leg, Tried

IMAGES_A_RECORDING: Final = 250
COMMANDS: Final = 60
LIVES: Final = 2
THOROUGH: Final = 10
"""One image of so many is looked at thoroughly."""

FOUND_MAX: Final = 20

PLACES: Final = (
    ("write", "-wal", 400),
    ("sync", "-wal", 40),
    ("write", ".db", 200),
    ("sync", ".db", 8),
)
"""What fails, of which files, and after how many of the same at most."""

ERRORS: Final = {"STORE_BROKEN", "STORE_FULL"}
"""What clients may be told then."""


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
        around = watched(root, log=path)
        if self.leg.bug in LIES:
            around["POWER_LIES"] = LIES[self.leg.bug]
        told = self.children.run(
            Spec(
                str(root), self.chance.getrandbits(32), COMMANDS, LIVES,
                synchronous="normal" if self.leg.bug == NORMAL else "full",
                bug=self.leg.bug,
                is_closing=self.chance.random() < 0.5, around=around,
            )
        )  # fmt: skip
        recording = Recording(root, log.read(path), files)
        path.unlink()  # memory is scarce in some containers
        self.findings += [f"recording {number}: {code}" for code in told.errors]
        self.counts["recordings"] += 1
        self.counts["commands"] += told.asked
        self.counts["syncs"] += sum(record.what == log.SYNC for record in recording.records)
        return recording

    async def _look(self, recording: Recording, amount: int) -> Image | None:
        """Look at images of a recording; return one to go on with."""
        images = recording.images(amount, self.chance)
        last, goes_on = self.chance.randrange(amount), None
        for number, image in enumerate(images):
            file = lay_out(image.files, self.folder / "image")
            is_thorough = number % THOROUGH == 0
            found = await self.auditor.look(file, image.journal, is_thorough=is_thorough)
            self.counts["images"] += 1
            self.faults["power cut"] += 1
            if number == last:
                goes_on = image
            if found:
                self._found(recording, image, found)
            if len(self.findings) >= FOUND_MAX:
                break
        return goes_on

    def _found(self, recording: Recording, image: Image, found: list[str]) -> None:
        where = f"cut at {image.cut} of {len(recording.records)}"
        self.findings += [f"{where}: {finding}" for finding in found[:2]]
        if not self.leg.bug:
            # What a seed repeats is not the same to the byte: so the image itself is kept.
            lay_out(
                image.files, BUILT.parent / "power" / f"{self.leg.seed}-{self.counts['images']}"
            )


def cut_power(leg: Leg) -> Tried:
    """Cut the power so often, at any place of what children did to their files."""
    with ExitStack() as stack:
        cuts = Cuts(leg, _folder(stack, leg), nursery())
        asyncio.run(cuts.run())
    counts = {**cuts.counts, "units verified": cuts.auditor.verified}
    return Tried(counts, dict(cuts.faults), cuts.findings)


def _folder(stack: ExitStack, leg: Leg) -> Path:
    where = fast_folder() or leg.folder
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="power-", dir=where)))


POWER: Final = Campaign(
    "power", ("P1", "P2"), "images", 500, 20_000, 500, cut_power, lacks=lacks_compiler
)


# -- faults of the disk ------------------------------------------------------------------------------


class Faults:
    """A leg: children on one file, each with a fault of its disk; judged when all are over."""

    def __init__(self, leg: Leg, root: Path, children: Nursery) -> None:
        """Take where the files are."""
        self.leg = leg
        self.root = root
        self.children = children
        self.chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
        self.findings: list[str] = []
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def run(self) -> None:
        """Let so many faults hit; some come too late for their child, and others are tried."""
        self._child(Spec(str(self.root), self.chance.getrandbits(32), COMMANDS))
        while self.counts["faults"] < self.leg.amount and len(self.findings) < FOUND_MAX:
            self._fault()
        self._child(Spec(str(self.root), self.chance.getrandbits(32), 1))

    def _fault(self) -> None:
        what, ending, skip = self.chance.choice(PLACES)
        error = self.chance.choice((errno.EIO, errno.ENOSPC))
        switch = self.root.with_name("switch")
        times = self.chance.choice((1, 3, 1_000 if error == errno.EIO else 9))
        order(switch, what, ending, error, skip=self.chance.randint(0, skip), times=times)
        told = self._child(
            Spec(
                str(self.root), self.chance.getrandbits(32), COMMANDS, bug=self.leg.bug,
                # Of a full disk SQLite knows before anything has happened: room can be made.
                is_to_stop=(what, error) != ("write", errno.ENOSPC),
                is_closing=self.chance.random() < 0.5, around=watched(self.root, switch=switch),
            )
        )  # fmt: skip
        name = f"{errno.errorcode[error]}, {what} of {ending}"
        switch.unlink(missing_ok=True)
        self.findings += [f"{one} was taken after a fault: {name}" for one in told.taken]
        if odd := set(told.errors) - ERRORS:
            self.findings.append(f"clients were told {odd} after a fault: {name}")
        if told.hits:
            self.counts["faults"] += 1
            self.counts["children that took no more"] += "STORE_BROKEN" in told.errors
            self.faults[name] += 1

    def _child(self, spec: Spec) -> Told:
        told = self.children.run(spec)
        self.counts["children"] += 1
        self.counts["commands"] += told.asked
        return told

    async def judge(self) -> None:
        """Compare what clients were told with what is there."""
        clock = SystemClock()
        store = SqliteStore(self.root / FILE, clock)
        engine = Engine(store, clock, RUNNING)
        self.findings += await judge(engine, read(self.root / JOURNAL))
        await store.close()


def break_disk(leg: Leg) -> Tried:
    """Let so many writes and syncs fail, each in a child of its own."""
    with ExitStack() as stack:
        folder = _folder(stack, leg)
        root = folder / "root"
        root.mkdir()
        faults = Faults(leg, root, nursery())
        faults.run()
        asyncio.run(faults.judge())
    return Tried(dict(faults.counts), dict(faults.faults), faults.findings)


DISK: Final = Campaign("disk", ("P4",), "faults", 8, 1_000, 50, break_disk, lacks=lacks_compiler)
