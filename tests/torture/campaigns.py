"""Every campaign there is, by name: the one place that knows them all."""

from typing import Final

from tests.crash.torture import KILLS
from tests.fuzz.expressions import EXPRESSIONS
from tests.fuzz.mcp import MCP
from tests.fuzz.rest import REST
from tests.fuzz.tenants import TENANTS
from tests.races.torture import RACES
from tests.torture.frame import Campaign

CAMPAIGNS: Final[dict[str, Campaign]] = {
    one.name: one for one in (EXPRESSIONS, KILLS, MCP, RACES, REST, TENANTS)
}
