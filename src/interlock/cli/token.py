"""``interlock token``: make, list and revoke tokens. A secret is shown once, when it is made."""

from collections.abc import Mapping
from typing import Annotated, Final, cast

import typer

from interlock.cli.local import call, plain
from interlock.cli.screen import print_json, print_lines
from interlock.clock import instant
from interlock.service.errors import InvalidInput

app = typer.Typer(name="token", help="Tokens for people, agents and workers.", no_args_is_help=True)

UNITS: Final = {"m": 60, "h": 3600, "d": 24 * 3600}
DIGITS_MAX: Final = 6
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Told = Mapping[str, object]


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
    told = {"name": name, "kind": kind, "scopes": scope, "expires_in_s": _seconds(expires_in)}
    row = call(context, "create_token", told).data
    if as_json:
        print_json(row)
        return
    scopes = " ".join(cast("list[str]", row["scopes"]))
    print_lines(
        [
            str(row["token"]),
            f"[dim]{row['kind']}, {scopes}, {_until(row)}; shown only this once[/dim]",
        ]
    )


@app.command("list")
def list_tokens(context: typer.Context, as_json: Json = False) -> None:
    """List the tokens, without their secrets."""
    rows = cast("list[Told]", call(context, "list_tokens", {}).data["tokens"])
    if as_json:
        print_json(rows)
    elif not rows:
        print_lines(["There are no tokens yet. Make one: interlock token create NAME"])
    else:
        print_lines(map(_line, rows))


@app.command("revoke")
def revoke(
    context: typer.Context, token: Annotated[str, typer.Argument(help="The token's id.")]
) -> None:
    """Revoke a token for good."""
    call(context, "revoke_token", {"token_id": token})
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


def _line(row: Told) -> str:
    scopes = " ".join(cast("list[str]", row["scopes"]))
    told = f"{row['token_id']}  {row['prefix']}…  {row['kind']:<6} {scopes:<16}"
    return f"{told} {_until(row)}  {plain(row['name'])}"


def _until(row: Told) -> str:
    if row["revoked_at"] is not None:
        return "revoked"
    ends = row["expires_at"]
    if isinstance(ends, int):
        return f"until {instant(ends)}"
    return "does not expire" if row["is_good"] else "its owner is shut out"
