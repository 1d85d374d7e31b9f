"""The files that matter for a ticket, as the implementer found them in the repository.

There is room for so many files and so much text; what is least relevant is left out first.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from interlock.ticketing.answer import Wrong, check, place, refuse, told
from interlock.ticketing.checked import Json, rows, text
from interlock.ticketing.form import choice, line, listed, prose, remark, shape
from interlock.ticketing.paths import PATH_MAX, normal_path

VERSION: Final = 1
FILES_MAX: Final = 30
TEXT_MAX: Final = 160_000
RELEVANCE: Final = ("high", "medium", "low")

SCAN: Final = shape({
    "files": listed(
        shape(
            {
                "path": line("Where it is, relative to the root of the repository.", PATH_MAX),
                "rationale": prose("Why it matters for this ticket, in some sentences."),
                "relevance": choice(RELEVANCE, "How much it matters."),
                "likely_action": choice(("read", "modify", "create"), "What will happen to it."),
                "content_preview": remark("Signatures only: names, types, no bodies."),
            },
            optional=("content_preview",),
        ),
        f"5 to 25 files, {FILES_MAX} at most, the most relevant first.",
        1,
        FILES_MAX,
    ),
})  # fmt: skip


def relevant_files(answer: object, ticket: str) -> dict[str, object]:
    """Return the document of a scan; raises ``AnswerInvalid``."""
    found = rows(check(SCAN, answer), "files")
    refuse(tuple(_wrong_paths(found)))
    files = _within([_file(row) for row in found])
    return {
        "schema_version": VERSION,
        "ticket_id": ticket,
        "artifact": "relevant_files",
        "file_count": len(files),
        "files": files,
    }


def _file(row: Json) -> dict[str, object]:
    return {
        "path": normal_path(text(row, "path")),
        "rationale": text(row, "rationale"),
        "relevance": text(row, "relevance"),
        "likely_action": text(row, "likely_action"),
        "content_preview": str(row.get("content_preview", "")).strip("\n"),
    }


def _wrong_paths(found: Sequence[Json]) -> Iterator[Wrong]:
    seen: set[str] = set()
    for number, row in enumerate(found):
        where, path = place("files", number, "path"), normal_path(text(row, "path"))
        if path is None:
            yield Wrong(where, "a path relative to the repository, inside it", told(row["path"]))
        elif path in seen:
            yield Wrong(where, "each file once", told(path))
        else:
            seen.add(path)


def _within(files: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return as many files as there is room for, the most relevant first."""
    ranked = sorted(files, key=lambda one: RELEVANCE.index(str(one["relevance"])))
    used, kept = 0, []
    for one in ranked:
        size = len(str(one["rationale"])) + len(str(one["content_preview"]))
        if used + size <= TEXT_MAX:
            used += size
            kept.append(one)
    return kept
