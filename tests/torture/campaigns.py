"""Every campaign there is, by name: the one place that knows them all."""

from typing import Final

from tests.copying.torture import COPIES
from tests.crash.torture import KILLS
from tests.erasing.torture import ERASURES
from tests.pruning.torture import PRUNINGS
from tests.torture.frame import Campaign

CAMPAIGNS: Final[dict[str, Campaign]] = {
    one.name: one for one in (COPIES, ERASURES, KILLS, PRUNINGS)
}
