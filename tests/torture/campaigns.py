"""Every campaign there is, by name: the one place that knows them all."""

from typing import Final

from tests.crash.torture import KILLS
from tests.keeping.tampering import TAMPERING
from tests.keeping.under_load import BACKUP
from tests.torture.frame import Campaign

CAMPAIGNS: Final[dict[str, Campaign]] = {one.name: one for one in (BACKUP, KILLS, TAMPERING)}
