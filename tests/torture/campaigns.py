"""Every campaign there is, by name: the one place that knows them all."""

from typing import Final

from tests.clocks.torture import CLOCKS
from tests.conformance.torture import PARITY
from tests.copying.torture import COPIES
from tests.crash.postgres import POSTGRES_KILLS
from tests.crash.torture import KILLS
from tests.erasing.torture import ERASURES
from tests.failover.cuts import POSTGRES_CUTS
from tests.failover.failover import FAIL_OVER
from tests.fuzz.expressions import EXPRESSIONS
from tests.fuzz.mcp import MCP
from tests.fuzz.rest import REST
from tests.fuzz.tenants import TENANTS
from tests.histories.torture import COUNTERS, HISTORIES
from tests.keeping.tampering import TAMPERING
from tests.keeping.under_load import BACKUP
from tests.power.torture import DISK, POWER
from tests.pruning.torture import PRUNINGS
from tests.races.torture import RACES
from tests.simulation.torture import SIMULATION, STORE_FAULTS
from tests.torture.frame import Campaign

EVERY: Final = (
    BACKUP,
    CLOCKS,
    COPIES,
    COUNTERS,
    DISK,
    ERASURES,
    EXPRESSIONS,
    FAIL_OVER,
    HISTORIES,
    KILLS,
    MCP,
    PARITY,
    POSTGRES_CUTS,
    POSTGRES_KILLS,
    POWER,
    PRUNINGS,
    RACES,
    REST,
    SIMULATION,
    STORE_FAULTS,
    TAMPERING,
    TENANTS,
)

CAMPAIGNS: Final[dict[str, Campaign]] = {one.name: one for one in EVERY}
