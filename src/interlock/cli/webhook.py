"""``interlock webhook``: who is told what happens, and how that went; ``link`` makes a link."""

from collections.abc import Iterator, Mapping
from typing import Annotated, cast

import typer

from interlock.cli.local import Json, call, plain, show

app = typer.Typer(
    name="webhook", help="Signed HTTP requests when something happens.", no_args_is_help=True
)
Hook = Annotated[str, typer.Argument(help="The webhook's id.")]
Told = Mapping[str, object]


@app.command("create")
def create(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="Where to send to: https://...")],
    event: Annotated[
        list[str] | None,
        typer.Option("--event", help="gate_opened, gate_decided, stalled, blocked, finished."),
    ] = None,
    workflow: Annotated[str, typer.Option("--workflow", help="Only this workflow.")] = "",
    as_json: Json = False,
) -> None:
    """Make a webhook and show its secret, this once."""
    asked = {"url": url, "events": event or (), "workflow": workflow}
    answer = call(context, "create_webhook", asked)
    lines = [f"[green]✓[/green] {answer.data['hook_id']}", f"  secret  {answer.data['secret']}"]
    show(answer, lines, as_json=as_json)


@app.command("list")
def list_webhooks(context: typer.Context, as_json: Json = False) -> None:
    """List webhooks."""
    answer = call(context, "list_webhooks", {})
    rows = cast("list[Told]", answer.data["webhooks"])
    lines = [_hook(row) for row in rows] or ["[dim]no webhooks[/dim]"]
    show(answer, lines, as_json=as_json)


def _hook(row: Told) -> str:
    state = "off" if row["disabled_at"] else "failing" if row["failing_since"] else "on"
    events = ", ".join(cast("list[str]", row["events"]))
    return f"{row['hook_id']}  {state}  {plain(row['url'])}  [dim]{events}[/dim]"


@app.command("disable")
def disable(context: typer.Context, hook: Hook, as_json: Json = False) -> None:
    """Switch a webhook off."""
    _said(context, "disable_webhook", hook, "off", as_json=as_json)


@app.command("enable")
def enable(context: typer.Context, hook: Hook, as_json: Json = False) -> None:
    """Switch a webhook on again."""
    _said(context, "enable_webhook", hook, "on", as_json=as_json)


@app.command("delete")
def delete(context: typer.Context, hook: Hook, as_json: Json = False) -> None:
    """Take a webhook away, with its deliveries."""
    _said(context, "delete_webhook", hook, "deleted", as_json=as_json)


@app.command("test")
def try_it(context: typer.Context, hook: Hook, as_json: Json = False) -> None:
    """Have a test delivery sent by the next server that runs."""
    _said(context, "test_webhook", hook, "a test is to be sent", as_json=as_json)


def _said(context: typer.Context, command: str, hook: str, what: str, *, as_json: bool) -> None:
    answer = call(context, command, {"hook_id": hook})
    show(answer, [f"[green]✓[/green] {plain(hook)} {what}"], as_json=as_json)


@app.command("deliveries")
def deliveries(
    context: typer.Context,
    hook: Annotated[str, typer.Option("--webhook", help="Only of this webhook.")] = "",
    state: Annotated[str, typer.Option("--state", help="pending, delivered or failed.")] = "",
    cursor: Annotated[str | None, typer.Option("--cursor", help="Go on from here.")] = None,
    as_json: Json = False,
) -> None:
    """List what was sent or is to be, the newest first."""
    asked = {"hook": hook, "state": state, "cursor": cursor}
    answer = call(context, "list_deliveries", asked)
    show(answer, list(_deliveries(answer.data)), as_json=as_json)


def _deliveries(data: Told) -> Iterator[str]:
    for row in cast("list[Told]", data["deliveries"]):
        went = plain(row["error"]) or (row["code"] or "")
        yield f"{row['delivery_id']}  {row['event']}  {row['status']}  [dim]{went}[/dim]"
    if "cursor" in data:
        yield f"[dim]more[/dim]  --cursor {data['cursor']}"


@app.command("replay")
def replay(
    context: typer.Context,
    delivery: Annotated[str, typer.Argument(help="The delivery's id.")],
    as_json: Json = False,
) -> None:
    """Have a delivery sent again, under the same id."""
    answer = call(context, "replay_delivery", {"delivery_id": delivery})
    show(answer, [f"[green]✓[/green] {plain(delivery)} is sent again"], as_json=as_json)


def link(
    context: typer.Context,
    gate: Annotated[str, typer.Argument(help="The gate's id, as the inbox shows it.")],
    user: Annotated[str, typer.Option("--for", help="Who decides by it; else you.")] = "",
    hours: Annotated[int, typer.Option("--hours", help="How long it is good.")] = 168,
    as_json: Json = False,
) -> None:
    """Make a link by which one person can decide at a gate, once."""
    asked = {"gate_id": gate, "person": user, "lasts_hours": hours}
    answer = call(context, "link_gate", asked)
    show(answer, [str(answer.data["link"])], as_json=as_json)
