"""Settings: what can be set, where it is read from, and what is wrong with it.

A flag beats the environment (``INTERLOCK_PORT``), the environment beats the file
(``interlock.toml`` in the data folder, the chosen profile first), the file beats the default. All
mistakes are told at once. Nothing is opened or made here but that one file; secrets are never
shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from interlock.agents import AgentSettings, read_agents
from interlock.errors import InterlockError
from interlock.servers import Server, read_servers
from interlock.sources import Mistake, Sources, variable
from interlock.values import (
    MIB,
    PREFIX,
    one_of,
    read_bytes,
    read_database,
    read_file,
    read_host,
    read_hosts,
    read_issuer,
    read_modules,
    read_networks,
    read_server,
    read_token,
    read_word,
    read_yes_or_no,
    whole,
)

SQLITE_NAME = "interlock.db"

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS

EVERYWHERE = ("0.0.0.0", "::", "[::]")  # noqa: S104 (addresses that are nobody's name)
SYNCHRONOUS = ("full", "normal", "off")
MODEL_KINDS = ("openai", "anthropic")
LOGS = ("json", "text")
RATE = whole(0, 1_000_000)
LEVELS = ("debug", "info", "warning", "error")


class ConfigError(InterlockError):
    """The settings cannot be used; all that is wrong with them is said at once."""

    code = "CONFIG_ERROR"
    http = 500

    def __init__(self, mistakes: tuple[Mistake, ...]) -> None:
        """Keep the mistakes; the message has a line for each, and so has the fix."""
        self.mistakes = mistakes
        super().__init__(
            "\n".join(str(mistake) for mistake in mistakes),
            fix="\n".join(f"{mistake.where}: {mistake.right}" for mistake in mistakes),
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; ``load`` is how a program gets one, tests may make their own."""

    data: Path
    database: str = field(default="", repr=False)  # may hold a password
    server: str = ""
    profile: str = ""  # which of the file's profiles holds
    token: str = field(default="", repr=False)
    host: str = "127.0.0.1"  # where the server listens
    hosts: str = ""  # further names it is known by, with commas between
    port: int = 7400
    public_url: str = ""  # where people reach the pages, if not on this machine
    synchronous: str = "full"
    allow_degraded: bool = False
    lease_ms: int = 30 * MINUTE_MS  # a part is stalled after the same time
    body_bytes_max: int = MIB
    artifact_bytes_max: int = 32 * MIB
    tool_s_max: int = 3600  # for how many seconds a tool step may run
    webhooks_private: bool = False  # whether webhooks may go to this machine and its network
    call_log_days: int = 30  # how long calls of tools are kept in the log
    checkpoint_file: str = ""  # where a server appends checkpoints of the audit; none: it does not
    checkpoint_key: str = ""  # the file of the key that signs them; none: one in the data folder
    checkpoint_minutes: int = 60  # how long after the last one it appends the next
    model_url: str = ""  # where a model's endpoint begins, as in https://host/v1
    model_kind: str = "openai"  # how it is spoken to
    model_name: str = ""
    model_key: str = field(default="", repr=False)
    embeddings_url: str = ""  # as in https://host/v1; none: the model of the extra, if installed
    embeddings_name: str = ""
    embeddings_key: str = field(default="", repr=False)
    oidc_issuer: str = ""  # the identity provider that people log in at, as it calls itself
    oidc_client_id: str = ""  # how it knows us
    oidc_client_secret: str = field(default="", repr=False)
    oidc_audience: str = ""  # whom its access tokens must be for; without it none is taken
    rate_principal: int = 100  # calls a second of one principal; 0: as many as it likes
    rate_tenant: int = 1000  # the same of all principals of a tenant together
    log: str = ""  # json or text; none: text on a terminal, json elsewhere
    log_level: str = "info"
    traces_url: str = ""  # where an OTLP collector begins, as in http://host:4318
    metrics_token: str = field(default="", repr=False)  # who may read /metrics, beside admins
    proxies: str = ""  # addresses whose X-Forwarded-* is believed, with commas between
    processes: int = 1  # how many share the port
    tools: str = ""  # Python modules whose tools can be run, with commas between
    fetch_hosts: str = ""  # hosts that http_fetch may read from, with commas between; none: off
    mcp_servers: tuple[Server, ...] = ()  # whose tools can be run: tables [mcp_servers.NAME]
    agents: tuple[AgentSettings, ...] = ()  # whom a worker can ask: tables [agents.NAME]
    worker: bool = True  # whether `up` runs tools, too, in a worker beside it
    worker_slots: int = 1  # how much a worker runs at once
    worker_grace_s: int = 30  # how long a worker that was told to stop lets run what it runs
    worker_heartbeat_s: int = 10  # at most so long after a cancel a worker ends what it runs
    worker_retry_ms: int = 1000  # the longest pause before a tool is tried again; doubled each time
    worker_retry_max_ms: int = MINUTE_MS  # but never longer than this
    workspace_days: int = 7  # how long the working trees of ended tickets are kept
    drain_s: int = 0  # for how long requests are still taken after we were told to stop

    @property
    def site(self) -> str:
        """Where people reach the pages."""
        return self.public_url.rstrip("/") or f"http://127.0.0.1:{self.port}"

    @property
    def sqlite_file(self) -> Path:
        """Where the database lies when no other one is named."""
        return self.data / SQLITE_NAME

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names that the server is known by, beside those of this machine; IPv6 in brackets."""
        names = [name for name in (self.host, *self.hosts.split(",")) if name]
        return tuple(
            f"[{name}]" if ":" in name and "[" not in name else name
            for name in names
            if name not in EVERYWHERE
        )

    @property
    def database_shown(self) -> str:
        """The database as it may be printed: without its password and without its options."""
        if not self.database:
            return str(self.sqlite_file)
        url = urlsplit(self.database)
        login, _, hosts = url.netloc.rpartition("@")
        user = login.partition(":")[0]
        return f"{url.scheme}://{user}{'@' if user else ''}{hosts}{url.path}"

    @property
    def durability(self) -> str:
        """Say ``full`` when what was acknowledged survives a power cut, else ``degraded``."""
        return "full" if self.synchronous == "full" else "degraded"


READERS: Final[Mapping[str, Callable[[object], object]]] = {
    "database": read_database,
    "server": read_server,
    "profile": read_word,
    "token": read_token,
    "host": read_host,
    "hosts": read_hosts,
    "port": whole(0, 65535),
    "public_url": read_server,
    "synchronous": one_of(SYNCHRONOUS),
    "allow_degraded": read_yes_or_no,
    "webhooks_private": read_yes_or_no,
    "lease_ms": whole(1000, 7 * DAY_MS),
    "body_bytes_max": read_bytes,
    "artifact_bytes_max": read_bytes,
    "tool_s_max": whole(1, 86_400),
    "call_log_days": whole(1, 3650),
    "checkpoint_file": read_file,
    "checkpoint_key": read_file,
    "checkpoint_minutes": whole(1, 10_080),
    "model_url": read_server,
    "model_kind": one_of(MODEL_KINDS),
    "model_name": read_word,
    "model_key": read_token,
    "embeddings_url": read_server,
    "embeddings_name": read_word,
    "embeddings_key": read_token,
    "oidc_issuer": read_issuer,
    "oidc_client_id": read_word,
    "oidc_client_secret": read_token,
    "oidc_audience": read_word,
    "rate_principal": RATE,
    "rate_tenant": RATE,
    "log": one_of(LOGS),
    "log_level": one_of(LEVELS),
    "traces_url": read_server,
    "metrics_token": read_token,
    "proxies": read_networks,
    "processes": whole(1, 256),
    "tools": read_modules,
    "fetch_hosts": read_hosts,
    "mcp_servers": read_servers,
    "agents": read_agents,
    "worker": read_yes_or_no,
    "worker_slots": whole(1, 256),
    "worker_grace_s": whole(0, 3600),
    "worker_heartbeat_s": whole(1, 3600),
    "worker_retry_ms": whole(0, DAY_MS),
    "worker_retry_max_ms": whole(0, DAY_MS),
    "workspace_days": whole(0, 3650),
    "drain_s": whole(0, 3600),
}
"""How each setting is read, wherever it comes from; the folder comes first, with its file."""


def load(flags: Mapping[str, object], environ: Mapping[str, str]) -> Settings:
    """Return the settings that hold, or raise a ``ConfigError`` that names every mistake.

    A flag that is None was not given; an empty variable is as good as none.
    """
    sources = Sources(flags, environ)
    default = Settings(data=Path())
    taken: dict[str, Any] = {"data": sources.open_folder()}
    for name, read in READERS.items():
        taken[name] = sources.take(name, read, getattr(default, name))
    settings = Settings(**taken)
    sources.refuse_unknown(known.name for known in fields(Settings))
    _refuse_silent_loss(sources, settings)
    _refuse_nameless(sources, settings)
    if sources.mistakes:
        raise ConfigError(tuple(sources.mistakes))
    return settings


def _refuse_silent_loss(sources: Sources, settings: Settings) -> None:
    """Note a setting that may lose acknowledged work, unless that was said to be accepted."""
    found = sources.find("synchronous")
    if found and settings.durability == "degraded" and not settings.allow_degraded:
        wrong = f"'{settings.synchronous}' may lose acknowledged work in a power cut"
        right = f"say 'full', or accept the loss with {PREFIX}ALLOW_DEGRADED=yes"
        sources.note("synchronous", found[0], wrong, right)


def _refuse_nameless(sources: Sources, settings: Settings) -> None:
    """Note an endpoint without the name of the model that is asked there."""
    for what in ("model", "embeddings"):
        found = sources.find(f"{what}_url")
        if found and getattr(settings, f"{what}_url") and not getattr(settings, f"{what}_name"):
            right = f"set {variable(f'{what}_name')}, too"
            wrong = "names an endpoint, but no model there"
            sources.note(f"{what}_name", found[0], wrong, right)
    if settings.oidc_issuer and not settings.oidc_client_id:
        found = sources.find("oidc_issuer")
        where = found[0] if found else variable("oidc_issuer")
        right = f"set {variable('oidc_client_id')}, too"
        sources.note("oidc_client_id", where, "does not say how the provider knows us", right)
