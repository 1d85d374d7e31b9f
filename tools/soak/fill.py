"""Give a server its fill: plans that nobody works, until it remembers no more than it did.

What a server remembers is bounded in bytes, and until that is reached its memory grows by right.
It tells itself how much it is (``interlock_cache_bytes``), so nobody has to guess.
"""

import http.client
import re
from contextlib import closing
from typing import Final

from interlock.store.memory import BYTES_MAX
from tools.bench.mcp_callers import PATIENCE_S, Call, Plain
from tools.soak.load import Door

STEPS: Final = 64
"""As many steps as a server remembers of one plan."""
FULL: Final = 0.95
AT_ONCE: Final = 20
"""Plans between two looks."""
TOLD: Final = re.compile(r"^interlock_cache_bytes (\S+)$", re.MULTILINE)


def fill(door: Door, enough: float = FULL * BYTES_MAX) -> int:
    """Make plans until so many bytes are remembered; return how many it took."""
    made = 0
    with closing(Plain(door.port, door.token)) as caller:
        while remembered(door) < enough:
            for number in range(made, made + AT_ONCE):
                caller.call(_plan(number))
            made += AT_ONCE
    return made


def _plan(number: int) -> Call:
    """Return the call that makes a plan; steps that shared a text would be counted too high."""
    steps = [
        {"title": f"Compare {place}", "instructions": f"Compare what source {number}.{place} says."}
        for place in range(STEPS)
    ]
    arguments = {"name": "fill", "research_question": "What is so?", "steps": steps}
    return "create_research_plan", arguments


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
