"""Erasures as they are known outside of a database: a line for each, so that none comes undone.

A backup that is older than an erasure still has the tenant. Whoever restores it is told by these
lines, or by the database that is replaced, and the tenant is erased again before anybody sees it.
Ids of tenants are the same in many databases, so a line also says of which ones it is: the names of
all incarnations that this database has had. How rows are erased is elsewhere.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from interlock.store.errors import StoreError

FILE: Final = "erasures.jsonl"


class ErasuresUnreadable(StoreError):
    """A file that should tell what was erased cannot be read."""

    code = "ERASURES_UNREADABLE"


class Erasure(NamedTuple):
    """A tenant that was erased, when, and from which incarnations of a database."""

    tenant: str
    at: int
    incarnations: tuple[str, ...]


def note(file: Path, erasure: Erasure) -> None:
    """Append an erasure to a file; it is on the disk when this returns."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(erasure._asdict()) + "\n")
            out.flush()
            os.fsync(out.fileno())
    except OSError as exc:
        message = f"It was erased, but {file} does not tell so: {exc.strerror}."
        fix = "See to the file and run the same command again, or a backup could bring it back."
        raise StoreError(message, fix=fix) from exc


def read(file: Path) -> tuple[Erasure, ...]:
    """Read what a file tells; raises where a line of it cannot be read."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return tuple(_erasure(json.loads(line)) for line in lines if line.strip())
    except (OSError, ValueError, KeyError, TypeError) as exc:
        message = f"{file} does not tell what was erased: {exc}."
        fix = "Mend the file or name the right one: without it a backup could bring something back."
        raise ErasuresUnreadable(message, fix=fix) from exc


def _erasure(told: dict[str, object]) -> Erasure:
    names = told["incarnations"]
    if not isinstance(names, list):
        message = "a line has no incarnations"
        raise TypeError(message)
    return Erasure(str(told["tenant"]), int(str(told["at"])), tuple(str(one) for one in names))


def of_backup(known: Iterable[Erasure], incarnation: str) -> dict[str, int]:
    """Return the tenants of a backup that were erased, and when each was first."""
    found: dict[str, int] = {}
    for one in known:
        if incarnation in one.incarnations:
            found[one.tenant] = min(one.at, found.get(one.tenant, one.at))
    return found
