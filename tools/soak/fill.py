"""Give a server its fill: plans left in the middle, until it remembers no more than it did.

What a server remembers is bounded in bytes, and until that is reached its memory grows by right.
It tells itself how much it is (``interlock_cache_bytes``), so nobody has to guess. How many bytes
it counts for what really takes one differs with what it is: so the fill is what the load leaves
behind later, or memory would grow while the one takes the place of the other.
"""

import http.client
import re
from contextlib import closing
from typing import Final

from interlock.store.memory import BYTES_MAX
from tools.bench.mcp_callers import PATIENCE_S, Plain, claim, new_plan, submit
from tools.soak.load import STEPS, Door

FULL: Final = 0.99
AT_ONCE: Final = 20
"""Plans between two looks."""
TOLD: Final = re.compile(r"^interlock_cache_bytes (\S+)$", re.MULTILINE)


def fill(door: Door, enough: float = FULL * BYTES_MAX) -> int:
    """Make plans until so many bytes are remembered; return how many it took."""
    made = 0
    with closing(Plain(door.port, door.token)) as caller:
        while remembered(door) < enough:
            for _ in range(AT_ONCE):
                _leave_a_plan(caller)
            made += AT_ONCE
    return made


def _leave_a_plan(caller: Plain) -> None:
    """Make a plan, work half of it, and go away."""
    plan = str(caller.call(new_plan(STEPS))["data"]["plan_id"])
    for number in range(STEPS // 2):
        step = caller.call(claim(plan, number))["data"]["step"]
        caller.call(submit(plan, number, step))


def remembered(door: Door) -> float:
    """Ask a server how much it remembers, in bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=PATIENCE_S)
    with closing(connection):
        headers = {"Authorization": f"Bearer {door.gauge}"}
        connection.request("GET", "/metrics", headers=headers)
        text = connection.getresponse().read().decode()
    found = TOLD.search(text)
    if found is None:
        message = f"no figure of what is remembered: {text[:200]}"
        raise AssertionError(message)
    return float(found[1])
