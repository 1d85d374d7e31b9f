"""Tampering as a campaign: whatever a superuser changes is found with the checkpoints.

Every try changes a copy in one way and verifies it. Before, the copy that nobody has changed must
verify: else nothing that is found means anything.
"""

import random
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.keeping.bugs import planted
from tests.keeping.ledger import Ledger, findings, make
from tests.keeping.tampers import TAMPERS, Copy
from tests.torture.frame import Campaign, Leg, Tried


def run(leg: Leg) -> Tried:
    """Tamper so often, each time with a fresh copy, in ways that are drawn from the seed."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    ledger = make(leg.folder / "ledger", leg.seed)
    faults: Counter[str] = Counter()
    with planted(leg.bug):
        found = [f"nobody tampered, and it is told: {one}" for one in _untouched(ledger, leg)]
        for number in range(leg.amount):
            # Every way is tried, then chance decides; within each way it always does.
            way = TAMPERS[number % len(TAMPERS)] if number < 2 * len(TAMPERS) else (
                chance.choice(TAMPERS)
            )  # fmt: skip
            copy = _copied(ledger, leg.folder / "copy")
            way(copy, chance)
            faults[way.__name__] += 1
            if not _told(copy, ledger):
                found.append(f"try {number}, {way.__name__}: it was not found")
    return Tried({"tries": leg.amount}, dict(faults), found)


def _untouched(ledger: Ledger, leg: Leg) -> list[str]:
    return _told(_copied(ledger, leg.folder / "copy"), ledger)


def _told(copy: Copy, ledger: Ledger) -> list[str]:
    return findings(copy.file, replace(ledger.notary, file=copy.lines), ledger.notary)


def _copied(ledger: Ledger, folder: Path) -> Copy:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    copy = Copy(folder / "interlock.db", folder / "checkpoints.jsonl", ledger.early)
    shutil.copy(ledger.file, copy.file)
    shutil.copy(ledger.notary.file, copy.lines)
    return copy


TAMPERING: Final = Campaign("tampering", ("P18", "P19"), "tries", 100, 5_000, 100, run)
