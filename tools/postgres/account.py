"""Who runs PostgreSQL, and how a program is run by them.

PostgreSQL refuses to run as root. When we are root, an account without rights runs it, in a
folder that is made for it; otherwise we run it ourselves.
"""

import contextlib
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

PARENTS = ("/tmp", "/var/tmp")  # noqa: S108  # mkdtemp makes a folder in it, for us alone
MEMORY = Path("/dev/shm")  # noqa: S108  # same; a database is made there in a fifth of the time
MEMORY_ROOM_BYTES = 2**31
ACCOUNTS = ("postgres", "nobody")


class NoServer(RuntimeError):
    """PostgreSQL is missing, does not start, or does not answer in time."""


class Account(NamedTuple):
    """Who runs the server; all empty means: we ourselves."""

    user: int | None = None
    group: int | None = None
    groups: tuple[int, ...] | None = None


def our_account() -> Account:
    """Return who runs servers for us: we ourselves, unless we are root."""
    if os.geteuid() != 0:
        return Account()
    for name in ACCOUNTS:
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return Account(entry.pw_uid, entry.pw_gid, ())
    raise NoServer(f"PostgreSQL refuses to run as root, and none of {ACCOUNTS} exists to run it")


def make_folder(parent: Path | None, account: Account) -> Path:
    """Make the server's folder where its account gets through, and give it away."""
    fitting = (place for place in PARENTS if Path(place).is_dir() and _is_open(Path(place)))
    folder = Path(tempfile.mkdtemp(prefix="postgres-", dir=parent or next(fitting, None)))
    give(folder, account)
    try:
        run(["/bin/sh", "-c", 'cd "$0"', str(folder)], account, Path("/"))
    except NoServer as error:
        folder.rmdir()
        raise NoServer(f"{account} cannot work in {folder}: choose an open place") from error
    return folder


def memory() -> Path | None:
    """Return a place for files in memory, if there is one with room that also runs programs."""
    if not (MEMORY.is_dir() and _is_open(MEMORY)) or os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        return None
    return MEMORY if shutil.disk_usage(MEMORY).free >= MEMORY_ROOM_BYTES else None


def _is_open(place: Path) -> bool:
    everyone = stat.S_IWOTH | stat.S_IXOTH
    return place.stat().st_mode & everyone == everyone


def give(path: Path, account: Account) -> None:
    """Make the account the owner of a file or folder of ours."""
    if account.user is not None and account.group is not None:
        os.chown(path, account.user, account.group)


def environment() -> dict[str, str]:
    """Ours without what would steer PostgreSQL; a fixed time zone also saves initdb a search."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C", "TZ": "UTC"}


def run(command: list[str], account: Account, folder: Path) -> str:
    """Run a program in a folder and return what it says; what it complains of is raised."""
    user, group, groups = account
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        cwd=folder,
        encoding="utf-8",
        env=environment(),
        user=user,
        group=group,
        extra_groups=groups,
    )
    if done.returncode != 0:
        raise NoServer(f"{Path(command[0]).name} failed: {done.stderr or done.stdout}")
    return done.stdout
