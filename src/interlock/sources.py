"""The places a setting can come from: a flag, a variable, a line of a file; what is wrong there.

A file can hold profiles, such as a server with its token; the chosen one beats the rest of it.

Which settings there are is not known here; ``config`` does.
"""

import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from interlock.values import PREFIX, Wrong, Wrongs, read_folder

FILE_NAME = "interlock.toml"
PROFILE = "profile"
PROFILES = "profiles"
"""The table of a file that holds settings by the name of a profile."""

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


class Sources:
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
        self._text = ""
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
            self.note("data", variable("data"), "this account has no home folder", right)
        if not self.mistakes:
            self._path = folder / FILE_NAME
            self._file = self._read_file()
            self._choose()
        return folder

    def _choose(self) -> None:
        """Let the lines of the chosen profile stand before those of the file that holds it."""
        others = dict(self._file)
        profiles = others.pop(PROFILES, {})
        self._file = others
        found = self.find(PROFILE)
        if found is None:
            return
        where, name = found
        chosen = profiles.get(name) if isinstance(profiles, dict) else None
        if isinstance(chosen, dict):
            self._file = {**others, **chosen}
            return
        known = [*profiles] if isinstance(profiles, dict) else []
        near = get_close_matches(str(name), known, n=1)
        right = f"did you mean {near[0]}?" if near else f"write [{PROFILES}.{name}] in {self._path}"
        self.note(PROFILE, where, f"there is no profile {str(name)[:40]!r}", right)

    def take(self, name: str, read: Callable[[object], Value], default: Value) -> Value:
        """Return the setting from the first place that has it; a bad value counts as absent."""
        found = self.find(name)
        if found is None:
            return default
        where, value = found
        try:
            return read(value)
        except Wrong as wrong:
            self._note_within(name, where, wrong)
        except Wrongs as wrongs:
            for each in wrongs.each:
                self._note_within(name, where, each)
        return default

    def _note_within(self, name: str, where: str, wrong: Wrong) -> None:
        """Keep a mistake that may lie inside of a value: of a table of the file, for one."""
        if wrong.within:
            inside = where == self._line(name)
            words = ".".join(wrong.within)
            where = self._line(name, wrong.within) if inside else f"{where}: {words}"
        self.note(name, where, wrong.wrong, wrong.right)

    def refuse_unknown(self, names_known: Iterable[str]) -> None:
        """Note every name nobody reads, with the nearest one that somebody does."""
        known = [*names_known]
        for names, spell in (
            (self._flags, flag),
            (self._variables, variable),
            (self._file, self._line),
        ):
            for name in sorted(set(names) - set(known)):
                close = get_close_matches(name, known, n=1)
                near = spell(close[0]) if close and spell != self._line else "".join(close)
                right = f"did you mean {near}?" if close else _list_of(known)
                self.note(name, spell(name), "there is no such setting", right)
        if "data" in self._file:
            right = f"take the line out; set {PREFIX}DATA instead"
            wrong = "the folder cannot be set in a file that lies in it"
            self.note("data", self._line("data"), wrong, right)

    def find(self, name: str) -> tuple[str, object] | None:
        """Return where a setting comes from and how it is written there, if it is anywhere."""
        if name in self._flags:
            return flag(name), self._flags[name]
        if name in self._variables:
            return variable(name), self._variables[name]
        if name in self._file:
            return self._line(name), self._file[name]
        return None

    def _line(self, name: str, within: tuple[str, ...] = ()) -> str:
        line = line_of(name, self._text, within)
        key = ".".join((name, *within))
        return f"{key} in {self._path}" + (f", line {line}" if line else "")

    def note(self, name: str, where: str, wrong: str, right: str) -> None:
        """Keep a mistake."""
        self.mistakes.append(Mistake(name, where, wrong, right))

    def _read_file(self) -> Mapping[str, object]:
        where = str(self._path)
        try:
            self._text = self._path.read_text(encoding="utf-8")
            # With a last line that has an end its mistakes have a place, too.
            return tomllib.loads(self._text + "\n")
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            wrong = f"cannot be read ({error.strerror})"
            self.note("file", where, wrong, "make it readable for this account, or remove it")
        except UnicodeDecodeError:
            self.note("file", where, "is not text in UTF-8", "save it as UTF-8")
        except tomllib.TOMLDecodeError as error:
            wrong = f"is not TOML ({error})"
            self.note("file", where, wrong, "write one line for each setting: name = value")
        return {}


def flag(name: str) -> str:
    """Return how a setting is written as a flag."""
    return "--" + name.replace("_", "-")


def variable(name: str) -> str:
    """Return how a setting is written as a variable."""
    return PREFIX + name.upper()


def _list_of(names: list[str]) -> str:
    return f"there are {', '.join(names)}"


def line_of(name: str, text: str, within: tuple[str, ...] = ()) -> int | None:
    """Return the line of a file of settings on which a name is given its value.

    It is the last one that looks like it, up to where the file, read from its beginning, has it:
    a line inside of a longer text may look like it, too. ``within`` names a key of a table.
    """
    lines = text.splitlines()
    path = (name, *within)
    looks = re.compile(rf"^\s*\[*\s*([\"']?){re.escape(path[-1])}\1\s*[=.\]]")
    for end in range(1, len(lines) + 1):
        try:
            is_there = _has(tomllib.loads("\n".join(lines[:end])), path)
        except tomllib.TOMLDecodeError:
            continue
        if is_there:
            found = [number for number in range(1, end + 1) if looks.match(lines[number - 1])]
            return found[-1] if found else end
    return None


def _has(table: object, path: tuple[str, ...]) -> bool:
    for name in path:
        if not isinstance(table, dict) or name not in table:
            return False
        table = table[name]
    return True
