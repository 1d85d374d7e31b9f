"""``interlock mission``: propose one, decide about it and its hops, see how it stands."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import shorten
from typing import Annotated, cast

import typer

from interlock.cli import repair
from interlock.cli.files import read_document
from interlock.cli.inbox import look
from interlock.cli.local import Json, RequestId, call, plain, show
from interlock.cli.steer import document_of
from interlock.clock import SystemClock, moment
from interlock.service.errors import InvalidInput
from interlock.wire.envelope import Envelope

app = typer.Typer(
    name="mission", help="Missions: propose one, decide about its hops.", no_args_is_help=True
)

for _word, _verb in repair.VERBS.items():
    app.command(_word)(_verb)

Mission = Annotated[str, typer.Argument(help="The mission's id.")]
Hop = Annotated[str, typer.Argument(help="The hop's id.")]
Reason = Annotated[str, typer.Option("--reason", "-m", help="Why.")]
Digest = Annotated[
    str | None, typer.Option("--digest", help="What you have looked at, as it was shown.")
]
Final = Annotated[
    bool | None, typer.Option("--final/--not-final", help="Whether it is the final hop.")
]
Told = Mapping[str, object]
LINE = 96


@app.command("propose")
def propose(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(help="The mission as propose_mission takes it: YAML or JSON."),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="What it is called.")] = None,
    goal: Annotated[str | None, typer.Option("--goal", "-g", help="What is to be reached.")] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Propose a mission from a file or from options."""
    arguments = {} if file is None else document_of(file)
    told = {"name": name, "goal": goal, "request_id": request_id}
    arguments |= {word: value for word, value in told.items() if value is not None}
    answer = call(context, "propose_mission", arguments)
    show(answer, list(_proposed(answer)), as_json=as_json)


def _proposed(answer: Envelope) -> Iterator[str]:
    yield f"[green]✓[/green] {plain(answer.data['mission_id'])} {answer.status}"
    for row in cast("list[Told]", answer.data.get("assets", [])):
        yield f"  {row['asset_id']}  {plain(row['name'])}"
    yield from _gate(answer)


def _gate(answer: Envelope) -> Iterator[str]:
    gate = answer.data.get("gate")
    if isinstance(gate, dict):
        yield f"[dim]gate  [/dim]  {plain(gate['gate_id'])}"
        yield f"[dim]digest[/dim]  {plain(gate['content_digest'])}"


@app.command("edit")
def edit(
    context: typer.Context,
    mission: Mission,
    name: Annotated[str | None, typer.Option("--name", help="Another name.")] = None,
    goal: Annotated[str | None, typer.Option("--goal", "-g", help="Another goal.")] = None,
    description: Annotated[str | None, typer.Option("--description", help="Another one.")] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Change a mission that is only proposed."""
    told = {"mission_id": mission, "name": name, "goal": goal, "description": description}
    answer = call(context, "edit_mission", told | {"request_id": request_id})
    lines = [f"[green]✓[/green] {plain(mission)} is shown anew", *_gate(answer)]
    show(answer, lines, as_json=as_json)


@app.command("accept")
def accept(
    context: typer.Context,
    mission: Mission,
    digest: Digest = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Accept a mission; at a terminal you are shown it first."""
    digest = digest or _looked_at(context, mission, "accept_mission", as_json=as_json)
    said = {"mission_id": mission, "content_digest": digest, "request_id": request_id}
    answer = call(context, "accept_mission", said)
    show(answer, [f"[green]✓[/green] {plain(mission)} is {answer.status}"], as_json=as_json)


def _looked_at(context: typer.Context, about: str, decision: str, *, as_json: bool) -> str | None:
    """Show a person what they decide about; return its digest once they have said yes."""
    if as_json or not sys.stdin.isatty():
        return None
    mission = about.partition(".")[0]
    gates = call(context, "mission_status", {"mission_id": mission}).data.get("gates", [])
    names = [str(gate["gate_id"]) for gate in cast("list[Told]", gates)]
    own = [name for name in names if name.rpartition(":")[0] == about]
    return look(context, own[-1], decision) if own else None


@app.command("hop")
def hop(
    context: typer.Context,
    mission: Mission,
    file: Annotated[Path, typer.Argument(help="The hop as propose_hop takes it: YAML or JSON.")],
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Propose the next hop of a mission from a file."""
    arguments = document_of(file) | {"mission_id": mission}
    if request_id is not None:
        arguments["request_id"] = request_id
    answer = call(context, "propose_hop", arguments)
    lines = [f"[green]✓[/green] {plain(answer.data['hop_id'])} PROPOSED", *_gate(answer)]
    show(answer, lines, as_json=as_json)


@app.command("accept-hop")
def accept_hop(
    context: typer.Context,
    hop: Hop,
    digest: Digest = None,
    final: Final = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Accept the concept of a hop; at a terminal you are shown it first."""
    _decide(context, "accept_hop", hop, digest, request_id, as_json=as_json, is_final=final)


@app.command("reject-hop")
def reject_hop(
    context: typer.Context,
    hop: Hop,
    reason: Reason,
    digest: Digest = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Refuse a pending proposal."""
    _decide(context, "reject_hop", hop, digest, request_id, as_json=as_json, reason=reason)


@app.command("changes")
def changes(
    context: typer.Context,
    hop: Hop,
    reason: Reason,
    digest: Digest = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Send a design, or an accepted concept, back."""
    _decide(context, "request_changes", hop, digest, request_id, as_json=as_json, reason=reason)


@app.command("approve")
def approve(
    context: typer.Context,
    hop: Hop,
    digest: Digest = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Approve a design without running it yet."""
    _decide(context, "approve_design", hop, digest, request_id, as_json=as_json)


@app.command("execute")
def execute(
    context: typer.Context,
    hop: Hop,
    digest: Digest = None,
    final: Final = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Run the design of a hop; at a terminal you are shown it first."""
    _decide(context, "execute_hop", hop, digest, request_id, as_json=as_json, is_final=final)


def _decide(
    context: typer.Context,
    command: str,
    hop: str,
    digest: str | None,
    request_id: str | None,
    *,
    as_json: bool,
    **said: object,
) -> None:
    digest = digest or _looked_at(context, hop, command, as_json=as_json)
    told = {"hop_id": hop, "content_digest": digest, "request_id": request_id, **said}
    answer = call(context, command, told)
    mission = answer.data["mission_status"]
    lines = [f"[green]✓[/green] {plain(hop)} {command}; the mission is {mission}"]
    for row in cast("list[Told]", answer.data.get("errors", [])):
        where = f"step {row['step']}" if row["step"] else "the chain"
        lines.append(f"  [red]✕[/red] {where}, {plain(row['field'])}: {plain(row['message'])}")
    show(answer, lines, as_json=as_json)


@app.command("supply")
def supply(
    context: typer.Context,
    asset: Annotated[str, typer.Argument(help="The asset's id.")],
    content: Annotated[str | None, typer.Option("--content", "-c", help="A JSON value.")] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="A file with the value: YAML or JSON.")
    ] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Supply the content of an asset."""
    if (content is None) == (file is None):
        message = "The content is in --content or in --file, in one of them."
        raise InvalidInput(message, fix="Say --content JSON, or --file PATH.")
    value = read_document(file) if file is not None else _parsed(str(content))
    told = {"asset_id": asset, "content": value, "request_id": request_id}
    answer = call(context, "set_asset", told)
    row = cast("Told", answer.data["asset"])
    show(answer, [f"[green]✓[/green] {plain(asset)} {row['status']}"], as_json=as_json)


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as exc:
        message = f"The content is no JSON: {exc}."
        raise InvalidInput(message, fix="Write a JSON value, in single quotes.") from exc


@app.command("status")
def status(context: typer.Context, mission: Mission, as_json: Json = False) -> None:
    """Show how a mission stands: hops, assets, what runs, what waits for a person."""
    answer = call(context, "mission_status", {"mission_id": mission})
    show(answer, list(_standing(answer.data)), as_json=as_json)


@app.command("context")
def resume(context: typer.Context, mission: Mission, as_json: Json = False) -> None:
    """Show everything that a new session needs to go on with a mission."""
    answer = call(context, "mission_context", {"mission_id": mission})
    events = cast("list[Told]", answer.data["last_events"])[:5]
    lines = list(_standing(answer.data))
    lines += [f"[dim]{row['sequence']:>5}[/dim]  {row['event']}" for row in events]
    lines += list(_contents(answer.data))
    show(answer, lines, as_json=as_json)


def _contents(data: Told) -> Iterator[str]:
    """Tell what the assets hold: the outputs whole, the others in a line."""
    for row in cast("list[Told]", data["assets"]):
        if "content" not in row:
            continue
        value = row["content"]
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if row["role"] != "output":
            text = shorten(text, LINE, placeholder=" ...")
        yield f"[bold]{plain(row.get('name', ''))}[/bold]"
        yield from (f"  {plain(line)}" for line in text.splitlines())


def _standing(data: Told) -> Iterator[str]:
    held = "  [yellow]held[/yellow]" if data.get("held") else ""
    yield f"[bold]{plain(data['name'])}[/bold]  {data['status']}{held}"
    yield f"  {plain(data['goal'])}"
    yield from _time_to_repair(data.get("recovery"))
    for row in cast("list[Told]", data["hops"]):
        last = "  final" if row.get("is_final") else ""
        name = plain(row["name"])
        yield f"  {row['sequence']:>3}  {name}  {row['status']}{last}  {row['hop_id']}"
        yield from _error(row)
    for row in cast("list[Told]", data["tool_steps"]):
        holder = f"  held by {plain(row['holder'])}" if "holder" in row else ""
        yield f"       {plain(row['tool'])}  {row['status']}{holder}  {row['part_id']}"
    for row in cast("list[Told]", data["assets"]):
        name = plain(row.get("name", ""))
        ends = f"  expires {_until(row['until'])}" if "until" in row else ""
        yield f"  [dim]{row['role']:<12}[/dim] {name}  {row['status']}{ends}  {row['asset_id']}"
    for gate in cast("list[Told]", data.get("gates", [])):
        yield f"[yellow]waits[/yellow]  {plain(gate['command_line'])}"
    if data.get("held"):
        yield f'[yellow]waits[/yellow]  interlock mission fix {data["current_hop"]} -m "..."'
        yield f'       interlock mission abandon {data["mission_id"]} -m "..."'


def _error(row: Told) -> Iterator[str]:
    """Tell what went wrong with a hop, if anything did."""
    error = row.get("error")
    if isinstance(error, dict):
        what = f"{plain(error.get('class', ''))}: {plain(error.get('message', ''))}"
        yield f"       [red]✕[/red] {what}"


def _time_to_repair(recovery: object) -> Iterator[str]:
    if isinstance(recovery, dict) and "until" in recovery:
        yield f"  It fails unless it is repaired until {_until(recovery['until'])}."


def _until(at: object) -> str:
    return moment(cast("int", at), SystemClock().now())


@app.command("list")
def list_missions(
    context: typer.Context,
    is_all: Annotated[bool, typer.Option("--all", help="Also those that have ended.")] = False,
    wanted: Annotated[
        str | None, typer.Option("--status", help="Only missions in this status.")
    ] = None,
    tag: Annotated[str | None, typer.Option("--tag", help="Only missions with this tag.")] = None,
    cursor: Annotated[
        str | None, typer.Option("--cursor", help="Go on where a list ended.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List missions, the last changed first."""
    asked = {"status": wanted, "tag": tag, "include_ended": is_all or None, "cursor": cursor}
    answer = call(context, "list_missions", asked)
    rows = cast("list[Told]", answer.data["missions"])
    lines = [
        f"{row['mission_id']}  {row['status']:<20}  {plain(row['name'])}"
        f"{'  [yellow]held[/yellow]' if row['held'] else ''}"
        for row in rows
    ]  # fmt: skip
    lines += [] if rows else ["No mission is under way. Begin: interlock mission propose FILE"]
    if "cursor" in answer.data:
        lines.append(f"[dim]more[/dim]  --cursor {plain(answer.data['cursor'])}")
    show(answer, lines, as_json=as_json)
