"""The fuzz of the REST door as a campaign: requests thought up from its document, from any seed.

How they are made and judged is in ``tests/doors/rest/fuzzing.py``; its small figure is run by
``tests/doors/rest/test_schemathesis.py``, cut in parts, with requests that are the same every day.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final

import pytest
from starlette.responses import Response

from interlock.commands import verbs
from interlock.commands.row import AnyCommand
from interlock.doors import http
from interlock.doors.rest import door
from interlock.errors import InterlockError
from tests.doors.rest.fuzzing import Fuzzer, fuzzer, operations
from tests.stage import PAT
from tests.torture.frame import Campaign, Leg, Tried

SMALL: Final = 5_000
LONG: Final = 200_000
EXAMPLES: Final = 8
FINDINGS_MAX: Final = 10


def run(leg: Leg) -> Tried:
    """Send so many requests, to one operation after the other in any order."""
    chance = Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    share = operations()
    with planted(leg.bug), fuzzer(leg.folder / "fuzzed.db", leg.seed) as found:
        turn = 0
        while found.sent < leg.amount and len(found.wrong) < FINDINGS_MAX:
            if turn % len(share) == 0:
                chance.shuffle(share)
            found.fuzz(share[turn % len(share)], EXAMPLES, turn)
            turn += 1
    return Tried(*_told(found))


def _told(found: Fuzzer) -> tuple[dict[str, int], dict[str, int], list[str]]:
    """Return how much was sent, how much of it refused, and what was wrong."""
    counts = {"requests": found.sent}
    faults: dict[str, int] = {}
    for (who, status), count in found.counts.items():
        kind = counts if status < 400 else faults
        key = f"{who} answered" if status < 400 else f"{who} refused with {status}"
        kind[key] = kind.get(key, 0) + count
    return counts, faults, [f"{label}: {what}" for (label, _), what in found.wrong.items()]


# -- bugs --------------------------------------------------------------------------------------


def _break_down(row: AnyCommand, arguments: Any, bytes_max: int) -> Any:  # noqa: ANN401 (passed on)
    """Let whatever is wrong with an input out as it comes."""
    try:
        return found_read(row, arguments, bytes_max)
    except InterlockError as no:
        raise ZeroDivisionError from no


def _short(*_: object) -> Response:
    return Response(b'{"status":1}', media_type="application/json")


async def _anybody(*given: Any) -> Any:  # noqa: ANN401 (passed on)
    """Take whoever shows no token for somebody who did."""
    try:
        return await found_who(*given)
    except InterlockError:
        return PAT


found_read: Final = verbs.read
found_who: Final = http.who
BUGS: Final[dict[str, tuple[Any, str, object]]] = {
    "a route that lets a 500 out": (verbs, "read", _break_down),
    "an answer that does not fit the document": (door, "answered", _short),
    "a route that asks for no token": (door, "who", _anybody),
}


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """Plant a bug for as long as this lasts; no name plants nothing."""
    with pytest.MonkeyPatch.context() as patch:
        if bug:
            patch.setattr(*BUGS[bug])
        yield


REST: Final = Campaign(
    "fuzz-rest", ("P11", "P22"), "requests", SMALL, LONG, 2_500, run, patience_s=1_800
)
