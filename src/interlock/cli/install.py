"""``interlock mcp install``: tell an AI client about us, on paper or in its own file.

It never clobbers: what is there stays, a file that cannot be understood is refused, and the old
one is kept beside the new one.
"""

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import httpx2
import typer
from rich.markup import escape

from interlock.cli.clients import CLIENTS, NAME, Client, Entry, Machine
from interlock.cli.entry import Form, Json, Placed, Toml, written
from interlock.cli.files import NotReadable, NotWritable
from interlock.cli.local import settings
from interlock.cli.screen import err, out
from interlock.cli.serve import TOKEN_FILE
from interlock.config import EVERYWHERE, Settings
from interlock.errors import InterlockError
from interlock.service.errors import InvalidInput
from interlock.sources import data_folder

PRIVATE: Final = 0o600
ANSWER_S: Final = 2.0


def install(
    context: typer.Context,
    client: Annotated[str, typer.Argument(help=f"One of {', '.join(CLIENTS)}.")],
    http: Annotated[
        bool, typer.Option("--http", help="Use the server (`interlock serve`); else stdio.")
    ] = False,
    port: Annotated[int | None, typer.Option("--port", help="Where the server listens.")] = None,
    write: Annotated[bool, typer.Option("--write", help="Edit the client's own file.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an entry of ours that differs.")
    ] = False,
) -> None:
    """Print what an AI client needs to find us, or write it into the client's own file."""
    if client not in CLIENTS:
        message = f"There is no client {client[:80]!r} that we know."
        raise InvalidInput(message, fix=f"The clients are {', '.join(CLIENTS)}.")
    flags = context.find_root().obj
    if isinstance(flags, dict) and port is not None:
        flags.update(port=port)
    found, known = settings(context), CLIENTS[client]
    path = known.place(Machine(sys.platform, Path.home(), os.environ))
    form: Form = Toml() if known.is_toml(path) else Json()
    if http:
        _look(found)
    else:
        _warn(found)
    if write:
        _write(known, path, form, _entry(found, known, http=http, shown=False), force=force)
        return
    entry = _entry(found, known, http=http, shown=True)
    out.file.write(form.snippet(known.section, NAME, entry))
    err.print(escape(f"It belongs into {path}; --write puts it there."))


def _entry(found: Settings, client: Client, *, http: bool, shown: bool) -> Entry:
    """Return the entry; one that is only shown has the token's place instead of the token."""
    if not http:
        return client.local(command(found))
    path = found.data / TOKEN_FILE
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as exc:
        message = f"There is no token for agents in {path}."
        fix = "Run `interlock serve` once: it makes one where no other token exists."
        raise NotReadable(message, fix=fix) from exc
    return client.remote(f"{address(found)}/mcp", f"(what is in {path})" if shown else token)


def command(found: Settings) -> list[str]:
    """Return the words that start us, wherever and by whomever they are said."""
    program = Path(sys.executable).parent / ("interlock.exe" if os.name == "nt" else "interlock")
    words = [str(program)] if program.exists() else [sys.executable, "-m", "interlock"]
    if found.data != data_folder(sys.platform, os.environ):
        words += ["--data", str(found.data.absolute())]
    return [*words, "mcp"]


def address(found: Settings) -> str:
    """Return where the server is, as somebody on this machine says it."""
    host = "127.0.0.1" if found.host in EVERYWHERE else found.host
    if ":" in host and "[" not in host:
        host = f"[{host}]"
    return found.server.rstrip("/") or f"http://{host}:{found.port}"


def _look(found: Settings) -> None:
    """Say so where nobody answers; the server may be started later."""
    url = address(found)
    with suppress(httpx2.HTTPError):
        if (
            httpx2.get(f"{url}/version", timeout=ANSWER_S, trust_env=False).status_code
            == httpx2.codes.OK
        ):
            return
    err.print(escape(f"Nobody answers at {url} yet: start `interlock serve`."))


def _warn(found: Settings) -> None:
    """Say what the client must be told otherwise: secrets are not copied into its file."""
    for name in ("database", "token"):
        if getattr(found, name):
            line = f"INTERLOCK_{name.upper()} is not written: the client must have it set, too."
            err.print(escape(line))


def _write(client: Client, path: Path, form: Form, entry: Entry, *, force: bool) -> None:
    target = path.resolve()  # a link stays a link
    try:
        old = target.read_bytes().decode("utf-8") if target.exists() else ""
        new = written(form, old, client.section, Placed(NAME, entry), force=force)
    except InterlockError as exc:
        raise type(exc)(f"{path}: {exc.message}", fix=exc.fix) from exc
    except UnicodeDecodeError as exc:
        raise NotReadable(f"{path} is not text in UTF-8.", fix="Save it as UTF-8.") from exc
    except OSError as exc:
        message = f"{path} cannot be read: {exc.strerror}."
        raise NotReadable(message, fix="Make it readable for this account.") from exc
    if new == old:
        err.print(escape(f"{client.title} has it already, in {path}."))
        return
    try:
        kept = _backup(target)
        _replace(target, new, has_secret="Bearer" in str(entry))
    except OSError as exc:
        message = f"{path} cannot be written: {exc.strerror}."
        raise NotWritable(message, fix="Make the file and its folder writable.") from exc
    beside = f" (before: {kept.name})" if kept else ""
    err.print(escape(f"wrote {path}{beside}"))
    err.print(escape(client.after))


def _backup(target: Path) -> Path | None:
    """Keep the old file under a name that nobody has."""
    if not target.exists():
        return None
    number = 1
    while True:
        path = target.with_name(f"{target.name}.backup-{number}")
        try:
            path.touch(mode=PRIVATE, exist_ok=False)
        except FileExistsError:
            number += 1
            continue
        shutil.copy2(target, path)
        return path


def _replace(target: Path, text: str, *, has_secret: bool) -> None:
    """Put the new text there whole or not at all; with a secret in it only its owner may read."""
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else PRIVATE
    file, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    new = Path(name)
    try:
        with os.fdopen(file, "wb") as writing:
            writing.write(text.encode())
            writing.flush()
            os.fsync(writing.fileno())
        new.chmod(PRIVATE if has_secret else mode)
        new.replace(target)
    except OSError:
        new.unlink(missing_ok=True)
        raise
