"""Settings: what can be set, where it is read from, and what is wrong with it.

A flag beats the environment (``INTERLOCK_PORT``), the environment beats the file
(``interlock.toml`` in the data folder), the file beats the default. All mistakes are told at
once. Nothing is opened or made here but that one file; secrets are never shown.
"""

import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from interlock.errors import InterlockError
from interlock.values import (
    MIB,
    PREFIX,
    Wrong,
    one_of,
    read_bytes,
    read_database,
    read_folder,
    read_host,
    read_hosts,
    read_issuer,
    read_server,
    read_token,
    read_word,
    read_yes_or_no,
    whole,
)

FILE_NAME = "interlock.toml"
SQLITE_NAME = "interlock.db"

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS

EVERYWHERE = ("0.0.0.0", "::", "[::]")  # noqa: S104 (addresses that are nobody's name)
SYNCHRONOUS = ("full", "normal", "off")
MODEL_KINDS = ("openai", "anthropic")

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong with the settings, and what would be right."""

    name: str
    where: str
    wrong: str
    right: str

    def __str__(self) -> str:
        return f"{self.where}: {self.wrong}"


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
    webhooks_private: bool = False  # whether webhooks may go to this machine and its network
    call_log_days: int = 30  # how long calls of tools are kept in the log
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


def load(flags: Mapping[str, object], environ: Mapping[str, str]) -> Settings:
    """Return the settings that hold, or raise a ``ConfigError`` that names every mistake.

    A flag that is None was not given; an empty variable is as good as none.
    """
    sources = _Sources(flags, environ)
    default = Settings(data=Path())
    settings = Settings(
        data=sources.open_folder(),
        database=sources.take("database", read_database, default.database),
        server=sources.take("server", read_server, default.server),
        token=sources.take("token", read_token, default.token),
        host=sources.take("host", read_host, default.host),
        hosts=sources.take("hosts", read_hosts, default.hosts),
        port=sources.take("port", whole(0, 65535), default.port),
        public_url=sources.take("public_url", read_server, default.public_url),
        synchronous=sources.take("synchronous", one_of(SYNCHRONOUS), default.synchronous),
        allow_degraded=sources.take("allow_degraded", read_yes_or_no, default.allow_degraded),
        webhooks_private=sources.take("webhooks_private", read_yes_or_no, default.webhooks_private),
        lease_ms=sources.take("lease_ms", whole(1000, 7 * DAY_MS), default.lease_ms),
        body_bytes_max=sources.take("body_bytes_max", read_bytes, default.body_bytes_max),
        artifact_bytes_max=sources.take(
            "artifact_bytes_max", read_bytes, default.artifact_bytes_max
        ),
        call_log_days=sources.take("call_log_days", whole(1, 3650), default.call_log_days),
        model_url=sources.take("model_url", read_server, default.model_url),
        model_kind=sources.take("model_kind", one_of(MODEL_KINDS), default.model_kind),
        model_name=sources.take("model_name", read_word, default.model_name),
        model_key=sources.take("model_key", read_token, default.model_key),
        embeddings_url=sources.take("embeddings_url", read_server, default.embeddings_url),
        embeddings_name=sources.take("embeddings_name", read_word, default.embeddings_name),
        embeddings_key=sources.take("embeddings_key", read_token, default.embeddings_key),
        oidc_issuer=sources.take("oidc_issuer", read_issuer, default.oidc_issuer),
        oidc_client_id=sources.take("oidc_client_id", read_word, default.oidc_client_id),
        oidc_client_secret=sources.take(
            "oidc_client_secret", read_token, default.oidc_client_secret
        ),
        oidc_audience=sources.take("oidc_audience", read_word, default.oidc_audience),
    )
    sources.refuse_unknown()
    sources.refuse_silent_loss(settings)
    sources.refuse_nameless(settings)
    if sources.mistakes:
        raise ConfigError(tuple(sources.mistakes))
    return settings


def data_folder(platform: str, environ: Mapping[str, str]) -> Path:
    """Return where this platform keeps the data of programs; nothing is made there."""
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "interlock"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "interlock"
    shared = Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    # The XDG specification: a relative path there is to be ignored.
    return (shared if shared.is_absolute() else home / ".local" / "share") / "interlock"


class _Sources:
    """The three places a setting can come from, and the mistakes met in them so far."""

    def __init__(self, flags: Mapping[str, object], environ: Mapping[str, str]) -> None:
        self.mistakes: list[Mistake] = []
        self._environ = environ
        self._flags = {name: value for name, value in flags.items() if value is not None}
        self._variables = {
            name.removeprefix(PREFIX).lower(): value
            for name, value in environ.items()
            if name.startswith(PREFIX) and value
        }
        self._path = Path()
        self._file: Mapping[str, object] = {}

    def open_folder(self) -> Path:
        """Return the data folder, and read the file in it."""
        try:
            default = data_folder(sys.platform, self._environ)
        except RuntimeError:  # nobody knows where home is
            default = Path()
        folder = self.take("data", read_folder, default)
        if folder == Path():
            right = "say where the data shall lie"
            self._note("data", _variable("data"), "this account has no home folder", right)
        if not self.mistakes:
            self._path = folder / FILE_NAME
            self._file = self._read_file()
        return folder

    def take(self, name: str, read: Callable[[object], Value], default: Value) -> Value:
        """Return the setting from the first place that has it; a bad value counts as absent."""
        found = self._find(name)
        if found is None:
            return default
        where, value = found
        try:
            return read(value)
        except Wrong as wrong:
            self._note(name, where, wrong.wrong, wrong.right)
            return default

    def refuse_unknown(self) -> None:
        """Note every name nobody reads, with the nearest one that somebody does."""
        known = [known.name for known in fields(Settings)]
        for names, spell in (
            (self._flags, _flag),
            (self._variables, _variable),
            (self._file, self._line),
        ):
            for name in sorted(set(names) - set(known)):
                close = get_close_matches(name, known, n=1)
                right = f"did you mean {spell(close[0])}?" if close else _list_of(known, spell)
                self._note(name, spell(name), "there is no such setting", right)
        if "data" in self._file:
            right = f"take the line out; set {PREFIX}DATA instead"
            wrong = "the folder cannot be set in a file that lies in it"
            self._note("data", self._line("data"), wrong, right)

    def refuse_silent_loss(self, settings: Settings) -> None:
        """Note a setting that may lose acknowledged work, unless that was said to be accepted."""
        found = self._find("synchronous")
        if found and settings.durability == "degraded" and not settings.allow_degraded:
            wrong = f"'{settings.synchronous}' may lose acknowledged work in a power cut"
            right = f"say 'full', or accept the loss with {PREFIX}ALLOW_DEGRADED=yes"
            self._note("synchronous", found[0], wrong, right)

    def refuse_nameless(self, settings: Settings) -> None:
        """Note an endpoint without the name of the model there, or a provider without ours."""
        for what in ("model", "embeddings"):
            if getattr(settings, f"{what}_url") and not getattr(settings, f"{what}_name"):
                where = _variable(f"{what}_url")
                right = f"set {_variable(f'{what}_name')}, too"
                self._note(f"{what}_name", where, "names an endpoint, but no model there", right)
        if settings.oidc_issuer and not settings.oidc_client_id:
            where, right = _variable("oidc_issuer"), f"set {_variable('oidc_client_id')}, too"
            self._note("oidc_client_id", where, "does not say how the provider knows us", right)

    def _find(self, name: str) -> tuple[str, object] | None:
        if name in self._flags:
            return _flag(name), self._flags[name]
        if name in self._variables:
            return _variable(name), self._variables[name]
        if name in self._file:
            return self._line(name), self._file[name]
        return None

    def _line(self, name: str) -> str:
        return f"{name} in {self._path}"

    def _note(self, name: str, where: str, wrong: str, right: str) -> None:
        self.mistakes.append(Mistake(name, where, wrong, right))

    def _read_file(self) -> Mapping[str, object]:
        where = str(self._path)
        try:
            return tomllib.loads(self._path.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            wrong = f"cannot be read ({error.strerror})"
            self._note("file", where, wrong, "make it readable for this account, or remove it")
        except UnicodeDecodeError:
            self._note("file", where, "is not text in UTF-8", "save it as UTF-8")
        except tomllib.TOMLDecodeError as error:
            wrong = f"is not TOML ({error})"
            self._note("file", where, wrong, "write one line for each setting: name = value")
        return {}


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _variable(name: str) -> str:
    return PREFIX + name.upper()


def _list_of(names: list[str], spell: Callable[[str], str]) -> str:
    return f"there are {', '.join(names)} (the first is written {spell(names[0])})"
