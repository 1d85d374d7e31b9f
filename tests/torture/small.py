"""A campaign at its small figure, as an ordinary test runs it: in this process, from its own seed.

An ordinary run tries the same every time: what it says of a change hangs on the change alone. New
ground is for ``make torture``, and for whoever says ``TORTURE_SEED=any make test``.
"""

import os
import random
from pathlib import Path
from zlib import crc32

from tests.torture.frame import Campaign, Leg, Tried


def small_seed(name: str) -> int:
    """Return the seed of something in ordinary runs; ``TORTURE_SEED`` names another, or ``any``."""
    asked = os.environ.get("TORTURE_SEED", "")
    if asked == "any":
        return random.SystemRandom().getrandbits(32)
    return int(asked) if asked else crc32(name.encode())


def run_small(campaign: Campaign, folder: Path, amount: int = 0) -> Tried:
    """Run a campaign from its seed, which is printed."""
    seed = small_seed(campaign.name)
    tried = campaign.run(Leg(seed, amount or campaign.small, folder))
    told = ", ".join(f"{count:,} {what}" for what, count in tried.counts.items())
    print(f"{campaign.name}: seed {seed}; {told}; faults {dict(tried.faults)}")  # noqa: T201  what a failure shows
    return tried
