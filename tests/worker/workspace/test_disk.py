"""Disk: what trees take, and which of them may go."""

import os
from pathlib import Path

import pytest

from interlock.errors import InterlockError
from interlock.service.errors import NotFound
from interlock.wire.envelope import Envelope
from interlock.worker.workspace.disk import UNKNOWN, Kept, kept, prune, size_of, state_of
from interlock.worker.workspace.intents import Intent
from interlock.worker.workspace.origin import Origin
from tests.worker.workspace.ground import TICKET, Ground, done, ground

DAY_MS = 86_400_000


async def _ended(_: str) -> str:
    return "COMPLETED"


def now(here: Ground) -> int:
    return int((here.tree.place.about).stat().st_mtime * 1000)


def test_what_lies_there_is_told_with_its_size_and_rest(tmp_path: Path) -> None:
    here = ground(tmp_path)
    (here.folder / "large").write_bytes(b"x" * 1_000_000)
    told: list[int] = []
    (one,) = done(kept(here.site, _ended, now(here) + 3 * DAY_MS, told.append))
    assert (one.ticket, one.state, one.is_busy) == (TICKET, "COMPLETED", False)
    assert one.size > 1_000_000
    assert 2.9 * DAY_MS < one.rested_ms <= 3 * DAY_MS
    assert told == [1]
    assert one.told()["bytes"] == one.size


def test_links_are_not_followed_and_two_names_count_once(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").write_bytes(b"x" * 500_000)
    (tmp_path / "in" / "a").write_bytes(b"x" * 100_000)
    os.link(tmp_path / "in" / "a", tmp_path / "in" / "b")
    (tmp_path / "in" / "c").symlink_to(tmp_path / "out")
    assert 100_000 <= size_of(tmp_path / "in") < 200_000
    assert size_of(tmp_path / "nowhere") == 0


@pytest.mark.parametrize(
    ("state", "rested", "is_busy", "goes"),
    [
        ("COMPLETED", 7 * DAY_MS, False, True),
        ("CANCELED", 8 * DAY_MS, False, True),
        ("COMPLETED", 7 * DAY_MS - 1, False, False),
        ("COMPLETED", 8 * DAY_MS, True, False),
        ("CODING", 99 * DAY_MS, False, False),
        ("BLOCKED_ERROR", 99 * DAY_MS, False, False),
        (UNKNOWN, 99 * DAY_MS, False, False),
    ],
)
def test_only_what_has_ended_and_rested_may_go(
    state: str, rested: int, *, is_busy: bool, goes: bool
) -> None:
    assert Kept(TICKET, state, 1, rested, is_busy).may_go(7 * DAY_MS) == goes


def test_what_may_go_is_removed_and_all_else_stays(tmp_path: Path) -> None:
    here = ground(tmp_path)
    other = here.site.tree("ticket-other")
    done(other.make(Origin(str(here.there), "main")))

    async def state(name: str) -> str:
        return "COMPLETED" if name == TICKET else "CODING"

    found = done(kept(here.site, state, now(here)))
    dry = done(prune(here.site, found, 0, is_dry=True))
    assert [one.ticket for one in dry.removed] == [TICKET]
    assert here.folder.exists()
    real = done(prune(here.site, found, 0))
    assert real == dry
    assert here.site.trees() == ("ticket-other",)
    assert sorted(one.name for one in here.site.room.iterdir()) == [".locks", "ticket-other"]
    assert done(prune(here.site, found, 0)).failed == ()


def test_one_that_somebody_works_in_stays(tmp_path: Path) -> None:
    here = ground(tmp_path)
    with here.site.intents("worker-a") as intents:
        intents.begin(Intent("ticket-x.1", "lease", "bead", TICKET))
        (one,) = done(kept(here.site, _ended, now(here)))
        assert one.is_busy
        assert done(prune(here.site, [one], 0)).removed == ()
    assert here.folder.exists()


def test_the_server_says_how_a_ticket_stands() -> None:
    async def says(command: str, told: object) -> Envelope:
        assert (command, told) == ("ticket_status", {"ticket_id": TICKET})
        return Envelope(status="ok", data={"phase": {"name": "CODING"}})

    async def none(*_: object) -> Envelope:
        raise NotFound("x")

    async def away(*_: object) -> Envelope:
        raise InterlockError("It does not answer.")

    assert done(state_of(says, TICKET)) == "CODING"
    assert done(state_of(none, TICKET)) == UNKNOWN
    with pytest.raises(InterlockError):
        done(state_of(away, TICKET))
