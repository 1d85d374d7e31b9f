"""``interlock ticket``: write one down, start it, decide about what the council made, see it."""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from interlock.cli import deliver, interview
from interlock.cli.files import NotReadable, write_text
from interlock.cli.inbox import look
from interlock.cli.local import Json, RequestId, call, plain, show
from interlock.cli.proof import content, diff, evidence
from interlock.cli.standing import context_lines, standing
from interlock.cli.watch import watch
from interlock.service.errors import InvalidInput
from interlock.wire.envelope import Envelope

app = typer.Typer(
    name="ticket", help="Tickets: from an idea to a merged pull request.", no_args_is_help=True
)

for _word, _verb in {**interview.VERBS, **deliver.VERBS}.items():
    app.command(_word)(_verb)
app.command("watch")(watch)
app.command("diff")(diff)
app.command("evidence")(evidence)

Ticket = Annotated[str, typer.Argument(help="The ticket's id.")]
Reason = Annotated[str, typer.Option("--reason", "-m", help="Why.")]
Base = Annotated[
    str | None,
    typer.Option(
        "--base", help="The digest of the version that was edited; else the file says it."
    ),
]
Told = Mapping[str, object]
MARK: Final = "# made of "
"""What the first line of a document begins with that was written to a file, before its digest."""

MARKED: Final = re.compile(r"# made of ([0-9a-f]{64})\s*$")


@app.command("create")
def create(
    context: typer.Context,
    project: Annotated[str, typer.Argument(help="The project's id.")],
    title: Annotated[str, typer.Argument(help="What is to be built, in a line.")],
    description: Annotated[
        str | None, typer.Option("--description", "-d", help="What is wanted, and why.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="A text file with the description.")
    ] = None,
    policy: Annotated[
        str | None, typer.Option("--policy", help="human, or relay: agents pass decisions on.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag; repeat it.")] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Write down what is to be built."""
    said = text_of(file) if file is not None else description
    told = {
        "project_id": project, "title": title, "description": said, "policy": policy, "tags": tag,
        "request_id": request_id,
    }  # fmt: skip
    answer = call(context, "create_ticket", told)
    name = plain(answer.data["ticket_id"])
    lines = [
        f"[green]✓[/green] {name} {answer.status}",
        f"[yellow]waits[/yellow]  interlock ticket start {name}",
    ]
    _tell(answer, lines, as_json=as_json)


@app.command("edit")
def edit(
    context: typer.Context,
    ticket: Ticket,
    title: Annotated[str | None, typer.Option("--title", help="Another title.")] = None,
    description: Annotated[
        str | None, typer.Option("--description", "-d", help="Another description.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="A text file with the description.")
    ] = None,
    project: Annotated[str | None, typer.Option("--project", help="Another project.")] = None,
    policy: Annotated[str | None, typer.Option("--policy", help="human or relay.")] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Change a ticket that was not started."""
    said = text_of(file) if file is not None else description
    told = {
        "ticket_id": ticket, "title": title, "description": said, "project_id": project,
        "policy": policy, "request_id": request_id,
    }  # fmt: skip
    answer = call(context, "edit_ticket", told)
    show(answer, [f"[green]✓[/green] {plain(ticket)} is changed"], as_json=as_json)


@app.command("start")
def start(
    context: typer.Context, ticket: Ticket, request_id: RequestId = None, as_json: Json = False
) -> None:
    """Lock the configuration and have the working tree made; then the council begins."""
    answer = call(context, "start", {"ticket_id": ticket, "request_id": request_id})
    show(answer, [f"[green]✓[/green] {plain(ticket)} is started"], as_json=as_json)


@app.command("document")
def document(
    context: typer.Context,
    ticket: Ticket,
    name: Annotated[str, typer.Argument(help="interview, prd, beads, relevant_files, ...")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file to write it to.")
    ] = None,
) -> None:
    """Write the newest version of a document out, to be read or edited."""
    known = cast(
        "dict[str, str]", call(context, "ticket_status", {"ticket_id": ticket}).data["documents"]
    )
    if name not in known:
        there = ", ".join(known) or "none yet"
        raise InvalidInput(f"There is no document {name!r}.", fix=f"There are: {there}.")
    text = "".join(content(context, ticket, known[name]))
    # So that an edit of it names the version it was made of.
    write_text(output, f"{MARK}{known[name]}\n{text}")


@app.command("save")
def save(
    context: typer.Context,
    ticket: Ticket,
    file: Annotated[Path, typer.Argument(help="The whole edited document: YAML or JSON.")],
    base: Base = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Save an edit of what waits for approval as its next version."""
    text = text_of(file)
    told = {"ticket_id": ticket, "content": text, "base_digest": base or _base(text, file)}
    answer = call(context, "save_artifact", told | {"request_id": request_id})
    show(
        answer,
        ["[green]✓[/green] saved; it waits for approval", *_gate(answer)],
        as_json=as_json,
    )


def _base(text: str, file: Path) -> str:
    """Return the version a document was made of, as its first line says."""
    found = MARKED.match(text.partition("\n")[0])
    if found is None:
        message = f"{file} does not say which version it was made of."
        fix = "Write the document out with `interlock ticket document`, or name --base DIGEST."
        raise InvalidInput(message, fix=fix)
    return found[1]


def text_of(file: Path) -> str:
    """Return the text of a file."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as exc:
        message = f"{file} cannot be read: {getattr(exc, 'strerror', None) or exc}."
        raise NotReadable(message, fix="Name a text file in UTF-8 that you may read.") from exc


def _gate(answer: Envelope) -> Iterator[str]:
    gate = answer.data.get("gate")
    if isinstance(gate, dict):
        yield f"[dim]gate  [/dim]  {plain(gate['gate_id'])}"
        if "content_digest" in gate:
            yield f"[dim]digest[/dim]  {plain(gate['content_digest'])}"


@app.command("approve")
def approve(
    context: typer.Context,
    ticket: Ticket,
    digest: Annotated[
        str | None, typer.Option("--digest", help="What you have looked at, as it was shown.")
    ] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Approve what waits; at a terminal you are shown it first."""
    if digest is None and sys.stdin.isatty() and not as_json:
        found = call(context, "ticket_status", {"ticket_id": ticket}).data.get("gates", [])
        gates = [str(one["gate_id"]) for one in cast("list[Told]", found)]
        digest = look(context, gates[-1], "approve") if gates else None
    told = {"ticket_id": ticket, "content_digest": digest, "request_id": request_id}
    answer = call(context, "approve", told)
    show(answer, [f"[green]✓[/green] approved; {_now(answer)}"], as_json=as_json)


@app.command("reopen")
def reopen(
    context: typer.Context,
    ticket: Ticket,
    artifact: Annotated[str, typer.Argument(help="interview, prd, beads or setup.")],
    reason: Reason,
    file: Annotated[
        Path | None,
        typer.Argument(help="The whole edited interview or PRD; the blueprint needs none."),
    ] = None,
    base: Base = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Go back to something approved; with an edited interview or PRD the rest starts anew."""
    told: dict[str, object] = {"ticket_id": ticket, "artifact": artifact, "reason": reason}
    if file is not None:
        text = text_of(file)
        told |= {"content": text, "base_digest": base or _base(text, file)}
    answer = call(context, "reopen", told | {"request_id": request_id})
    show(answer, [f"[green]✓[/green] reopened; {_now(answer)}"], as_json=as_json)


@app.command("retry")
def retry(
    context: typer.Context,
    ticket: Ticket,
    note: Annotated[
        str | None, typer.Option("--note", "-n", help="A word for whoever tries again.")
    ] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Let a blocked ticket go on in exactly the phase it was in."""
    told = {"ticket_id": ticket, "note": note, "request_id": request_id}
    answer = call(context, "retry", told)
    show(answer, [f"[green]✓[/green] {plain(ticket)} goes on; {_now(answer)}"], as_json=as_json)


@app.command("cancel")
def cancel(
    context: typer.Context,
    ticket: Ticket,
    reason: Reason,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Give a ticket up; what was made is kept."""
    told = {"id": ticket, "reason": reason, "request_id": request_id}
    answer = call(context, "cancel", told)
    show(answer, [f"[green]✓[/green] {plain(ticket)} is {answer.status}"], as_json=as_json)


def _now(answer: Envelope) -> str:
    return f"{plain(answer.data['label'])} [dim]({answer.status})[/dim]"


@app.command("status")
def status(context: typer.Context, ticket: Ticket, as_json: Json = False) -> None:
    """Show how a ticket stands: its phase, who works, what waits for you."""
    answer = call(context, "ticket_status", {"ticket_id": ticket})
    _tell(answer, list(standing(answer.data)), as_json=as_json)


@app.command("context")
def resume(context: typer.Context, ticket: Ticket, as_json: Json = False) -> None:
    """Show everything that a new session needs to go on with a ticket."""
    answer = call(context, "ticket_context", {"ticket_id": ticket})
    _tell(answer, list(context_lines(answer.data)), as_json=as_json)


def _tell(answer: Envelope, lines: list[str], *, as_json: bool) -> None:
    """Show how a ticket stands; what waits for a person stands among the lines already."""
    is_told = not as_json and any("waits" in line for line in lines)
    told = answer.model_copy(update={"next_action": ""}) if is_told else answer
    show(told, lines, as_json=as_json)


@app.command("list")
def list_tickets(
    context: typer.Context,
    is_all: Annotated[bool, typer.Option("--all", help="Also those that have ended.")] = False,
    wanted: Annotated[str | None, typer.Option("--status", help="Only in this phase.")] = None,
    project: Annotated[str | None, typer.Option("--project", help="Only of this project.")] = None,
    tag: Annotated[str | None, typer.Option("--tag", help="Only with this tag.")] = None,
    cursor: Annotated[
        str | None, typer.Option("--cursor", help="Go on where a list ended.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List tickets, the last changed first."""
    asked = {
        "status": wanted, "project_id": project, "tag": tag, "include_ended": is_all or None,
        "cursor": cursor,
    }  # fmt: skip
    answer = call(context, "list_tickets", asked)
    rows = cast("list[Told]", answer.data["tickets"])
    lines = [
        f"{row['ticket_id']}  {cast('Told', row['phase'])['label']:<28}  {plain(row['title'])}"
        for row in rows
    ]
    lines += (
        [] if rows else ["No ticket is under way. Begin: interlock ticket create PROJECT TITLE"]
    )
    if "cursor" in answer.data:
        lines.append(f"[dim]more[/dim]  --cursor {plain(answer.data['cursor'])}")
    show(answer, lines, as_json=as_json)
