"""``interlock user``, ``interlock login-link``: who is here, as what, and how they come in."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, cast

import typer

from interlock.cli.local import Json, call, plain, show

app = typer.Typer(name="user", help="People: who is here, and as what.", no_args_is_help=True)

User = Annotated[str, typer.Argument(help="Their id or e-mail.")]
Told = Mapping[str, object]


@app.command("list")
def list_users(context: typer.Context, as_json: Json = False) -> None:
    """List who is here."""
    answer = call(context, "list_users", {})
    rows = cast("list[Told]", answer.data["users"])
    show(answer, [_line(row) for row in rows], as_json=as_json)


@app.command("invite")
def invite(
    context: typer.Context,
    email: Annotated[str, typer.Argument(help="Whom.")],
    role: Annotated[str, typer.Option("--role", help="owner, admin, member or viewer.")] = "member",
    as_json: Json = False,
) -> None:
    """Invite somebody; prints a link that is good once, for a week."""
    answer = call(context, "invite_user", {"email": email, "role": role})
    show(answer, [plain(answer.data["link"])], as_json=as_json)


@app.command("role")
def role(
    context: typer.Context,
    user: User,
    role: Annotated[str, typer.Argument(help="owner, admin, member or viewer.")],
    as_json: Json = False,
) -> None:
    """Give somebody another role."""
    answer = call(context, "set_role", {"user_id": user, "role": role})
    show(answer, [_line(answer.data)], as_json=as_json)


@app.command("disable")
def disable(context: typer.Context, user: User, as_json: Json = False) -> None:
    """Shut somebody out at once, with all their sessions, links and tokens."""
    answer = call(context, "disable_user", {"user_id": user})
    show(answer, [_line(answer.data)], as_json=as_json)


@app.command("enable")
def enable(context: typer.Context, user: User, as_json: Json = False) -> None:
    """Let somebody in again."""
    answer = call(context, "enable_user", {"user_id": user})
    show(answer, [_line(answer.data)], as_json=as_json)


@app.command("invitations")
def invitations(context: typer.Context, as_json: Json = False) -> None:
    """List invitations that nobody has accepted yet."""
    answer = call(context, "list_invitations", {})
    rows = cast("list[Told]", answer.data["invitations"])
    lines = [
        f"{plain(row['invitation_id'])}  {row['role']:<6}  {plain(row['email'])}  "
        f"until {_at(row['expires_at'])}"
        for row in rows
    ]
    show(answer, lines or ["Nobody is invited. Invite somebody: interlock user invite E-MAIL"],
         as_json=as_json)  # fmt: skip


@app.command("withdraw")
def withdraw(
    context: typer.Context,
    invitation: Annotated[str, typer.Argument(help="The invitation's id.")],
    as_json: Json = False,
) -> None:
    """Withdraw an invitation: its link is good no more."""
    answer = call(context, "withdraw_invitation", {"invitation_id": invitation})
    show(answer, [f"[green]✓[/green] {plain(invitation)} is withdrawn"], as_json=as_json)


@app.command("sessions")
def sessions(
    context: typer.Context,
    user: Annotated[str | None, typer.Option("--user", help="Only theirs.")] = None,
    as_json: Json = False,
) -> None:
    """List who is logged in with a browser."""
    answer = call(context, "list_sessions", {"user_id": user})
    rows = cast("list[Told]", answer.data["sessions"])
    lines = [
        f"{plain(row['browser_session_id'])}  {plain(row['user_id'])}  since "
        f"{_at(row['created_at'])}, seen {_at(row['seen_at'])}"
        for row in rows
    ]
    show(answer, lines or ["Nobody is logged in."], as_json=as_json)


@app.command("log-out")
def log_out(
    context: typer.Context,
    session: Annotated[str, typer.Argument(help="The session's id.")],
    as_json: Json = False,
) -> None:
    """Log somebody out of one browser."""
    answer = call(context, "end_session", {"browser_session_id": session})
    show(answer, [f"[green]✓[/green] {plain(session)} has ended"], as_json=as_json)


@app.command("acts")
def acts(
    context: typer.Context,
    limit: Annotated[int, typer.Option("--limit", help="How many, up to 200.")] = 50,
    cursor: Annotated[
        str | None, typer.Option("--cursor", help="Go on where a list ended.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List what was done to people and tokens, by whom, the newest first."""
    answer = call(context, "list_acts", {"limit": limit, "cursor": cursor})
    lines = [_act(row) for row in cast("list[Told]", answer.data["acts"])]
    if "cursor" in answer.data:
        lines.append(f"[dim]more[/dim]  --cursor {plain(answer.data['cursor'])}")
    show(answer, lines, as_json=as_json)


def login_link(
    context: typer.Context,
    user: Annotated[
        str | None, typer.Option("--user", help="Whom to let in; nobody said: yourself.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print a link that lets you in with a browser, once, within 15 minutes."""
    answer = call(context, "create_login_link", {"user_id": user})
    show(answer, [plain(answer.data["link"])], as_json=as_json)


def _line(row: Told) -> str:
    out = "" if row["disabled_at"] is None else "  [yellow]shut out[/yellow]"
    told = f"{plain(row['user_id']):<17}  {row['role']:<6}"
    return f"{told}  {plain(row['email'])}  {plain(row['name'])}{out}"


def _at(instant: object) -> str:
    return f"{datetime.fromtimestamp(cast('int', instant) / 1000, UTC):%Y-%m-%d %H:%M}"


def _act(row: Told) -> str:
    told = " ".join(f"{name}={value}" for name, value in cast("Told", row["told"]).items())
    by = f"{row['kind']} {row['who']}"
    return f"{_at(row['at'])}  {plain(by)}  {row['act']}  {plain(row['about'])}  {plain(told)}"
