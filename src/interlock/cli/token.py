"""``interlock token``: make, list and revoke tokens. A secret is shown once, when it is made."""

from datetime import UTC, datetime
from typing import Annotated, Final

import typer

from interlock.app import App
from interlock.cli.local import plain, with_app
from interlock.cli.screen import print_json, print_lines
from interlock.service import access
from interlock.service.errors import InvalidInput
from interlock.store.port import TokenRow

app = typer.Typer(name="token", help="Tokens for people, agents and workers.", no_args_is_help=True)

UNITS: Final = {"m": 60, "h": 3600, "d": 24 * 3600}
DIGITS_MAX: Final = 6
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("create")
def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What the token is for.")],
    kind: Annotated[str, typer.Option("--kind", help="user, agent or worker.")] = "agent",
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", help="read, work, decide, admin; repeat it. Default: by kind."),
    ] = None,
    expires_in: Annotated[
        str, typer.Option("--expires-in", help="How long it is good: 90m, 12h, 30d.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Make a token and show it, this once."""
    lasts = _seconds(expires_in)

    async def work(app: App) -> tuple[str, TokenRow]:
        ends = None if lasts is None else app.engine.store.now() + lasts * 1000
        caller = await app.caller()
        return await access.create_token(app.engine, caller, name, kind, scope or (), ends)

    secret, row = with_app(context, work)
    if as_json:
        print_json({"token": secret, **_told(row)})
        return
    print_lines(
        [secret, f"[dim]{row.kind}, {row.scopes}, {_until(row)}; shown only this once[/dim]"]
    )


@app.command("list")
def list_tokens(context: typer.Context, as_json: Json = False) -> None:
    """List the tokens, without their secrets."""

    async def work(app: App) -> tuple[TokenRow, ...]:
        return await access.list_tokens(app.engine, await app.caller())

    rows = with_app(context, work)
    if as_json:
        print_json([_told(row) for row in rows])
    elif not rows:
        print_lines(["There are no tokens yet. Make one: interlock token create NAME"])
    else:
        print_lines(map(_line, rows))


@app.command("revoke")
def revoke(
    context: typer.Context, token: Annotated[str, typer.Argument(help="The token's id.")]
) -> None:
    """Revoke a token for good."""

    async def work(app: App) -> None:
        await access.revoke_token(app.engine, await app.caller(), token)

    with_app(context, work)
    print_lines([f"[green]✓[/green] {plain(token)} is revoked"])


def _seconds(text: str) -> int | None:
    if not text:
        return None
    number, unit = text[:-1], text[-1]
    is_number = number.isascii() and number.isdigit() and len(number) <= DIGITS_MAX
    if unit not in UNITS or not is_number or not int(number):
        message = f"{text[:40]!r} is no length of time."
        raise InvalidInput(message, fix="Write a number and m, h or d, as in 30d.")
    return int(number) * UNITS[unit]


def _line(row: TokenRow) -> str:
    name = plain(row.name)
    return f"{row.id}  {row.prefix}…  {row.kind:<6} {row.scopes:<16} {_until(row)}  {name}"


def _told(row: TokenRow) -> dict[str, object]:
    return row._asdict() | {"scopes": row.scopes.split()}


def _until(row: TokenRow) -> str:
    if row.revoked_at is not None:
        return "revoked"
    if row.expires_at is None:
        return "does not expire"
    return f"until {datetime.fromtimestamp(row.expires_at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
