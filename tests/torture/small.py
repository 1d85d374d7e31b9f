"""A campaign at its small figure, as an ordinary test runs it: in this process, from any seed."""

import os
import random
from pathlib import Path

from tests.torture.frame import Campaign, Leg, Tried


def run_small(campaign: Campaign, folder: Path, amount: int = 0) -> Tried:
    """Run a campaign from a seed that is printed; ``TORTURE_SEED`` asks for one again."""
    seed = int(os.environ.get("TORTURE_SEED", "0")) or random.getrandbits(32)
    tried = campaign.run(Leg(seed, amount or campaign.small, folder))
    told = ", ".join(f"{count:,} {what}" for what, count in tried.counts.items())
    print(f"{campaign.name}: seed {seed}; {told}; faults {dict(tried.faults)}")  # noqa: T201  what a failure shows
    return tried
