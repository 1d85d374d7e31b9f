"""Files that the command line reads and writes; what cannot be done is told, never a traceback."""

import json
from pathlib import Path

import yaml

from interlock.cli.screen import err, out
from interlock.errors import InterlockError
from interlock.private import write_private


class NotReadable(InterlockError):
    """A file cannot be read, or holds no JSON."""

    code = "NOT_READABLE"
    http = 422


class NotWritable(InterlockError):
    """A file cannot be written."""

    code = "NOT_WRITABLE"
    http = 422


def read_json(path: Path) -> object:
    """Return the document in a file, or raise ``NotReadable`` with the place of the mistake."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as exc:
        message = f"{path} cannot be read: {exc.strerror}."
        raise NotReadable(message, fix="Name a file that exists and that you may read.") from exc
    except (ValueError, RecursionError) as exc:
        message = f"{path} is no JSON: {exc}."
        raise NotReadable(message, fix="Name a file with one JSON document in UTF-8.") from exc


def read_document(path: Path) -> object:
    """Return the document in a file: YAML by its name, else JSON."""
    if path.suffix not in (".yaml", ".yml"):
        return read_json(path)
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as exc:
        message = f"{path} cannot be read: {exc.strerror}."
        raise NotReadable(message, fix="Name a file that exists and that you may read.") from exc
    except (ValueError, RecursionError, yaml.YAMLError) as exc:
        message = f"{path} is no YAML: {' '.join(str(exc).split())}."
        raise NotReadable(message, fix="Name a file with one YAML document in UTF-8.") from exc


def write_text(path: Path | None, text: str) -> None:
    """Write a text to a file and say so, or to standard output where no file is named."""
    ended = text.rstrip() + "\n"
    if path is None:
        out.file.write(ended)
        return
    try:
        path.write_text(ended, encoding="utf-8")
    except OSError as exc:
        message = f"{path} cannot be written: {exc.strerror}."
        fix = "Name a file, in a folder that exists and where you may write."
        raise NotWritable(message, fix=fix) from exc
    err.print(f"wrote {path}", markup=False)


def write_secret(path: Path, secret: str) -> None:
    """Write a secret to a new file in the data folder that only its owner can read."""
    try:
        write_private(path, f"{secret}\n".encode("ascii"))
    except OSError as exc:
        message = f"{path} cannot be written: {exc.strerror}."
        raise NotWritable(message, fix="Make the data folder writable.") from exc
