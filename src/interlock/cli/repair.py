"""``interlock mission``, when something went wrong or is over: fix, abandon, cancel, reset."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final

import typer

from interlock.cli.local import Json, RequestId, call, plain, show

Mission = Annotated[str, typer.Argument(help="The mission's id.")]
Hop = Annotated[str, typer.Argument(help="The hop's id.")]
Reason = Annotated[str, typer.Option("--reason", "-m", help="Why.")]


def fix(
    context: typer.Context, hop: Hop, reason: Reason, request_id: RequestId = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Have the failed hop of a held mission resolved anew."""
    told = {"hop_id": hop, "reason": reason, "request_id": request_id}
    _say(context, "fix_hop", hop, told, as_json=as_json)


def abandon(
    context: typer.Context, mission: Mission, reason: Reason, request_id: RequestId = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Give up repairing a hop; the mission fails."""
    told = {"mission_id": mission, "reason": reason, "request_id": request_id}
    _say(context, "abandon_recovery", mission, told, as_json=as_json)


def complete(
    context: typer.Context, mission: Mission, reason: Reason, request_id: RequestId = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Say that a mission has reached its goal."""
    told = {"mission_id": mission, "reason": reason, "request_id": request_id}
    _say(context, "complete_early", mission, told, as_json=as_json)


def cancel(
    context: typer.Context,
    about: Annotated[str, typer.Argument(help="The mission's or the hop's id.")],
    reason: Reason,
    cascade: Annotated[
        bool, typer.Option("--cascade", help="With its current hop cancel the mission.")
    ] = False,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Cancel a mission or a hop."""
    told = {"id": about, "reason": reason, "cascade": cascade or None, "request_id": request_id}
    _say(context, "cancel", about, told, as_json=as_json)


def reset(
    context: typer.Context, mission: Mission, reason: Reason, request_id: RequestId = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Begin a mission anew that has ended."""
    told = {"mission_id": mission, "reason": reason, "request_id": request_id}
    answer = call(context, "reset_mission", told)
    new = plain(answer.data["new_mission_id"])
    lines = [f"[green]✓[/green] {new} begins in place of {plain(mission)}"]
    show(answer, lines, as_json=as_json)


def _say(
    context: typer.Context, command: str, about: str, told: Mapping[str, object], *, as_json: bool
) -> None:
    answer = call(context, command, told)
    lines = [f"[green]✓[/green] {plain(about)}: the mission is {answer.data['mission_status']}"]
    show(answer, lines, as_json=as_json)


VERBS: Final[dict[str, Callable[..., None]]] = {
    "fix": fix,
    "abandon": abandon,
    "cancel": cancel,
    "complete": complete,
    "reset": reset,
}
"""What they are called."""
