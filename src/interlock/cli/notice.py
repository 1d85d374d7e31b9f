"""A notice in the data folder that a server runs on it: where, and how to recognise it.

It is a hint, never a lock: any number of processes may use the folder, and a notice that was left
behind by a server that was killed is noticed by asking.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

FILE: Final = "server.json"
ANSWER_S: Final = 2.0
BYTES_MAX: Final = 10_000


@contextmanager
def noticed(folder: Path, url: str, instance: str) -> Iterator[None]:
    """Leave a notice for as long as this is open; a folder that cannot be written has none."""
    path = folder / FILE
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"url": url, "instance": instance}) + "\n", encoding="utf-8")
    try:
        yield
    finally:
        # A server that began after us may have left its own.
        with suppress(OSError):
            if _read(path).get("instance") == instance:
                path.unlink()


def running(folder: Path) -> str:
    """Return where a server runs on this folder that answers and is the one of the notice."""
    told = _read(folder / FILE)
    url, instance = told.get("url"), told.get("instance")
    if not isinstance(url, str) or not isinstance(instance, str):
        return ""
    return url if _asked(url).get("instance") == instance else ""


def _read(path: Path) -> dict[str, object]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _asked(url: str) -> dict[str, object]:
    """Ask whoever answers there what it is; no secret is sent, as it may be anybody."""
    connection = None
    try:
        where = urlsplit(url)
        connection = HTTPConnection(where.hostname or "", where.port, timeout=ANSWER_S)
        connection.request("GET", "/version")
        found = json.loads(connection.getresponse().read(BYTES_MAX))
    except (OSError, HTTPException, ValueError):
        return {}
    finally:
        if connection is not None:
            connection.close()
    return found if isinstance(found, dict) else {}
