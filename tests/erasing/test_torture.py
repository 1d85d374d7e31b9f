"""Five tenants are erased in every run of the tests; and one planted bug is caught.

``TORTURE_SEED`` asks for another seed.
"""

from pathlib import Path

from tests.erasing.torture import ERASURES
from tests.torture.frame import Leg
from tests.torture.small import small_seed

SEED = small_seed("erase")
# So many columns have a text of a tenant at least.
COLUMNS_MIN = 70


def test_nothing_is_left_of_a_tenant_and_all_of_the_others(tmp_path: Path) -> None:
    tried = ERASURES.run(Leg(SEED, ERASURES.small, tmp_path))
    print(f"seed {SEED}: {dict(tried.counts)}, {dict(tried.faults)}")  # noqa: T201  half of the verdict

    assert tried.findings == []
    assert tried.counts["erasures"] == ERASURES.small
    assert sum(tried.faults.values()) > COLUMNS_MIN * ERASURES.small


def test_an_index_of_words_that_was_forgotten_is_found(tmp_path: Path) -> None:
    tried = ERASURES.run(Leg(1, 1, tmp_path, "erase forgets the index of words"))

    assert any("interlock.db still has the word" in one for one in tried.findings), tried
