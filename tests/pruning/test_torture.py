"""Five databases of any age are pruned in every run of the tests; and a planted bug is caught.

``TORTURE_SEED`` asks for another seed.
"""

from pathlib import Path

from tests.pruning.torture import PRUNINGS
from tests.torture.frame import Leg
from tests.torture.small import small_seed

SEED = small_seed("retention")


def test_what_is_over_goes_and_nothing_that_lives(tmp_path: Path) -> None:
    tried = PRUNINGS.run(Leg(SEED, PRUNINGS.small, tmp_path))
    print(f"seed {SEED}: {dict(tried.counts)}")  # noqa: T201  half of the verdict

    assert tried.findings == []
    assert tried.counts["prunings"] == PRUNINGS.small
    assert sum(tried.counts.values()) > PRUNINGS.small


def test_a_reply_of_a_live_unit_that_is_pruned_is_found(tmp_path: Path) -> None:
    tried = PRUNINGS.run(Leg(SEED, 1, tmp_path, "retention prunes a live unit's reply"))

    assert any("replies: " in one and "are gone" in one for one in tried.findings), tried
