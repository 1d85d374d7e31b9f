"""An entry in a client's configuration, as text: found, added, replaced; the rest stays.

Works on texts, touches no file. Whatever is about to be handed back is read again first: but for
our entry it must say exactly what the old text said, else it is refused.
"""

import json
import re
import tomllib
from dataclasses import dataclass
from typing import Final, Protocol

from interlock.errors import InterlockError

BOM: Final = "\ufeff"
HEADER: Final = re.compile(r"^\s*\[")


class Unreadable(InterlockError):
    """A client's configuration is not what it should be, so it is left alone."""

    code = "CLIENT_CONFIG_UNREADABLE"
    http = 422


class AlreadyConfigured(InterlockError):
    """A client has an entry of our name that says something else."""

    code = "ALREADY_CONFIGURED"
    http = 409


Document = dict[str, object]


class Form(Protocol):
    """A way to write configuration down."""

    def read(self, text: str) -> Document:
        """Return what a text says, or raise ``ValueError``."""

    def snippet(self, section: str, name: str, entry: Document) -> str:
        """Return an entry by itself, as it stands in a file that has nothing else."""

    def put(self, text: str, section: str, name: str, entry: Document) -> str:
        """Return the text with the entry in it, in place of one of the same name."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry and the name it stands under."""

    name: str
    entry: Document


def written(form: Form, text: str, section: str, place: Placed, *, force: bool) -> str:
    """Return a file's new text; the same text if the entry is there already."""
    marked, bare = text.startswith(BOM), text.removeprefix(BOM)
    old = _read(form, bare)
    found = _section(old, section).get(place.name)
    if found == place.entry:
        return text
    if found is not None and not force:
        message = f"There is an entry {place.name!r} already, and it says something else."
        raise AlreadyConfigured(message, fix="Say --force to replace it; a backup is kept.")
    new = form.put(bare.replace("\r\n", "\n"), section, place.name, place.entry)
    if not _says(form, new, _expected(old, section, place)):
        message = "The entry cannot be added without touching something else."
        raise Unreadable(message, fix="Add it by hand: without --write it is printed.")
    ended = new.replace("\n", "\r\n") if "\r\n" in bare else new
    return BOM + ended if marked else ended


class Json:
    """JSON as clients write it; the indent of the file is kept."""

    def read(self, text: str) -> Document:
        """Return what a text says; a key that stands twice would be lost, so it is refused."""
        found = json.loads(text, object_pairs_hook=_once) if text.strip() else {}
        if not isinstance(found, dict):
            message = "it is no object"
            raise ValueError(message)  # noqa: TRY004 (the caller tells all that is wrong alike)
        return found

    def snippet(self, section: str, name: str, entry: Document) -> str:
        """Return an entry by itself."""
        return json.dumps({section: {name: entry}}, indent=2, ensure_ascii=False) + "\n"

    def put(self, text: str, section: str, name: str, entry: Document) -> str:
        """Return the text with the entry in it."""
        document = self.read(text)
        document[section] = {**_section(document, section), name: entry}
        indent = re.search(r"\n([ \t]+)\S", text)
        made = json.dumps(document, indent=indent[1] if indent else 2, ensure_ascii=False)
        return made + ("\n" if text.endswith("\n") or not text.strip() else "")


class Toml:
    """TOML, changed as text: comments and layout of everything else stay."""

    def read(self, text: str) -> Document:
        """Return what a text says."""
        return tomllib.loads(text)

    def snippet(self, section: str, name: str, entry: Document) -> str:
        """Return an entry by itself: a table, and one for each table in it."""
        plain = {key: value for key, value in entry.items() if not isinstance(value, dict)}
        lines = [f"[{section}.{name}]", *(f"{key} = {_toml(one)}" for key, one in plain.items())]
        for key, inner in entry.items():
            if isinstance(inner, dict):
                lines += ["", f"[{section}.{name}.{key}]"]
                lines += [f"{_toml(str(one))} = {_toml(value)}" for one, value in inner.items()]
        return "\n".join(lines) + "\n"

    def put(self, text: str, section: str, name: str, entry: Document) -> str:
        """Return the text with the entry at its end, and without an older one."""
        ours = re.compile(rf"^\s*\[\s*{re.escape(section)}\s*\.\s*\"?{re.escape(name)}\"?\s*[.\]]")
        kept, is_ours = [], False
        for line in text.splitlines():
            if HEADER.match(line):
                is_ours = ours.match(line) is not None
            if not is_ours:
                kept.append(line)
        rest = "\n".join(kept).rstrip()
        return (rest + "\n\n" if rest else "") + self.snippet(section, name, entry)


def _read(form: Form, text: str) -> Document:
    try:
        return form.read(text)
    except (ValueError, RecursionError) as exc:
        message = f"It cannot be read: {exc}."
        fix = "Mend it, or add the entry by hand: without --write it is printed."
        raise Unreadable(message, fix=fix) from exc


def _section(document: Document, section: str) -> Document:
    found = document.get(section, {})
    if not isinstance(found, dict):
        message = f"{section!r} in it is no table of servers."
        raise Unreadable(message, fix="Mend it: it holds one entry for each server.")
    return found


def _says(form: Form, text: str, expected: Document) -> bool:
    try:
        return form.read(text) == expected
    except ValueError:
        return False


def _expected(old: Document, section: str, place: Placed) -> Document:
    return {**old, section: {**_section(old, section), place.name: place.entry}}


def _once(pairs: list[tuple[str, object]]) -> Document:
    found = dict(pairs)
    if len(found) != len(pairs):
        message = "a key stands in it twice"
        raise ValueError(message)
    return found


def _toml(value: object) -> str:
    """Return a string, a yes or no, or a list of strings as TOML, which writes them like JSON."""
    # TOML forbids the one control character that JSON lets stand as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
