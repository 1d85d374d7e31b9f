"""Commands against what a repository has: those that cannot exist there are warned about.

Only what is certain is told: a script that no manifest names, a manifest that is missing, a file
that is neither there nor made by a bead. A command that we do not know is believed, and so is
whatever follows a change of the folder.
"""

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Final, NamedTuple

from interlock.ticketing.checked import Json, rows, text, texts
from interlock.ticketing.paths import normal_path

NODE: Final = "package.json"
MAKE: Final = ("Makefile", "makefile", "GNUmakefile")

MANIFESTS: Final[Mapping[str, tuple[str, ...]]] = {
    "npm": (NODE,), "npx": (NODE,), "pnpm": (NODE,), "yarn": (NODE,), "bun": (NODE,),
    "make": MAKE,
    "cargo": ("Cargo.toml",),
    "go": ("go.mod",),
    "mvn": ("pom.xml",),
    "gradle": ("build.gradle", "build.gradle.kts"),
    "dotnet": (".csproj", ".fsproj", ".sln"),
    "bundle": ("Gemfile",),
    "composer": ("composer.json",),
    "mix": ("mix.exs",),
    "poetry": ("pyproject.toml",), "pdm": ("pyproject.toml",), "hatch": ("pyproject.toml",),
    "tox": ("tox.ini", "tox.toml", "setup.cfg", "pyproject.toml"),
    "nox": ("noxfile.py",),
    "just": ("justfile", "Justfile", ".justfile"),
    "rake": ("Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"),
}  # fmt: skip
"""What must be somewhere in a repository for a command to mean anything; by name or ending."""

RUNNERS: Final = ("npm", "pnpm", "yarn", "bun")
SHORT: Final = ("test", "start", "stop", "restart")
"""Scripts that a runner takes without the word run."""

INTERPRETERS: Final = ("python", "python3", "node", "bash", "sh", "ruby")
"""Programs whose first word is a file, unless it is an option."""

WARNINGS_MAX: Final = 100
SHOWN_MAX: Final = 200
"""How much of a command is told, in characters."""

AWAY: Final = ("cd", "pushd")
JOINS: Final = ("&&", "||", ";", "|", "&")


class Listing(NamedTuple):
    """What is known of a repository: its files, the scripts of package.json, targets of make.

    ``None`` for scripts or targets means that nobody has looked; where the files are not whole,
    none of them can be said to be missing.
    """

    files: frozenset[str]
    scripts: frozenset[str] | None = None
    targets: frozenset[str] | None = None
    is_whole: bool = True


def warnings(document: Json, listing: Listing) -> tuple[str, ...]:
    """Return a warning for each command of a blueprint or of beads that cannot exist."""
    found = rows(document, "beads")
    made = frozenset(path for row in found for path in texts(row, "target_files"))
    known = listing._replace(files=listing.files | made)
    told = [
        f"{text(row, 'id')}: `{shorten(command, SHOWN_MAX, placeholder=' ...')}`: {why}"
        for row in found
        for command in texts(row, "test_commands")
        for why in why_not(command, known)
    ]
    more = len(told) - WARNINGS_MAX
    return tuple(told) if more <= 0 else (*told[:WARNINGS_MAX], f"And {more:,} more of the kind.")


def why_not(command: str, listing: Listing) -> Iterator[str]:
    """Yield why a command cannot exist in a repository; nothing where it may."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        yield "its quotes do not close"
        return
    for each in _commands(words):
        if each[0] in AWAY:
            return
        yield from _why_not(each, listing)


def _commands(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the commands of a line, each without the variables that stand before it."""
    found: list[str] = []
    for word in (*words, ";"):
        if word in JOINS:
            if found:
                yield found
            found = []
        elif found or not _is_setting(word):
            found.append(word)


def _is_setting(word: str) -> bool:
    name, is_set, _ = word.partition("=")
    return bool(is_set) and name.isidentifier()


def _why_not(words: Sequence[str], listing: Listing) -> Iterator[str]:
    program = words[0]
    path = _file(words)
    if path and listing.is_whole and path not in listing.files:
        yield f"there is no file {path}"
    wanted = MANIFESTS.get(program, ())
    if wanted and listing.is_whole and not _has(listing.files, wanted):
        yield f"there is no {' or '.join(wanted)}"
    elif program in RUNNERS:
        yield from _no_script(words, listing.scripts)
    elif program == "make" and listing.targets is not None:
        for target in _targets(words):
            if target not in listing.targets:
                yield f"the Makefile has no target {target}"


def _file(words: Sequence[str]) -> str:
    """Return the file of the repository that a command runs; empty where it runs none of it."""
    if words[0].startswith("./"):
        return normal_path(words[0]) or ""
    is_run = words[0] in INTERPRETERS and len(words) > 1 and "." in words[1].rpartition("/")[2]
    return (normal_path(words[1]) or "") if is_run and not words[1].startswith("-") else ""


def _has(files: Collection[str], wanted: tuple[str, ...]) -> bool:
    return any(path.rpartition("/")[2] in wanted or path.endswith(wanted) for path in files)


def _no_script(words: Sequence[str], scripts: frozenset[str] | None) -> Iterator[str]:
    asked = [word for word in words[1:] if not word.startswith("-")]
    if scripts is None or not asked:
        return
    name = asked[0]
    if name in ("run", "run-script"):
        name = asked[1] if len(asked) > 1 else ""
    elif name not in SHORT or words[0] == "bun":
        return
    if name and name not in scripts:
        yield f"package.json has no script {name}"


def _targets(words: Sequence[str]) -> Iterator[str]:
    """Yield the targets of a make command; one that goes elsewhere is not judged."""
    if any(word.startswith(("-C", "-f", "--directory", "--file")) for word in words):
        return
    for word in words[1:]:
        if not word.startswith("-") and "=" not in word and not word.isdigit():  # make -j 4
            yield word
