"""What a repository has, as the worker found it when it made the working tree.

The names of files, the scripts of its manifests, the targets of its Makefile; no content. It is
what commands are checked against, and what a model is shown that cannot look for itself. A list
that was cut says so: then nothing can be said to be missing.
"""

from typing import Final

from interlock.ticketing.answer import check
from interlock.ticketing.checked import Json, part, texts
from interlock.ticketing.form import flag, line, listed, shape
from interlock.ticketing.manifests import Listing
from interlock.ticketing.paths import PATH_MAX

VERSION: Final = 1
NAME: Final = "repository"
LISTING: Final = "listing"
FILES_MAX: Final = 4_000
NAMES_MAX: Final = 1_000
NAME_MAX: Final = 200

WORDS: Final = listed(line("Its name.", NAME_MAX), "Their names.", 0, NAMES_MAX)
SCHEMA: Final = shape(
    {
        "files": listed(line("Where it is.", PATH_MAX), "The files there are.", 0, FILES_MAX),
        "is_whole": flag("Whether these are all files."),
        "scripts": WORDS,
        "targets": WORDS,
    },
    optional=("scripts", "targets"),
)
"""What a worker tells; scripts or targets that are left out were not looked at."""


def document(told: object, ticket: str) -> dict[str, object]:
    """Return the document of a listing; raises ``AnswerInvalid``."""
    found = part(check(shape({LISTING: SCHEMA}), {LISTING: told}), LISTING)
    names = {name: texts(found, name) for name in ("scripts", "targets") if name in found}
    files = texts(found, "files")
    return {
        "schema_version": VERSION,
        "ticket_id": ticket,
        "artifact": NAME,
        "is_whole": found["is_whole"],
        "file_count": len(files),
        **names,
        "files": files,
    }


def listing_of(kept: Json) -> Listing:
    """Return what commands are checked against."""
    scripts, targets = (
        frozenset(texts(kept, name)) if name in kept else None for name in ("scripts", "targets")
    )
    files = frozenset(texts(kept, "files"))
    return Listing(files, scripts, targets, is_whole=kept.get("is_whole") is True)


def shown(kept: Json) -> str:
    """Return a listing as a model is shown it: a name a line."""
    count = len(texts(kept, "files"))
    told = f"{count:,} files" if kept.get("is_whole") is True else f"the first {count:,} files"
    pieces = [f"# {told}", *texts(kept, "files")]
    for name in ("scripts", "targets"):
        if found := texts(kept, name):
            pieces += [f"# {TITLES[name]}", *found]
    return "\n".join(pieces)


TITLES: Final = {"scripts": "scripts of package.json", "targets": "targets of the Makefile"}
