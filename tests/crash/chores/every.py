"""Every chore there is, and at which point of which chore a kill hits."""

from typing import Final

from tests.crash.chores.calling import CALLING
from tests.crash.chores.chore import Chore
from tests.crash.chores.erasing import ERASING
from tests.crash.chores.indexing import INDEXING
from tests.crash.chores.keeping import BACKING_UP, RESTORING
from tests.crash.chores.moving import COPYING, MIGRATING
from tests.crash.chores.notarizing import NOTARIZING
from tests.crash.chores.pruning import PRUNING
from tests.crash.chores.sweeping import SWEEPING

CHORES: Final[dict[str, Chore]] = {
    one.name: one
    for one in (
        SWEEPING, INDEXING, CALLING, BACKING_UP, RESTORING, PRUNING, ERASING, NOTARIZING,
        MIGRATING, COPYING,
    )
}  # fmt: skip
AT: Final[dict[str, Chore]] = {point: one for one in CHORES.values() for point in one.turns}
