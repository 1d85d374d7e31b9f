"""Two workers, one ticket: the network of one is cut for longer than its lease, and restored.

The other one goes on with the bead; whatever the first one still says of it is refused, and there is
one commit for each bead.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from interlock.app import LOCAL, App
from interlock.cli.demo import feature
from interlock.cli.demo.person import Person
from interlock.client import Client
from interlock.errors import InterlockError
from tests.cut import Cut
from tests.execution.ground import Ground, open_ground
from tests.execution.proof import beads_of, check_delivered
from tests.serving.farm import Running

LEASE_MS: Final = 4_000
LONG_S: Final = 3.0
PATIENCE_S: Final = 240


def slow_first() -> dict[str, Any]:
    """Return the script with a first attempt that is still at work when its lease has run out."""
    said = feature.script()
    said["members"][feature.MEMBER]["code:basket-total#1"]["delay_s"] = LONG_S + LEASE_MS / 1000
    return said


async def bead_is(person: Person, wanted: str) -> None:
    """Be the person until the first bead stands somewhere."""
    while True:
        stands = await person.told()
        if stands["phase"]["name"] != "CODING":
            await person.step(stands)
        elif stands["beads"][0]["status"] == wanted:
            return
        await asyncio.sleep(0.2)  # each look is work for the server


def held_as(ground: Ground, ticket: str) -> tuple[str, str]:
    """Return the id of the first bead, and the lease as its holder was given it."""

    async def read(app: App) -> tuple[str, str]:
        found = await app.engine.store.whole(LOCAL, ticket)
        assert found is not None
        bead = next(row for row in found.parts if row.part.kind == "bead")
        return bead.id, f"{found.incarnation}.{bead.part.fields['fence']}"

    return ground.ask(read)


async def refused(client: Client, part: str, lease: str) -> list[str]:
    """Say all that a holder could say, with a lease that is over; return the codes."""
    report = {
        "bead_id": "basket-total", "status": "failed", "reason": "tests_failed", "note": "late",
        "runs": [], "parent": "", "commit": "", "answer": {},
    }  # fmt: skip
    line = {"at": 1, "stream": "note", "text": "late"}
    calls: dict[str, dict[str, object]] = {
        "heartbeat_work": {}, "release_work": {}, "fail_work": {"reason": "late"},
        "submit_work": {"answer": report}, "append_log": {"lines": [line]},
    }  # fmt: skip
    codes = []
    for command, more in calls.items():
        try:
            await client.call(command, {"part_id": part, "lease": lease, **more})
            codes.append("taken")
        except InterlockError as no:
            codes.append(no.code)
    return codes


async def told(ground: Ground, server: Running, network: Cut) -> tuple[str, list[str]]:
    """Play it: cut one worker off, have another one go on, mend the network, and finish."""
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(Client(server.url, ground.person))
        person = Person(client.call, await ground.begin(server.url))
        stack.enter_context(working(ground, network.url, 1))
        await bead_is(person, "in_progress")
        part, lease = await asyncio.to_thread(held_as, ground, person.ticket)
        network.cut()
        stack.enter_context(working(ground, server.url, 2))
        await bead_is(person, "done")
        network.mend()
        async with Client(server.url, ground.worker) as zombie:
            codes = await refused(zombie, part, lease)
        stands = await person.decide()
        assert stands["phase"]["name"] == "COMPLETED", json.dumps(stands.get("error"))
        # The first one comes back; its pause may have outlasted the ticket.
        await network.until_used()
        return person.ticket, codes


@contextmanager
def working(ground: Ground, url: str, number: int) -> Iterator[None]:
    """Have a worker that leaves in good order."""
    process = ground.start(url, number=number)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def test_a_zombie_is_refused_and_each_bead_has_one_commit(tmp_path: Path) -> None:
    ground = open_ground(tmp_path)
    ground.tell(slow_first())

    async def story(server: Running) -> tuple[str, list[str]]:
        async with asyncio.timeout(PATIENCE_S), Cut(server.port) as network:
            return await told(ground, server, network)

    with ground.base.serving(INTERLOCK_LEASE_MS=str(LEASE_MS)) as server:
        name, codes = asyncio.run(story(server))

    assert "taken" not in codes, codes
    check_delivered(ground, name)
    notes = [[note["reason"] for note in one["notes"]] for one in beads_of(ground, name)]
    assert notes[0] == ["interrupted"], "one attempt was lost, and one commit made"
