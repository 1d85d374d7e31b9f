"""``interlock ticket diff`` and ``ticket evidence``: what a ticket changes, and the proof of it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from interlock.cli.files import NotReadable
from interlock.cli.local import Json, call, plain, show
from interlock.cli.screen import out, print_json, print_lines
from interlock.errors import InterlockError
from interlock.service.errors import InvalidInput
from interlock.ticketing import canonical

Told = Mapping[str, object]
Ticket = Annotated[str, typer.Argument(help="The ticket's id.")]
PAGE: Final = 200
PIECE: Final = 100_000
INTEGRATION: Final = "integration_report"
ATTEMPT: Final = "answer"
"""How the report of an attempt is called, among what its bead has."""

HIDDEN: Final = ("answer", "rejected", "session")
COLOURS: Final = (
    ("+++", "bold"), ("---", "bold"), ("diff ", "bold"), ("@@", "cyan"), ("+", "green"),
    ("-", "red"),
)  # fmt: skip
"""How a line of a diff is coloured at a terminal, by how it begins."""


def diff(
    context: typer.Context,
    ticket: Ticket,
    bead: Annotated[
        int | None, typer.Option("--bead", "-b", help="Only what this bead changes, by number.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print what a ticket changes: its final commit, else what each bead that is done has."""
    kept = list(artifacts(context, ticket))
    beads = _beads(context, ticket)
    if bead is not None and not 1 <= bead <= len(beads):
        message = f"There is no bead {bead}."
        raise InvalidInput(message, fix=f"There are {len(beads)}; ticket status lists them.")
    found = [] if bead is not None else _named(kept, INTEGRATION)[-1:]
    if not found:
        chosen = beads if bead is None else [beads[bead - 1]]
        done = [one for one in chosen if bead is not None or one["status"] == "done"]
        found = [row for one in done for row in _attempts(kept, one)[-1:]]
    reports = [(row, _read(context, ticket, str(row["digest"]))) for row in found]
    if as_json:
        print_json([_summary(row, report) for row, report in reports])
        return
    for row, report in reports:
        _print(row, report)
    if not reports:
        print_lines(["[dim]nothing was built yet[/dim]"])


def _print(row: Told, report: Told) -> None:
    if "part_id" in row:
        print_lines([f"[dim]# {plain(row['part_id'])}, attempt {row['version']}[/dim]"])
    for line in str(report.get("diff") or "").splitlines():
        look = next((look for sign, look in COLOURS if line.startswith(sign)), "")
        out.print(plain(line) if not look else f"[{look}]{plain(line)}[/{look}]", soft_wrap=True)
    if report.get("diff_cut"):
        print_lines(["[yellow]the rest is left out: it is in the commit[/yellow]"])


def _summary(row: Told, report: Told) -> dict[str, object]:
    names = ("status", "commit", "candidate", "files", "diff", "diff_cut")
    told: dict[str, object] = {name: report[name] for name in names if name in report}
    return {"part_id": row.get("part_id", ""), "digest": row["digest"], **told}


def _beads(context: typer.Context, ticket: str) -> list[Told]:
    data = call(context, "ticket_status", {"ticket_id": ticket}).data
    return cast("list[Told]", data.get("beads") or [])


def _named(kept: list[Told], name: str) -> list[Told]:
    own = [row for row in kept if row["name"] == name and "part_id" not in row]
    return sorted(own, key=lambda row: cast("int", row["version"]))


def _attempts(kept: list[Told], bead: Told) -> list[Told]:
    own = [row for row in kept if row["name"] == ATTEMPT and row.get("part_id") == bead["bead_id"]]
    return sorted(own, key=lambda row: cast("int", row["version"]))


def _read(context: typer.Context, ticket: str, digest: str) -> Told:
    """Return a report, be it JSON or YAML."""
    text = "".join(content(context, ticket, digest))
    try:
        found: object = json.loads(text) if text.startswith("{") else canonical.read(text)
    except (ValueError, InterlockError):
        found = {}
    return found if isinstance(found, Mapping) else {}


def evidence(
    context: typer.Context,
    ticket: Ticket,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A folder to write all of it to.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List everything that was filed for a ticket, by digest; or write it to a folder."""
    answer = call(context, "list_artifacts", {"id": ticket, "limit": PAGE})
    beads = {str(one["bead_id"]) for one in _beads(context, ticket)}
    rows = [row for row in artifacts(context, ticket) if _is_proof(row, beads)]
    if output is not None:
        _write(context, ticket, rows, output)
    lines = [
        f"{_called(row):<40} [dim]{row['digest']}[/dim]  {cast('int', row['size']):,}"
        for row in rows
    ]
    lines.append(f"[dim]audit[/dim]  interlock audit verify --unit {plain(ticket)}")
    told = answer.model_copy(update={"data": {"artifacts": rows}, "next_action": ""})
    show(told, lines, as_json=as_json)


def _is_proof(row: Told, beads: set[str]) -> bool:
    """Say whether a thing is proof: what members handed in became documents."""
    is_attempt = row["name"] == ATTEMPT and row.get("part_id") in beads
    return is_attempt or row["name"] not in HIDDEN


def _called(row: Told) -> str:
    """Return what a thing is called, with whose it is and which version."""
    whose = f"{str(row['part_id']).rpartition('.')[2]}/" if "part_id" in row else ""
    return plain(f"{whose}{row['name']}.{row['version']}")


def _write(context: typer.Context, ticket: str, rows: list[Told], folder: Path) -> None:
    """Write everything to a folder, by its digest: names are what somebody chose."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for row in rows:
            digest = str(row["digest"])
            text = "".join(content(context, ticket, digest))
            (folder / digest).write_text(text, encoding="utf-8")
        index = {_called(row): row["digest"] for row in rows}
        (folder / "index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
    except OSError as exc:
        message = f"{folder} cannot be written: {exc.strerror or exc}."
        raise NotReadable(message, fix="Name a folder that you may write to.") from exc


def artifacts(context: typer.Context, ticket: str) -> Iterator[Told]:
    """Yield what is kept for a ticket, every version."""
    cursor: object = None
    while True:
        asked = {"id": ticket, "limit": PAGE, "cursor": cursor}
        data = call(context, "list_artifacts", asked).data
        yield from cast("list[Told]", data["artifacts"])
        cursor = data.get("cursor")
        if cursor is None:
            return


def content(context: typer.Context, ticket: str, digest: str) -> Iterator[str]:
    """Yield what is kept under a digest, piece by piece."""
    offset: object = 0
    while offset is not None:
        asked = {"id": ticket, "digest": digest, "offset": offset, "limit": PIECE}
        data = call(context, "get_content", asked).data
        yield str(data["content"])
        offset = data.get("next_offset")
