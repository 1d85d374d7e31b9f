"""``interlock inbox``, ``decide``, ``approve``: what waits for a person, and their word on it."""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, cast

import typer

from interlock.cli.local import Json, RequestId, call, plain, show
from interlock.cli.screen import print_lines
from interlock.clock import SystemClock, instant, moment

Gate = Annotated[str, typer.Argument(help="The gate's id, as the inbox shows it.")]
Feedback = Annotated[
    str | None, typer.Option("--feedback", "-m", help="Why; needed for modify and reject.")
]
Answers = Annotated[
    list[str] | None, typer.Option("--answer", "-a", help="The answer to a question; repeat it.")
]
Digest = Annotated[
    str | None, typer.Option("--digest", help="What you have reviewed, as it was shown.")
]
Told = Mapping[str, object]
STUCK_MAX: Final = 50


def inbox(
    context: typer.Context,
    state: Annotated[str, typer.Option("--state", help="open, decided or all.")] = "open",
    workflow: Annotated[str, typer.Option("--workflow", help="Only this workflow.")] = "",
    unit: Annotated[str, typer.Option("--unit", help="Only this unit.")] = "",
    cursor: Annotated[str | None, typer.Option("--cursor", help="Go on from here.")] = None,
    as_json: Json = False,
) -> None:
    """List what waits for a decision, the oldest first, and what needs somebody besides."""
    asked = {"state": state, "workflow": workflow, "unit": unit, "cursor": cursor}
    answer = call(context, "list_gates", asked)
    gates = cast("list[Told]", answer.data["gates"])
    lines = [line for gate in gates for line in _line(gate)]
    if state != "decided" and cursor is None and not as_json:
        lines += _stuck(context, workflow, unit)
    lines = lines or ["[dim]nothing waits for you[/dim]"]
    if "cursor" in answer.data:
        lines.append(f"[dim]more[/dim]  --cursor {answer.data['cursor']}")
    show(answer, lines, as_json=as_json)


def _stuck(context: typer.Context, workflow: str, unit: str) -> list[str]:
    """Tell the units that need somebody though no gate of theirs is open, and until when."""
    asked = {"column": "needs_you", "workflow": workflow, "limit": STUCK_MAX}
    (column,) = cast("list[Told]", call(context, "get_board", asked).data["columns"])
    return [
        f"[bold]{plain(one['id'])}[/bold]  {plain(one['status'])}  {plain(one['name'])}"
        + (f"  [dim]until {moment(cast('int', one['until']), SystemClock().now())}[/dim]"
           if "until" in one else "")
        + f"\n  [dim]needs somebody; why, and how:[/dim] interlock explain {plain(one['id'])}"
        for one in cast("list[Told]", column["units"])
        if not one["gates"] and unit in ("", one["id"])
    ]  # fmt: skip


def decide(
    context: typer.Context,
    gate: Gate,
    decision: Annotated[str, typer.Argument(help="approve, modify, skip, reject, ...")],
    feedback: Feedback = None,
    answer: Answers = None,
    digest: Digest = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Decide at a gate, once; at a terminal you are shown what it is about first."""
    if digest is None and sys.stdin.isatty() and not as_json:
        digest = look(context, gate, decision)
    said = {
        "gate_id": gate, "decision": decision, "feedback": feedback, "answers": answer,
        "content_digest": digest, "request_id": request_id,
    }  # fmt: skip
    told = call(context, "decide_gate", said)
    lines = [f"[green]✓[/green] {plain(gate)} {plain(decision)}; the unit is {told.status}"]
    show(told, lines, as_json=as_json)


def approve(
    context: typer.Context,
    gate: Gate,
    digest: Digest = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Approve what waits at a gate: short for decide GATE approve."""
    decide(context, gate, "approve", None, None, digest, request_id, as_json)


def look(context: typer.Context, gate: str, decision: str) -> str | None:
    """Show a person what they decide about; return its digest once they have said yes."""
    data = call(context, "get_gate", {"gate_id": gate}).data
    print_lines([*_line(data), *_shown(data.get("shown"))])
    if not data["is_open"]:
        return None
    typer.confirm(f"{decision}?", abort=True)
    return str(data["content_digest"]) or None


def _line(gate: Told) -> Iterator[str]:
    by = cast("Told", gate["opened_by"])
    since = _when(gate["opened_at"])
    yield f"[bold]{plain(gate['gate_id'])}[/bold]  {plain(gate['status'])}  {plain(gate['title'])}"
    yield f"  [dim]asked by {by['kind']} {plain(by['id'])}, {since}[/dim]"
    if not gate["is_open"]:
        who = cast("Told", gate["decided_by"])
        relayed = ", relayed" if gate["is_relayed"] else ""
        when = _when(gate["decided_at"])
        yield f"  {plain(gate['decision'])} by {who['kind']} {plain(who['id'])}{relayed}, {when}"


def _shown(content: object) -> Iterator[str]:
    text = content if isinstance(content, str) else json.dumps(content, indent=2)
    yield from (f"    {plain(line)}" for line in text.splitlines())


def _when(at: object) -> str:
    return instant(cast("int", at))
