"""Same traffic, same answers: every store says and keeps what the kernel in memory says.

Five thousand commands from a seed go to each store: answers, refusals, rows, audit and artifacts
must be equal, whether a process remembers its units or not.
"""

import asyncio
from functools import cache
from pathlib import Path

import pytest

from tests.conformance.playing import Played, forget, play, timeless
from tests.conformance.stores import OPENINGS, sqlite
from tests.conformance.traffic import Traffic
from tests.conformance.world import Command, Said, World

SEED = 20_261
COMMANDS = 5_000
SHOWN_MAX = 10


@cache
def _traffic(seed: int, count: int) -> tuple[list[tuple[Command, Said]], World]:
    traffic = Traffic(seed)
    return list(traffic.commands(count)), traffic.world


@cache
def _warm(folder: Path, seed: int, count: int) -> Played:
    commands, world = _traffic(seed, count)
    return asyncio.run(play(sqlite(folder / "warm.db"), commands, world))


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Played:
    """The traffic on SQLite, once for all that compare with it."""
    return _warm(tmp_path_factory.mktemp("parity"), SEED, _count(pytestconfig))


def _count(config: pytest.Config) -> int:
    return COMMANDS * (20 if config.getoption("--long", default=False) else 1)


def _judge(name: str, played: Played) -> None:
    codes = sorted({said.code for said in played.said})
    accepted = sum(said.code == "OK" for said in played.said)
    replays = sum(said.is_replay for said in played.said)
    print(  # noqa: T201  what was covered is half of the verdict
        f"{name}, seed {SEED}: {len(played.said)} commands, {accepted} accepted, {replays} given "
        f"again, {len(codes)} codes, {len(played.audit)} entries, {played.verified} units verified"
    )
    assert not played.wrong, "\n".join(played.wrong[:SHOWN_MAX])


def test_the_traffic_is_worth_sending(pytestconfig: pytest.Config) -> None:
    commands, world = _traffic(SEED, _count(pytestconfig))
    codes = {said.code for _, said in commands}
    events = {one.event for command, said in commands if said.code == "OK" for one in command.asked}
    told = sum(said.code == "OK" for _, said in commands)

    assert told > len(commands) / 2
    assert len(world.units) > 60
    assert len({tenant for tenant, _ in world.units}) == 3
    assert {
        "STALE_LEASE", "NOT_FOUND", "IDEMPOTENCY_MISMATCH", "STALE_VERSION", "EMPTIED", "NOT_ALLOWED",
        "UNKNOWN_EVENT", "INVALID_TRANSITION", "HUMAN_REQUIRED",
    } <= codes  # fmt: skip
    assert len(events) > 50


def test_sqlite_says_and_keeps_what_the_kernel_says(warm: Played) -> None:
    _judge("sqlite", warm)


def test_a_process_that_remembers_nothing_says_the_same(
    tmp_path: Path, warm: Played, pytestconfig: pytest.Config
) -> None:
    commands, world = _traffic(SEED, _count(pytestconfig))
    cold = asyncio.run(play(sqlite(tmp_path / "cold.db"), commands, world, forget))

    _judge("sqlite without memory", cold)
    assert cold.texts == warm.texts
    assert cold.states == warm.states
    assert cold.audit == warm.audit


def test_postgres_says_the_same(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    warm: Played,
    pytestconfig: pytest.Config,
) -> None:
    commands, world = _traffic(SEED, _count(pytestconfig))
    there = asyncio.run(play(OPENINGS["postgres"](request, tmp_path), commands, world))

    _judge("postgres", there)
    assert timeless(there.texts) == timeless(warm.texts)
    assert there.states == warm.states
    assert there.audit == warm.audit
