"""``interlock ticket``, its second half: setup, budget, merge, and the end. Parse, call, print."""

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from interlock.cli.local import Json, RequestId, call, plain, show

Ticket = Annotated[str, typer.Argument(help="The ticket's id.")]
Why = Annotated[str | None, typer.Option("--reason", "-m", help="Why.")]


def replan(
    context: typer.Context,
    ticket: Ticket,
    comment: Annotated[
        str | None, typer.Option("--comment", "-m", help="What was wrong with the last one.")
    ] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Have the setup plan drafted again."""
    told = {"ticket_id": ticket, "comment": comment, "request_id": request_id}
    answer = call(context, "regenerate_setup_plan", told)
    show(answer, [f"[green]✓[/green] {plain(ticket)}: it is drafted again"], as_json=as_json)


def merge(
    context: typer.Context, ticket: Ticket, request_id: RequestId = None, as_json: Json = False
) -> None:
    """Have the pull request merged by a worker."""
    answer = call(context, "merge", {"ticket_id": ticket, "request_id": request_id})
    show(answer, [f"[green]✓[/green] {plain(ticket)} is to be merged"], as_json=as_json)


def close_unmerged(
    context: typer.Context,
    ticket: Ticket,
    reason: Why = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """End a ticket without a merge; branch and pull request are left alone."""
    told = {"ticket_id": ticket, "reason": reason, "request_id": request_id}
    answer = call(context, "close_unmerged", told)
    show(answer, [f"[green]✓[/green] {plain(ticket)} is closed unmerged"], as_json=as_json)


def finish(
    context: typer.Context,
    ticket: Ticket,
    reason: Why = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Complete a ticket whose clean-up hangs."""
    told = {"ticket_id": ticket, "reason": reason, "request_id": request_id}
    answer = call(context, "finish", told)
    show(answer, [f"[green]✓[/green] {plain(ticket)} is {answer.status}"], as_json=as_json)


def raise_budget(
    context: typer.Context,
    ticket: Ticket,
    tokens: Annotated[int | None, typer.Option("--tokens", help="Tokens, in and out.")] = None,
    cost_micros: Annotated[
        int | None, typer.Option("--cost-micros", help="Money, in millionths.")
    ] = None,
    seconds: Annotated[int | None, typer.Option("--seconds", help="Of work, added up.")] = None,
    attempts: Annotated[
        int | None, typer.Option("--attempts", help="Of beads, setup and final test.")
    ] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Raise what a ticket may spend; a blocked one then goes on with retry."""
    told = {
        "ticket_id": ticket, "tokens": tokens, "cost_micros": cost_micros, "seconds": seconds,
        "attempts": attempts, "request_id": request_id,
    }  # fmt: skip
    answer = call(context, "raise_budget", told)
    show(answer, [f"[green]✓[/green] {plain(ticket)} may spend more"], as_json=as_json)


def report_merge(
    context: typer.Context,
    ticket: Ticket,
    merge_commit: Annotated[str, typer.Argument(help="The commit of the merge.")],
    base_head: Annotated[str, typer.Argument(help="Where the base branch is now.")],
    head: Annotated[str, typer.Argument(help="The commit that was merged.")],
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """As a worker: say that somebody has merged the pull request elsewhere."""
    told = {
        "ticket_id": ticket, "merge_commit": merge_commit, "base_head": base_head, "head": head,
        "request_id": request_id,
    }  # fmt: skip
    answer = call(context, "report_merge", told)
    show(answer, [f"[green]✓[/green] {plain(ticket)} was merged"], as_json=as_json)


VERBS: Final[dict[str, Callable[..., Any]]] = {
    "replan": replan,
    "merge": merge,
    "close-unmerged": close_unmerged,
    "finish": finish,
    "raise-budget": raise_budget,
    "report-merge": report_merge,
}
"""The words of these commands."""
