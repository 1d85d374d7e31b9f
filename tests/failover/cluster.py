"""A cluster under Patroni: one etcd, three PostgreSQLs, one of them synchronous, and an haproxy.

All of it listens on the loopback, in a folder of its own. As with one server, a warden sits beside
it: however we go, it ends every process of the cluster and removes the folder. A node is a Patroni
with its PostgreSQL; it is killed, held still and let go as a whole, as a machine would be.
"""

import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import Any, Final, Self

from tests.ports import quiet_port
from tools.postgres.account import (
    NoServer,
    give,
    make_folder,
    memory,
    our_account,
)
from tools.postgres.binaries import Binaries, newest, within_reach
from tools.postgres.processes import hold_family, is_alive, kill_family, until

NODES: Final = ("one", "two", "three")
PROGRAMS: Final = ("etcd", "patroni", "haproxy")
SYSTEM: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
OWNER: Final = "postgres"
TTL_S: Final = 10
"""A primary that says nothing for so long has lost its place; Patroni's own choice is 30."""

LOOP_S: Final = 1
RETRY_S: Final = 3
ASK_S: Final = 3.0
POLL_S: Final = 0.2

# Waits for a line or for our end. Patronis go first, or they would start what was ended. A lock file
# names a process in line 1, with a minus when it serves nobody, and in line 7 its shared memory.
WARDEN: Final = """
cd /
read -r _
for file in "$1"/*.pid; do test -s "$file" && kill -KILL "$(cat "$file")"; done
pids=
for lock in "$1"/*/data/postmaster.pid; do
    test -s "$lock" || continue
    pid=$(sed -n '1s/-//;1p' "$lock")
    kill -CONT "$pid"
    kill -QUIT "$pid" && pids="$pids $pid"
done
for _ in 1 2 3 4 5 6 7 8 9 10; do
    left=
    for lock in "$1"/*/data/postmaster.pid; do test -e "$lock" && left=yes; done
    test -n "$left" && sleep 0.2
done
test -n "$pids" && kill -KILL $pids
for lock in "$1"/*/data/postmaster.pid; do
    segment=$(sed -n '7s/.* //p' "$lock")
    test -n "$segment" && ipcrm -m "$segment"
done
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
"""


def lacking() -> str:
    """Say which programs of a cluster this machine does not have."""
    missing = [name for name in PROGRAMS if _program(name) is None]
    return f"{', '.join(missing)}: make cluster installs them" if missing else ""


def _program(name: str) -> str | None:
    return shutil.which(name, path=SYSTEM)


@dataclass(slots=True)
class Node:
    """One machine of the cluster: a Patroni, and the PostgreSQL that it looks after."""

    name: str
    folder: Path
    port: int = field(default_factory=quiet_port)
    asked_at: int = field(default_factory=quiet_port)
    patroni: "Popen[bytes] | None" = None

    @property
    def data(self) -> Path:
        """Where its database lies."""
        return self.folder / "data"

    def postmaster(self) -> int | None:
        """Return the process of its PostgreSQL, if that runs."""
        with contextlib.suppress(OSError, IndexError, ValueError):
            pid = int((self.data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
            return pid if is_alive(pid) else None
        return None

    def says(self, path: str) -> dict[str, Any] | None:
        """Ask its Patroni; None when it does not answer, or answers that it is not so."""
        return _asked(f"http://127.0.0.1:{self.asked_at}{path}")

    def members(self) -> dict[str, dict[str, Any]]:
        """Return how the whole cluster stands, as it knows it."""
        told = self.says("/cluster") or {"members": []}
        return {one["name"]: one for one in told["members"]}


def _asked(url: str, body: dict[str, str] | None = None) -> dict[str, Any] | None:
    sent = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, sent, {"Content-Type": "application/json"})  # noqa: S310 (ours, on the loopback)
    try:
        with urllib.request.urlopen(request, timeout=ASK_S) as answer:  # noqa: S310 (same)
            text = answer.read()
    except (urllib.error.URLError, OSError):
        return None
    with contextlib.suppress(ValueError):
        found: dict[str, Any] = json.loads(text)
        return found
    return {"said": text.decode()}


class Cluster:
    """Three nodes; ``with Cluster() as cluster`` starts them and leaves nothing behind."""

    def __init__(self, binaries: Binaries | None = None) -> None:
        """Make the folder; nothing runs yet."""
        self.password = secrets.token_hex(16)
        self.port = quiet_port()
        self._etcd = quiet_port()
        self._peer = quiet_port()
        self._account = our_account()
        # In memory where that is possible: processes die here, and machines do not.
        self.folder = make_folder(memory(), self._account)
        self._warden = self._popen(
            ["/bin/sh", "-c", WARDEN, "warden", str(self.folder)], stdin=subprocess.PIPE
        )
        self._programs = within_reach(binaries or newest(), self._account, self.folder)
        self.nodes = {name: Node(name, self.folder / name) for name in NODES}
        self._others: list[Popen[bytes]] = []

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End everything and remove the folder; harmless when done twice."""
        if self._warden.returncode is None:
            self._warden.communicate(b"\n", 60)
        for one in (*self._others, *(node.patroni for node in self.nodes.values())):
            if one is not None:
                one.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.folder.exists():
            raise NoServer(f"could not remove {self.folder}")

    # -- how it stands --------------------------------------------------------------------------

    def url(self, database: str = OWNER) -> str:
        """Return the address that leads to the primary, whoever that is."""
        return f"postgresql://{OWNER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def direct_url(self, database: str = OWNER) -> str:
        """Return the address that names all nodes and asks for the primary among them."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes.values())
        asked = "target_session_attrs=primary"
        return f"postgresql://{OWNER}:{self.password}@{hosts}/{database}?{asked}"

    def node_url(self, node: Node, database: str = OWNER) -> str:
        """Return the address of one node, whatever it is now."""
        return f"postgresql://{OWNER}:{self.password}@127.0.0.1:{node.port}/{database}"

    def standby(self, primary: Node) -> Node:
        """Return the node that follows the primary synchronously; there must be one."""
        (found,) = (
            name for name, one in primary.members().items() if one["role"] == "sync_standby"
        )
        return self.nodes[found]

    def primary(self) -> Node | None:
        """Return the node that says it takes writes, if exactly one does."""
        found = [node for node in self.nodes.values() if node.says("/primary")]
        return found[0] if len(found) == 1 else None

    def is_whole(self) -> bool:
        """Say whether one node leads, one follows it synchronously, and all of them run."""
        node = self.primary()
        if node is None:
            return False
        members = node.members()
        roles = sorted(str(one["role"]) for one in members.values())
        is_running = all(one["state"] in ("running", "streaming") for one in members.values())
        return is_running and roles == ["leader", "replica", "sync_standby"]

    def wait_until_whole(self) -> Node:
        """Wait until it is whole; return the primary."""
        until(self.is_whole, "the cluster does not become whole", POLL_S)
        node = self.primary()
        return node if node is not None else self.wait_until_whole()

    def wait_for_another(self, old: Node) -> Node:
        """Wait until another node is the primary; return it."""

        def is_so() -> bool:
            return any(node is not old and node.says("/primary") for node in self.nodes.values())

        until(is_so, f"nobody takes the place of {old.name}", POLL_S)
        return next(
            node for node in self.nodes.values() if node is not old and node.says("/primary")
        )

    # -- what is done to it ---------------------------------------------------------------------

    def kill(self, node: Node) -> None:
        """Kill all of a node from outside."""
        self._end_patroni(node)
        postmaster = node.postmaster()
        if postmaster is not None:
            kill_family(postmaster)

    def revive(self, node: Node) -> None:
        """Start a killed node again; it finds its own way back."""
        node.patroni = self._tracked(
            node.name, [_found("patroni"), str(node.folder / "patroni.json")]
        )

    def hold(self, node: Node) -> list[int]:
        """Hold all of a node still, as a machine that does not get its turn; return what was held."""
        assert node.patroni is not None
        held = hold_family(node.patroni.pid)
        postmaster = node.postmaster()
        return held if postmaster is None else held + hold_family(postmaster)

    def let_go(self, held: list[int]) -> None:
        """Let go on what was held."""
        for pid in reversed(held):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def switch_over(self, old: Node) -> None:
        """Ask for another primary in an orderly way."""
        url = f"http://127.0.0.1:{old.asked_at}/switchover"
        until(lambda: _asked(url, {"leader": old.name}) is not None, "no switch-over", POLL_S)

    # -- how it is started ----------------------------------------------------------------------

    def _start(self) -> None:
        place, peer = f"http://127.0.0.1:{self._etcd}", f"http://127.0.0.1:{self._peer}"
        line = [_found("etcd"), "--name=only", f"--data-dir={self.folder / 'etcd'}"]
        line += [f"--listen-client-urls={place}", f"--advertise-client-urls={place}"]
        line += [f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}"]
        line += [f"--initial-cluster=only={peer}", "--log-level=error"]
        self._others.append(self._tracked("etcd", line))
        until(lambda: _asked(f"{place}/health") is not None, "etcd does not answer", POLL_S)
        for node in self.nodes.values():
            node.folder.mkdir(mode=0o700)
            give(node.folder, self._account)
            self._write(node.folder / "patroni.json", json.dumps(self._settings(node), indent=1))
            self.revive(node)
            # Whoever comes before the first is done looks again only much later.
            until(lambda: self.primary() is not None, "nobody becomes the first primary", POLL_S)
        self._write(self.folder / "haproxy.cfg", self._ways())
        line = [_found("haproxy"), "-db", "-f", str(self.folder / "haproxy.cfg")]
        self._others.append(self._tracked("haproxy", line))
        self.wait_until_whole()

    def _settings(self, node: Node) -> dict[str, object]:
        """Return what a Patroni is told; it reads YAML, and JSON is some."""
        return {
            "scope": "interlock", "name": node.name,
            "restapi": {"listen": f"127.0.0.1:{node.asked_at}", "connect_address": f"127.0.0.1:{node.asked_at}"},
            "etcd3": {"host": f"127.0.0.1:{self._etcd}"},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL_S, "loop_wait": LOOP_S, "retry_timeout": RETRY_S,
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {"synchronous_commit": "on"}},
                },
                "initdb": ["data-checksums", "no-sync", {"encoding": "UTF8"}, {"locale": "C"}],
                "pg_hba": [
                    "local all all trust",
                    "host all all 127.0.0.1/32 scram-sha-256",
                    "host replication all 127.0.0.1/32 scram-sha-256",
                ],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{node.port}", "connect_address": f"127.0.0.1:{node.port}",
                "data_dir": str(node.data), "bin_dir": str(self._programs.folder),
                "pgpass": str(node.folder / "pgpass"),
                "basebackup": ["no-sync", {"checkpoint": "fast"}],
                "authentication": {
                    "superuser": {"username": OWNER, "password": self.password},
                    "replication": {"username": "replicator", "password": self.password},
                    "rewind": {"username": "rewinder", "password": self.password},
                },
                "parameters": {
                    "unix_socket_directories": str(node.folder),
                    "dynamic_shared_memory_type": "mmap",
                },
            },
        }  # fmt: skip

    def _ways(self) -> str:
        """Return what haproxy is told: whoever Patroni calls primary gets all connections."""
        servers = "\n".join(
            f"  server {node.name} 127.0.0.1:{node.port} check port {node.asked_at}"
            for node in self.nodes.values()
        )
        return f"""
global
  maxconn 200
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:{self.port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""

    def _end_patroni(self, node: Node) -> None:
        if node.patroni is not None:
            node.patroni.kill()
            node.patroni.wait(60)

    def _tracked(self, name: str, line: list[str]) -> "Popen[bytes]":
        """Start a program that the warden knows of."""
        with (self.folder / f"{name}.log").open("ab") as log:
            started = self._popen(line, out=log.fileno())
        (self.folder / f"{name}.pid").write_text(str(started.pid), encoding="utf-8")
        return started

    def _popen(
        self, line: list[str], *, stdin: int = subprocess.DEVNULL, out: int = subprocess.DEVNULL
    ) -> "Popen[bytes]":
        user, group, groups = self._account
        return Popen(
            line, stdin=stdin, stdout=out, stderr=subprocess.STDOUT, cwd=self.folder,
            env={"PATH": SYSTEM, "HOME": str(self.folder), "LC_ALL": "C", "TZ": "UTC"},
            start_new_session=True, user=user, group=group, extra_groups=groups,
        )  # fmt: skip

    def _write(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600)
        give(path, self._account)


def _found(name: str) -> str:
    found = _program(name)
    if found is None:
        raise NoServer(lacking())
    return found
