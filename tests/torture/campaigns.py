"""Every campaign there is, by name: the one place that knows them all."""

from typing import Final

from tests.crash.postgres import POSTGRES_KILLS
from tests.crash.torture import KILLS
from tests.failover.cuts import POSTGRES_CUTS
from tests.failover.failover import FAIL_OVER
from tests.torture.frame import Campaign

CAMPAIGNS: Final[dict[str, Campaign]] = {
    one.name: one for one in (FAIL_OVER, KILLS, POSTGRES_CUTS, POSTGRES_KILLS)
}
