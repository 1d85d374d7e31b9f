"""``interlock plan``, for who steers it: reviews, decisions, changes, the end, and the way out."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from interlock.cli.files import read_document, write_text
from interlock.cli.local import Json, RequestId, SessionId, call, plain, show
from interlock.cli.screen import print_lines
from interlock.service.errors import InvalidInput
from interlock.wire.envelope import Envelope

AUDIT_PAGE: Final = 1_000


def review(
    context: typer.Context,
    step: Annotated[str, typer.Argument(help="The step's id.")],
    summary: Annotated[str, typer.Option("--summary", "-m", help="What is to be looked at.")],
    question: Annotated[
        list[str] | None, typer.Option("--question", "-q", help="A question; repeat it.")
    ] = None,
    lease: Annotated[
        str | None, typer.Option("--lease", help="The token that came with the step.")
    ] = None,
    request_id: RequestId = None,
    session: SessionId = None,
    as_json: Json = False,
) -> None:
    """Ask for a decision about a step; the plan waits for it."""
    arguments = {
        "step_id": step, "summary": summary, "questions": question, "lease": lease,
        "request_id": request_id, "session_id": session,
    }  # fmt: skip
    answer = call(context, "request_user_review", arguments)
    gate = cast("Mapping[str, object]", answer.data["gate"])
    lines = [f"[bold]?[/bold] {plain(step)} waits for a decision"]
    lines += [f"[dim]page  [/dim]  {gate['url']}", f"[dim]digest[/dim]  {gate['content_digest']}"]
    show(answer, lines, as_json=as_json)


def decide(
    context: typer.Context,
    step: Annotated[str, typer.Argument(help="The step's id.")],
    decision: Annotated[str, typer.Argument(help="approve, modify, skip or reject.")],
    feedback: Annotated[
        str | None, typer.Option("--feedback", "-m", help="Needed for modify and reject.")
    ] = None,
    digest: Annotated[
        str | None, typer.Option("--digest", help="What you have reviewed, as it was shown.")
    ] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Decide about a step that waits for it."""
    if digest is None and sys.stdin.isatty() and not as_json:
        digest = _shown(context, step, decision)
    arguments = {
        "step_id": step, "decision": decision, "feedback": feedback, "content_digest": digest,
        "request_id": request_id,
    }  # fmt: skip
    answer = call(context, "submit_user_decision", arguments)
    told = cast("Mapping[str, object]", answer.data["step"])
    lines = [f"[green]✓[/green] {told['step_id']} {told['status']}; the plan is {answer.status}"]
    show(answer, lines, as_json=as_json)


def _shown(context: typer.Context, step: str, decision: str) -> str | None:
    """Show a person what they decide about; return its digest once they have said yes."""
    plan = step.partition(".")[0]
    gate = call(context, "get_plan_status", {"plan_id": plan}).data.get("gate")
    if not isinstance(gate, dict) or gate["step_id"] != step:
        return None
    print_lines(_asked(gate))
    typer.confirm(f"{decision}?", abort=True)
    return str(gate["content_digest"])


def _asked(gate: Mapping[str, object]) -> Iterator[str]:
    yield f"[bold]{plain(gate['step_id'])}[/bold]  {plain(gate.get('summary', ''))}"
    for question in cast("list[str]", gate.get("questions", [])):
        yield f"  ? {plain(question)}"
    if "draft" in gate:
        yield "  draft:"
        text = json.dumps(gate["draft"], indent=2, ensure_ascii=False)
        yield from (f"    {plain(line)}" for line in text.splitlines())


def modify(
    context: typer.Context,
    plan: Annotated[str, typer.Argument(help="The plan's id.")],
    action: Annotated[
        str, typer.Argument(help="add_steps, remove_step, reorder_steps, fail_step, ...")
    ],
    step: Annotated[str | None, typer.Option("--step", help="The step it is about.")] = None,
    instructions: Annotated[
        str | None, typer.Option("--instructions", "-i", help="New instructions.")
    ] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Why a step fails.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="A new name for the plan.")] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", help="The rest as modify_plan takes it: YAML or JSON."),
    ] = None,
    rationale: Annotated[str | None, typer.Option("--rationale", "-m", help="Why.")] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Change a plan: its steps, their order, conditions, settings."""
    arguments: dict[str, object] = {}
    if file is not None:
        arguments |= document_of(file)
    given = {
        "plan_id": plan, "action": action, "step_id": step, "instructions": instructions,
        "reason": reason, "name": name, "modification_rationale": rationale,
        "request_id": request_id,
    }  # fmt: skip
    arguments |= {word: value for word, value in given.items() if value is not None}
    answer = call(context, "modify_plan", arguments)
    steps = cast("list[Mapping[str, object]]", answer.data["steps"])
    lines = [f"[green]✓[/green] {plain(plan)} is {answer.status}, {len(steps)} steps"]
    lines += [f"  {row['order']:>3}  {plain(row['title'])}  {row['status']}" for row in steps]
    show(answer, lines, as_json=as_json)


def fail(
    context: typer.Context,
    plan: Annotated[str, typer.Argument(help="The plan's id.")],
    reason: Annotated[str, typer.Option("--reason", "-m", help="Why it ends.")],
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """End a plan for good; its open steps end with it."""
    told = {"plan_id": plan, "reason": reason, "request_id": request_id}
    answer = call(context, "fail_plan", told)
    show(answer, [f"[red]✕[/red] {plain(plan)} is {answer.status}"], as_json=as_json)


def resume(
    context: typer.Context,
    plan: Annotated[str, typer.Argument(help="The plan's id.")],
    session: SessionId = None,
    as_json: Json = False,
) -> None:
    """Show everything that a new session needs to go on with a plan."""
    answer = call(context, "get_research_context", {"plan_id": plan, "session_id": session})
    show(answer, list(_context(answer)), as_json=as_json)


def _context(answer: Envelope) -> Iterator[str]:
    data = answer.data
    yield f"[bold]{plain(data['name'])}[/bold]  {answer.status}"
    yield f"  {plain(data['research_question'])}"
    for row in cast("list[Mapping[str, object]]", data["steps"]):
        yield f"  {row['order']:>3}  {plain(row['title'])}  {row['status']}"
        if row.get("summary"):
            yield f"       {plain(row['summary'])}"
    for row in cast("list[Mapping[str, object]]", data["last_events"])[:5]:
        types = ", ".join(cast("list[str]", row["types"])) or str(row["event"])
        yield f"[dim]{row['sequence']:>5}[/dim]  {types}"


def export(
    context: typer.Context,
    plan: Annotated[str, typer.Argument(help="The plan's id.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file; else standard output.")
    ] = None,
) -> None:
    """Write a plan with its results and its whole audit as one JSON document."""
    told = call(context, "get_research_context", {"plan_id": plan})
    entries: list[object] = []
    while True:
        asked = {"id": plan, "after": len(entries), "limit": AUDIT_PAGE}
        page = cast("list[object]", call(context, "get_audit", asked).data["entries"])
        entries += page
        if len(page) < AUDIT_PAGE:
            break
    document = {"plan": told.data, "audit": entries}
    write_text(output, json.dumps(document, indent=2, ensure_ascii=False))


def document_of(file: Path) -> dict[str, object]:
    """Return the object in a file."""
    document = read_document(file)
    if not isinstance(document, dict):
        message = f"{file} holds no object."
        raise InvalidInput(message, fix="Write names and values, as the command takes them.")
    return document
