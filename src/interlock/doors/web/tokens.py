"""Tokens: with which secrets agents, workers and people come in. For admins.

A secret is shown once, in the answer to the form that made it, with the lines to paste; it is in
no address, no cache and no log.
"""

import json
from dataclasses import dataclass
from typing import Final, NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.csrf import Form
from interlock.doors.web.guest import Data, Guest, behind_login, rows
from interlock.doors.web.page import Told
from interlock.errors import InterlockError
from interlock.service.access import KINDS, SCOPES
from interlock.service.engine import Engine
from interlock.service.errors import NotAllowed

PATH: Final = "/tokens"
DAY_S: Final = 24 * 3600
LASTS: Final = {"7": "7 days", "30": "30 days", "90": "90 days", "365": "a year", "": "no end"}
"""For how many days a token may be good, as a person chooses it."""

USUAL: Final = "90"
FIELDS: Final = ("name", "kind", "scopes", "expires_in_s")
NEW: Final[Form] = {"kind": "agent", "lasts": USUAL}
NOTHING: Final[Data] = {}


class Outcome(NamedTuple):
    """What a form came to, where the page is shown again: a secret, or what is wrong."""

    told: Told | None = None
    made: Data = NOTHING
    form: Form = NEW
    status: int = 200


@dataclass(frozen=True, slots=True)
class Tokens:
    """The page about tokens."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, PATH, self.show),
            behind_login(self.engine, PATH + "/create", self.create, "POST", PATH),
            behind_login(self.engine, PATH + "/{id}/revoke", self.revoke, "POST", PATH),
        ]

    async def show(self, guest: Guest) -> Response:
        """Show which tokens there are."""
        return await self._page(guest, Outcome())

    async def create(self, guest: Guest) -> Response:
        """Make a token, and show its secret this once."""
        form = await guest.form()
        lasts = form.get("lasts", USUAL)
        days = 0 if lasts not in LASTS else int(lasts) if lasts else None  # 0 is refused
        try:
            made = await guest.call(
                "create_token", name=form.get("name", ""), kind=form.get("kind", ""),
                scopes=[scope for scope in SCOPES if f"scope-{scope}" in form],
                expires_in_s=None if days is None else days * DAY_S,
            )  # fmt: skip
        except InterlockError as error:
            is_about_scopes = isinstance(error, NotAllowed) or "decide" in error.message
            told = Told.beside(error, FIELDS, "scopes" if is_about_scopes else "name")
            return await self._page(guest, Outcome(told, form=form, status=error.http))
        return await self._page(guest, Outcome(made=made))

    async def revoke(self, guest: Guest) -> Response:
        """Revoke a token for good."""
        await guest.form()
        name = str(guest.request.path_params["id"])
        try:
            await guest.call("revoke_token", token_id=name)
        except InterlockError as error:
            return await self._page(guest, Outcome(Told.of(error), status=error.http))
        return guest.go(PATH)

    async def _page(self, guest: Guest, outcome: Outcome) -> Response:
        found = rows(await guest.call("list_tokens"), "tokens")
        made = outcome.made
        return await guest.page(
            "tokens.html", place="tokens", status=outcome.status, told=outcome.told,
            form=outcome.form, made=made, pasted=self._pasted(guest, str(made.get("token", ""))),
            good=[one for one in found if one["is_good"]],
            ended=[one for one in found if not one["is_good"]],
            kinds=KINDS, scopes=[scope for scope in SCOPES if guest.may(scope)], lasts=LASTS,
        )  # fmt: skip

    def _pasted(self, guest: Guest, secret: str) -> dict[str, str]:
        """Return what is pasted where, so that an AI client comes in with the secret."""
        if not secret:
            return {}
        url = f"{self.engine.site or str(guest.request.base_url).rstrip('/')}/mcp"
        bearer = f"Bearer {secret}"
        entry = {"type": "http", "url": url, "headers": {"Authorization": bearer}}
        line = f'claude mcp add --transport http interlock {url} --header "Authorization: {bearer}"'
        return {"line": line, "entry": json.dumps({"mcpServers": {"interlock": entry}}, indent=2)}
