"""Every campaign there is, by name: the one place that knows them all."""

from typing import Final

from tests.conformance.torture import PARITY
from tests.crash.torture import KILLS
from tests.histories.torture import COUNTERS, HISTORIES
from tests.torture.frame import Campaign

CAMPAIGNS: Final[dict[str, Campaign]] = {
    one.name: one for one in (COUNTERS, HISTORIES, KILLS, PARITY)
}
