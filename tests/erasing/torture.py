"""Tenants that are erased, with a word in every text they have, as a campaign."""

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from interlock.clock import SystemClock
from interlock.store import erasing
from interlock.store.people import Act
from interlock.store.sqlite import erase as module
from interlock.store.sqlite.connect import connect
from interlock.store.sqlite.erase import erase
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.store import SqliteStore
from tests.copying.filled import filled
from tests.erasing import judge
from tests.erasing.stuffed import new_canary, stuff
from tests.stage import AWAY, HOME
from tests.torture.frame import Campaign, Leg, Tried

COMMANDS: Final = 3
DONE: Final = Act("act-erased", "user", "owner", "", "cli", "tenant_erased", "x", "{}")


def run(leg: Leg) -> Tried:
    """Erase so many tenants, each from a file of its own; sometimes while somebody has it open."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    counts: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    findings: list[str] = []
    ready = asyncio.run(filled(leg.folder / "ready.db", leg.seed, COMMANDS))
    with planted(leg.bug):
        for number in range(leg.amount):
            folder = leg.folder / str(number)
            folder.mkdir()
            path = Path(shutil.copy(ready, folder / "interlock.db"))
            tenant, other = chance.sample((HOME, AWAY), 2)
            canary = new_canary(chance)
            faults["columns with a word of the tenant"] += stuff(path, tenant, canary)
            before = judge.sqlite_rows(path, tenant)
            if not [*judge.bytes_left(folder, canary)]:
                findings.append("the word was never there")
            with _open(path, is_open=chance.random() < 0.5):
                erase(path, tenant, 1_800_000_000_001, DONE)
            after = judge.sqlite_rows(path, tenant)
            findings += judge.left(after[0])
            findings += judge.bytes_left(folder, canary)
            findings += judge.harmed(before[1], after[1])
            findings += asyncio.run(_asked(path, tenant, other))
            counts["erasures"] += 1
            counts["rows"] += sum(rows.total() for rows in before[0].values())
            shutil.rmtree(folder)
    return Tried(counts, faults, findings)


@contextmanager
def _open(path: Path, *, is_open: bool) -> Iterator[None]:
    """Have the file open as another process of ours has, which reads and writes now and then."""
    if not is_open:
        yield
        return
    with closing(connect(path, "off")) as other:
        other.execute("SELECT count(*) FROM units").fetchall()
        yield


async def _asked(path: Path, tenant: str, other: str) -> list[str]:
    store = SqliteStore(path, SystemClock(), "off", sees_deleted=True)
    try:
        return await judge.wrong_answers(store, tenant, other)
    finally:
        await store.close()


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """Have a bug planted for a while."""
    names = ("ERASES", "_clean")
    was = {name: getattr(module, name) for name in names}
    real = Session.write
    if bug:
        BUGS[bug]()
    try:
        yield
    finally:
        for name, value in was.items():
            setattr(module, name, value)
        setattr(Session, "write", real)  # noqa: B010  a method, to whoever reads the class


def _forget_words() -> None:
    real = Session.write

    def write(self: Session, name: str, values: dict[str, object]) -> None:
        if name not in ("erase_words", "merge_words"):
            real(self, name, values)  # type: ignore[arg-type]  # handed on

    setattr(Session, "write", write)  # noqa: B010  as above


def _forget_replies() -> None:
    kept = tuple(name for name in erasing.ERASES if name != "erase_replies")
    setattr(module, "ERASES", kept)  # noqa: B010  as above


def _forget_the_log() -> None:
    setattr(module, "_clean", lambda *_: None)  # noqa: B010  as above


BUGS: Final[dict[str, Callable[[], None]]] = {
    "erase forgets the index of words": _forget_words,
    "erase forgets a table": _forget_replies,
    "erase leaves the pages it has freed": _forget_the_log,
}

ERASURES: Final = Campaign("erase", ("P18", "P19", "P20"), "erasures", 5, 200, 20, run)
