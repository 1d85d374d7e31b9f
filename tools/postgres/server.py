"""One PostgreSQL server: started, stopped, killed, and gone without a trace.

It lives in a temporary folder of its own: data, log and socket. Only we and root get into it.
Beside it sits a warden, a small shell that waits for our end on a pipe: however we go, it stops
the server and removes the folder.
"""

import secrets
import shutil
import signal
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path
from subprocess import Popen
from types import MappingProxyType
from typing import IO, Self
from urllib.parse import quote, urlencode

from tools.postgres.account import (
    Account,
    NoServer,
    environment,
    give,
    make_folder,
    memory,
    our_account,
    run,
)
from tools.postgres.binaries import Binaries, newest, within_reach
from tools.postgres.processes import PATIENCE_S, kill_family, until

OWNER = "postgres"  # the superuser inside every server
PORT = 5432  # names the socket file; nobody listens on it unless TCP was asked for

SETTINGS = MappingProxyType({
    "dynamic_shared_memory_type": "mmap",  # inside the data folder, where a kill leaves no litter
    "fsync": "on",
    "synchronous_commit": "on",
})  # fmt: skip
# A killed server still keeps what it committed; a machine that loses its power does not.
CARELESS = MappingProxyType({"fsync": "off", "full_page_writes": "off"})

# Waits for a line or for our end, whichever comes first. The server's lock file names its process
# in line 1 and in line 7 a segment of shared memory, which after a kill nobody else would free.
WARDEN = """
cd /
read -r _
lock="$1/data/postmaster.pid"
if test -s "$lock"; then
    pid=$(sed -n 1p "$lock")
    segment=$(sed -n '7s/.* //p' "$lock")
    kill -QUIT "$pid"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        kill -0 "$pid" && test -e "$lock" && sleep 1
    done
    test -e "$lock" && kill -KILL "$pid"
    test -e "$lock" && test -n "$segment" && ipcrm -m "$segment"
fi
rm -rf "$1/data" || { sleep 2; rm -rf "$1/data"; }
rm -rf "$1"
"""


class Server:
    """One PostgreSQL with its own data; ``with Server() as server`` starts it and cleans up.

    ``durable=False`` is quicker, in memory where that is possible, for tests that do not care;
    ``tcp`` also listens on the loopback, with a password; ``settings`` overrule ours; ``parent``
    is where the folder is made (for a benchmark: on a real disk).
    """

    def __init__(
        self,
        binaries: Binaries | None = None,
        *,
        durable: bool = True,
        tcp: bool = False,
        settings: Mapping[str, str] | None = None,
        parent: Path | None = None,
    ) -> None:
        self.binaries = binaries or newest()
        self._is_durable = durable
        self.settings = {**SETTINGS, **({} if durable else CARELESS), **(settings or {})}
        self.port = _free_port() if tcp else PORT
        self.password = secrets.token_hex(16) if tcp else ""
        self._account = our_account()
        self._programs = self.binaries  # or a copy that the account can reach
        self._postmaster: Popen[bytes] | None = None
        self.folder = make_folder(parent or (None if durable else memory()), self._account)
        self.data = self.folder / "data"
        self.log = self.folder / "log"
        self._warden = self._post_warden()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The postmaster's process id while it runs."""
        running = self._postmaster
        return running.pid if running is not None and running.poll() is None else None

    def start(self) -> None:
        """Start and wait until it takes connections; after a kill, this includes recovery."""
        if self.pid is not None:
            return
        if not self.data.exists():
            self._initdb()
        listen = "127.0.0.1" if self.password else ""
        settings = {"listen_addresses": listen, "unix_socket_directories": str(self.folder)}
        options = [f"--{name}={text}" for name, text in {**self.settings, **settings}.items()]
        command = [self._programs.program("postgres"), "-D", str(self.data), f"--port={self.port}"]
        with self.log.open("ab") as log:
            self._postmaster = self._popen([*command, *options], stdin=subprocess.DEVNULL, out=log)
        until(self._is_ready, f"{self.binaries.name} does not take connections: {self.log}")

    def stop(self) -> None:
        """Stop in an orderly way: sessions are cut off, everything is written out."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Kill the postmaster and all its children from outside, as a crash would."""
        postmaster = self._postmaster
        if postmaster is None or self.pid is None:
            return
        kill_family(postmaster.pid)
        postmaster.wait(PATIENCE_S)

    def close(self) -> None:
        """Stop at once and remove everything; harmless when done twice."""
        self._end(signal.SIGQUIT)
        if self._warden.returncode is None:
            self._warden.communicate(b"\n", PATIENCE_S)
        # The warden empties the folder, but may have no right to the place it stands in.
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.folder.exists():
            raise NoServer(f"could not remove {self.folder}")

    def url(self, database: str = OWNER, user: str = OWNER, *, tcp: bool = False) -> str:
        """Return an address that asyncpg, psql and pgbench take; by socket unless TCP is wanted."""
        place = f"/{quote(database, safe='')}"
        name = quote(user, safe="")
        if not tcp:
            where = urlencode({"host": str(self.folder), "port": self.port})
            return f"postgresql://{name}@{place}?{where}"
        if not self.password:
            raise NoServer("this server has no TCP port: say Server(tcp=True)")
        word = f":{self.password}" if user == OWNER else ""
        return f"postgresql://{name}{word}@127.0.0.1:{self.port}{place}"

    def sql(self, statement: str, database: str = OWNER) -> str:
        """Run one statement through psql and return its rows, columns parted by a bar."""
        command = [self.binaries.program("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        return run([*command, "-c", statement, self.url(database)], Account(), self.folder).strip()

    def create_database(self, name: str, template: str = "template1") -> None:
        """Make a database, by default an empty one; nobody may be connected to the template."""
        # Copied as files it takes half the time, where no checkpoint waits for a disk.
        how = "" if self._is_durable else " STRATEGY file_copy"
        self.sql(f"CREATE DATABASE {_quoted(name)} TEMPLATE {_quoted(template)}{how}")

    def drop_database(self, name: str) -> None:
        """Remove a database, and cut off whoever is connected to it."""
        self.sql(f"DROP DATABASE IF EXISTS {_quoted(name)} WITH (FORCE)")

    def _initdb(self) -> None:
        self._programs = within_reach(self.binaries, self._account, self.folder)
        command = [self._programs.program("initdb"), "-D", str(self.data), "-U", OWNER]
        command += ["--data-checksums", "--encoding=UTF8", "--locale=C", "--no-sync"]
        command += ["--auth-local=trust"]
        if self.password:
            # With trust, every account of this machine could come in as superuser.
            secret = self.folder / "password"
            secret.write_text(self.password, encoding="utf-8")
            give(secret, self._account)
            command += ["--auth-host=scram-sha-256", f"--pwfile={secret}"]
        else:
            command += ["--auth-host=reject"]
        run(command, self._account, self.folder)

    def _post_warden(self) -> Popen[bytes]:
        command = ["/bin/sh", "-c", WARDEN, "warden", str(self.folder)]
        return self._popen(command, stdin=subprocess.PIPE, out=subprocess.DEVNULL)

    def _popen(self, command: list[str], *, stdin: int, out: int | IO[bytes]) -> Popen[bytes]:
        """Start a child that no Ctrl-C reaches; it ends when we say so, or the warden does."""
        user, group, groups = self._account
        return Popen(
            command,
            stdin=stdin,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env=environment(),
            start_new_session=True,
            user=user,
            group=group,
            extra_groups=groups,
        )

    def _is_ready(self) -> bool:
        if self.pid is None:
            raise NoServer(f"{self.binaries.name} ended at its start:\n{self.log.read_text()}")
        try:
            lines = (self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return False
        # A killed server leaves its file behind: only ours, and only its last line, count.
        return lines[:1] == [str(self.pid)] and [line.strip() for line in lines[7:]] == ["ready"]

    def _end(self, how: signal.Signals) -> None:
        postmaster = self._postmaster
        if postmaster is None or self.pid is None:
            return
        postmaster.send_signal(how)
        try:
            postmaster.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
