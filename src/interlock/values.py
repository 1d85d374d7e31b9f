"""Values of settings, as they stand in a flag, a variable or a file: read, or refused with why.

Nothing here knows which settings there are; ``config`` does.
"""

import re
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

PREFIX = "INTERLOCK_"
KIB = 1024
MIB = 1024 * KIB
# Both databases hold a value of this size in one field with room to spare.
BYTES_MAX = 512 * MIB
HOST = r"[A-Za-z0-9._-]{1,253}|\[?[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{0,40}\]?"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off"})


class Wrong(Exception):
    """A value cannot be used; says what is wrong, where inside of it, and what would be right."""

    def __init__(self, wrong: str, right: str, within: tuple[str, ...] = ()) -> None:
        super().__init__(wrong)
        self.wrong = wrong
        self.right = right
        self.within = within


class Wrongs(Exception):
    """The same, for a value with several mistakes in it."""

    def __init__(self, each: tuple[Wrong, ...]) -> None:
        super().__init__("; ".join(one.wrong for one in each))
        self.each = each


def read_folder(value: object) -> Path:
    """Read a folder."""
    right = "say the path of a folder"
    if not isinstance(value, str | Path) or not str(value).strip() or "\0" in str(value):
        raise Wrong("is not a path", right)
    try:
        path = Path(value).expanduser().absolute()
        str(path).encode()  # SQLite opens no file whose name is not valid UTF-8
        is_taken = path.exists() and not path.is_dir()
    except (OSError, RuntimeError, UnicodeEncodeError) as error:
        raise Wrong(f"{str(value)!r} cannot be used as a path", right) from error
    if is_taken:
        raise Wrong(f"{str(path)!r} is a file", right)
    return path


def read_file(value: object) -> str:
    """Read the path of a file, which need not be there yet."""
    right = "say the path of a file"
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise Wrong("is not a path", right)
    try:
        path = Path(value).expanduser().absolute()
        is_taken = path.is_dir()
    except (OSError, RuntimeError) as error:
        raise Wrong(f"{value!r} cannot be used as a path", right) from error
    if is_taken:
        raise Wrong(f"{str(path)!r} is a folder", right)
    return str(path)


def read_database(value: object) -> str:
    """Check a PostgreSQL address; as it may hold a password, no part of it is ever repeated."""
    form = "say postgresql://user:password@host:5432/name, or nothing for SQLite"
    if not isinstance(value, str):
        raise Wrong("is not text", form)
    if not value:
        return value
    escape = "write special characters of a password as % and two digits; " + form
    try:
        url = urlsplit(value)
    except ValueError as error:
        raise Wrong("is not an address", escape) from error
    if url.scheme not in {"postgresql", "postgres"} or "://" not in value:
        raise Wrong("is not the address of a PostgreSQL database", form)
    hosts = url.netloc.rpartition("@")[2].split(",")
    if not all(
        re.fullmatch(r"([^:\[\]]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?", host) for host in hosts
    ):
        raise Wrong("has a host or port that cannot be read", escape)
    # An unescaped / ? # or @ in a password ends up in one of these places.
    if url.fragment or not re.fullmatch(r"/[^/@]+", url.path):
        raise Wrong("names no database, or not just one", escape)
    return value


def read_server(value: object) -> str:
    """Read the address of a server."""
    form = "say http://host:port or https://host"
    if not isinstance(value, str):
        raise Wrong("is not text", form)
    try:
        url = urlsplit(value)
        is_web = url.scheme in {"http", "https"} and bool(url.hostname) and url.port != 0
    except ValueError as error:
        raise Wrong("is not an address", form) from error
    if value and not is_web:
        raise Wrong("is not the address of a server", form)
    if "@" in url.netloc or url.query or url.fragment:
        raise Wrong("holds more than an address", f"{form}; a secret goes into {PREFIX}TOKEN")
    return value.rstrip("/")


def read_issuer(value: object) -> str:
    """Read how an identity provider calls itself: letter by letter, with or without a last slash.

    It is asked over https, or on this machine.
    """
    found = read_server(value)
    host = urlsplit(found).hostname
    if found and not found.startswith("https://") and host not in LOOPBACK:
        raise Wrong("is not reached over https", "say https://host, as the provider says itself")
    return str(value)


def read_host(value: object) -> str:
    """Read a name or address to listen on."""
    right = "say a name or an address to listen on, without a port"
    if not isinstance(value, str) or not re.fullmatch(HOST, value):
        raise Wrong(f"{str(value)[:80]!r} is not a host", right)
    return value


def read_hosts(value: object) -> str:
    """Read a list of names."""
    names = [name.strip() for name in value.split(",")] if isinstance(value, str) else [""]
    if value and not all(re.fullmatch(HOST, name) for name in names):
        right = "say names without ports, with commas between"
        raise Wrong(f"{str(value)[:80]!r} is not a list of hosts", right)
    return ",".join(names)


def read_networks(value: object) -> str:
    """Read a list of addresses and networks."""
    names = [name.strip() for name in value.split(",")] if isinstance(value, str) else [""]
    try:
        found = [str(ip_network(name, strict=False)) for name in names if value]
    except ValueError as error:
        right = "say addresses or networks, as in 10.0.0.7,10.1.0.0/16, with commas between"
        raise Wrong(f"{str(value)[:80]!r} is not a list of addresses", right) from error
    return ",".join(found)


def read_modules(value: object) -> str:
    """Read a list of Python modules."""
    names = [name.strip() for name in value.split(",")] if isinstance(value, str) else [""]
    if value and not all(part.isidentifier() for name in names for part in name.split(".")):
        right = "say modules as in package.module, with commas between"
        raise Wrong(f"{str(value)[:80]!r} is not a list of Python modules", right)
    return ",".join(names)


def read_token(value: object) -> str:
    """Read a secret; it is never repeated."""
    if not isinstance(value, str) or not re.fullmatch(r"[!-~]*", value):
        raise Wrong("is not a token", "copy it again: one word, without blanks or quotes")
    return value


def read_word(value: object) -> str:
    """Read one word."""
    if not isinstance(value, str) or not re.fullmatch(r"[!-~]*", value):
        raise Wrong("is not a name", "say one word, without blanks")
    return value


def whole(low: int, high: int) -> Callable[[object], int]:
    """Return what reads a whole number between two others."""

    def read(value: object) -> int:
        right = f"say a whole number from {low} to {high}"
        if isinstance(value, str) and re.fullmatch(r"[0-9]{1,18}", value.strip()):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise Wrong(f"{value!r} is not a whole number", right)
        if not low <= value <= high:
            raise Wrong(f"{value} is out of range", right)
        return value

    return read


read_bytes = whole(KIB, BYTES_MAX)


def read_yes_or_no(value: object) -> bool:
    """Read yes or no."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word not in YES | NO:
        raise Wrong(f"{value!r} is neither yes nor no", "say yes or no")
    return word in YES


def one_of(choices: tuple[str, ...]) -> Callable[[object], str]:
    """Return what reads one of some words."""

    def read(value: object) -> str:
        word = str(value).strip().lower()
        if word not in choices:
            raise Wrong(f"{value!r} is not one of the choices", f"say {' or '.join(choices)}")
        return word

    return read
