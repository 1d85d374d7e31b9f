"""Every campaign there is, by name: the one place that knows them all."""

from typing import Final

from tests.clocks.torture import CLOCKS
from tests.copying.torture import COPIES
from tests.crash.torture import KILLS
from tests.fuzz.expressions import EXPRESSIONS
from tests.fuzz.mcp import MCP
from tests.histories.torture import HISTORIES
from tests.torture.frame import Campaign

EVERY: Final = (
    CLOCKS,
    EXPRESSIONS,
    HISTORIES,
    KILLS,
    MCP,
)

CAMPAIGNS: Final[dict[str, Campaign]] = {one.name: one for one in EVERY}
from tests.power.torture import DISK, POWER
from tests.torture.frame import Campaign

CAMPAIGNS: Final[dict[str, Campaign]] = {one.name: one for one in (DISK, KILLS, POWER)}
from tests.histories.torture import COUNTERS, HISTORIES
from tests.torture.frame import Campaign

CAMPAIGNS: Final[dict[str, Campaign]] = {one.name: one for one in (COUNTERS, HISTORIES, KILLS)}
CAMPAIGNS: Final[dict[str, Campaign]] = {one.name: one for one in (COPIES, KILLS)}
from tests.fuzz.rest import REST
from tests.fuzz.tenants import TENANTS
from tests.torture.frame import Campaign

CAMPAIGNS: Final[dict[str, Campaign]] = {
    one.name: one for one in (EXPRESSIONS, KILLS, MCP, REST, TENANTS)
}
