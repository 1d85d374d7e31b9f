"""Two copies that are killed on the way, in every run of the tests; and one planted bug.

``TORTURE_SEED`` asks for another seed.
"""

from pathlib import Path

from tests.copying.torture import COPIES
from tests.torture.frame import Leg
from tests.torture.small import small_seed

SEED = small_seed("copy")


def test_copies_that_are_killed_go_on_and_are_whole(tmp_path: Path) -> None:
    tried = COPIES.run(Leg(SEED, COPIES.small, tmp_path))
    print(f"seed {SEED}: {dict(tried.counts)}, {dict(tried.faults)}")  # noqa: T201  half of the verdict

    assert tried.findings == []
    assert tried.counts["copies"] == COPIES.small
    assert sum(tried.faults.values()) > 0


def test_a_copy_that_resumes_one_row_too_far_is_found(tmp_path: Path) -> None:
    tried = COPIES.run(Leg(SEED, 1, tmp_path, "copy resumes one row too far"))

    assert any("is not finished" in one for one in tried.findings), tried
