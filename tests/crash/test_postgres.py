"""PostgreSQL is killed with all its processes under load, recovers, and has lost nothing.

``CRASH_SERVER_KILLS`` and ``TORTURE_SEED`` ask for more kills and for another seed. The clients
live on: they send again what they were not answered, until the server is back.
"""

import sys
from pathlib import Path

from tests.crash.campaign import wanted
from tests.crash.points import MOVES, POSTGRES
from tests.crash.postgres import CLIENT_KILLS, POSTGRES_KILLS, kills
from tests.torture.frame import Leg
from tests.torture.small import small_seed

SERVER_KILLS = wanted("CRASH_SERVER_KILLS", POSTGRES_KILLS.small)
SERVER, CLIENT = "SIGKILL of the server", "any moment"


def test_killed_under_load_the_server_has_lost_nothing_and_done_nothing_twice(
    tmp_path: Path,
) -> None:
    seed = small_seed("postgres-kills")
    tried = kills(Leg(seed, SERVER_KILLS, tmp_path))
    sys.stdout.write(f"seed {seed}: {tried}\n")

    assert tried.findings == []
    often = max(1, SERVER_KILLS // 4)
    assert tried.faults == {
        SERVER: SERVER_KILLS, CLIENT: CLIENT_KILLS, **dict.fromkeys((*POSTGRES, *MOVES), often)
    }  # fmt: skip
    assert tried.counts["broken"] == SERVER_KILLS
    assert tried.counts["with open intents"] >= (SERVER_KILLS + CLIENT_KILLS) / 2
