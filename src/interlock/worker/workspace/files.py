"""Small files that are whole or not there: written beside, kept by the disk, put in one move."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp


def put(path: Path, content: bytes) -> None:
    """Write a file so that after a crash it is the old one or the new one; raises ``OSError``."""
    file, beside = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(file, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink()
        raise
    sync(path.parent)


def sync(folder: Path) -> None:
    """Have the disk keep which names a folder holds."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def put_json(path: Path, told: Mapping[str, object]) -> None:
    """Write a mapping."""
    put(path, json.dumps(told, sort_keys=True).encode())


def read_json(path: Path) -> dict[str, object]:
    """Return a mapping; an empty one where there is none that could be read."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
