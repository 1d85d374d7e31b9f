"""Beads: a blueprint expanded by what each waits for, which files it touches, and its labels.

Whoever expands a blueprint can change nothing of it: its fields are put back as they were. A bead
may only wait for earlier ones, so the list is an order that works. What blocks what the other way
round, and the priority, are ours.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from interlock.ticketing.answer import Wrong, check, place, refuse, told
from interlock.ticketing.blueprint import BEADS_MAX, ID_MAX, ITEM, SOURCE, item, unknown
from interlock.ticketing.checked import Json, part, rows, text, texts
from interlock.ticketing.form import choice, line, lines, listed, shape
from interlock.ticketing.graph import DUPLICATE, Node, flaws, inverse
from interlock.ticketing.paths import normal_path

VERSION: Final = 1
FIELD: Final = "expansion"
LABELS_MAX: Final = 20

OWN: Final = {
    "issue_type": choice(("task", "bug", "chore"), "What kind of work it is."),
    "labels": lines("At least one, as epic:EPIC-1 or area:login.", 1, LABELS_MAX),
    "blocked_by": lines("Ids of earlier beads that must be done first; as few as can be."),
    "target_files": lines("Files it touches, relative to the repository; new ones too.", 1),
}
EXPANSION: Final = listed(
    shape({"id": line("The id of the bead, as in the blueprint.", ID_MAX), **OWN}),
    "One entry for every bead of the blueprint, in the same order.",
    1,
    BEADS_MAX,
)
DOCUMENT: Final = shape({
    "schema_version": {"const": VERSION},
    "ticket_id": {"type": "string"},
    "artifact": {"const": "beads"},
    "source_prd": SOURCE,
    "beads": listed(
        shape(
            {
                **ITEM,
                **OWN,
                "blocks": lines("Ids of the beads that wait for it; ours to fill in."),
                "priority": {"type": "integer", "description": "Its place; ours to fill in."},
            },
            optional=("blocks", "priority"),
        ),
        "All beads in the order in which they can be done.",
        1,
        BEADS_MAX,
    ),
})  # fmt: skip
"""The schema of the whole document, as a person may save it."""


def expanded(blueprint: Json, expansion: object) -> dict[str, object]:
    """Return the beads of a blueprint; raises ``AnswerInvalid`` with every mistake."""
    found = rows(check(shape({FIELD: EXPANSION}), {FIELD: expansion}), FIELD)
    wanted = rows(blueprint, "beads")
    refuse(tuple(_unlike(wanted, found)))
    refuse(tuple(_wrong_rows(found, FIELD)))
    merged = [{**row, **own} for row, own in zip(wanted, found, strict=True)]
    return _document(blueprint, merged)


def _unlike(wanted: Sequence[Json], found: Sequence[Json]) -> Iterator[Wrong]:
    """Yield where an expansion is not about the blueprint's beads, one by one."""
    if len(found) != len(wanted):
        yield Wrong(place(FIELD), f"{len(wanted)} entries, one for each bead", told(found))
    for number, (row, own) in enumerate(zip(wanted, found, strict=False)):
        if text(row, "id") != text(own, "id"):
            yield Wrong(place(FIELD, number, "id"), told(row["id"]), told(own["id"]))


def _document(source: Json, found: Sequence[Json]) -> dict[str, object]:
    nodes = _nodes(found)
    blocks = inverse(nodes)
    return {
        "schema_version": VERSION,
        "ticket_id": source["ticket_id"],
        "artifact": "beads",
        "source_prd": dict(part(source, "source_prd")),
        "beads": [
            {
                **item(row),
                "issue_type": text(row, "issue_type"),
                "labels": list(dict.fromkeys(texts(row, "labels"))),
                "blocked_by": list(node.needs),
                "blocks": list(blocks[node.id]),
                "target_files": _files(row),
                "priority": number,
            }
            for number, (row, node) in enumerate(zip(found, nodes, strict=True), 1)
        ],
    }


def _nodes(found: Sequence[Json]) -> list[Node]:
    return [Node(text(row, "id"), tuple(dict.fromkeys(texts(row, "blocked_by")))) for row in found]


def _files(row: Json) -> list[str]:
    return list(dict.fromkeys(normal_path(said) or said for said in texts(row, "target_files")))


def _wrong_rows(found: Sequence[Json], name: str) -> Iterator[Wrong]:
    yield from _wrong_files(found, name)
    nodes = [Node(text(row, "id"), tuple(texts(row, "blocked_by"))) for row in found]
    broken = flaws(nodes)
    for flaw in broken:
        way: tuple[str | int, ...] = (name, flaw.node, "blocked_by")
        if flaw.kind == DUPLICATE:
            way = (name, flaw.node, "id")
        elif flaw.need >= 0:
            way = (*way, flaw.need)
        yield Wrong(place(*way), "a graph without flaws", flaw.message)
    if not broken:
        yield from _wrong_order(nodes, name)


def _wrong_files(found: Sequence[Json], name: str) -> Iterator[Wrong]:
    for number, row in enumerate(found):
        for at, said in enumerate(texts(row, "target_files")):
            if normal_path(said) is None:
                where = place(name, number, "target_files", at)
                yield Wrong(where, "a path relative to the repository, inside it", told(said))


def _wrong_order(nodes: Sequence[Node], name: str) -> Iterator[Wrong]:
    earlier: set[str] = set()
    for number, node in enumerate(nodes):
        for at, need in enumerate(node.needs):
            if need not in earlier:
                yield Wrong(
                    place(name, number, "blocked_by", at), "an earlier bead", f"{need}, a later one"
                )
        earlier.add(node.id)


def edited(before: Json, after: object, references: Collection[str]) -> dict[str, object]:
    """Return a document as a person edited it; raises ``AnswerInvalid`` with every mistake."""
    found = rows(check(DOCUMENT, after), "beads")
    refuse((*unknown(found, references), *_wrong_rows(found, "beads")))
    return _document(before, found)


def machine_rows(document: Json, *, is_parallel: bool = False) -> tuple[dict[str, object], ...]:
    """Return the beads as the machine takes them: names, and needs as places in the list.

    Where several may be built at once a bead also needs every earlier one that touches a file of
    its own, or whose files nobody knows: what is built at the same time never overlaps.
    """
    found = rows(document, "beads")
    places = {text(row, "id"): number for number, row in enumerate(found)}
    named = [{places[name] for name in texts(row, "blocked_by")} for row in found]
    if is_parallel:
        files = [frozenset(texts(row, "target_files")) for row in found]
        named = [
            needs | {n for n in range(number) if _overlap(files[n], files[number])}
            for number, needs in enumerate(named)
        ]
    return tuple(
        {"id": text(row, "id"), "title": text(row, "title"), "needs": tuple(sorted(needs))}
        for row, needs in zip(found, named, strict=True)
    )


def _overlap(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether two beads may touch the same: a file of both, or one in a folder of the other."""
    if not one or not other:
        return True
    return any(a == b or _is_in(a, b) or _is_in(b, a) for a in one for b in other)


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/*") + "/")
