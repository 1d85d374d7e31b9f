"""The log of calls, the newest first: who called what, how it was answered. For admins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, cast
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.guest import Guest, behind_login, rows
from interlock.doors.web.outline import as_json
from interlock.service.engine import Engine

PAGE: Final = 25
UNIT_MAX: Final = 120
COMMAND_MAX: Final = 100
TEXT_MAX: Final = 8_000
"""Characters of what was asked and answered that a page shows of one call."""

ABOUT: Final = ("unit_id", "plan_id", "mission_id", "ticket_id", "id", "part_id", "step_id")
"""By which arguments a call says what it is about, the first that is there."""


class Made(NamedTuple):
    """A call as a line of the page."""

    call: Mapping[str, object]
    unit: str
    request: str
    response: str


@dataclass(frozen=True, slots=True)
class Calls:
    """The page of the log."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [behind_login(self.engine, "/calls", self.show)]

    async def show(self, guest: Guest) -> Response:
        """Show a page of the log."""
        after, unit, command = (guest.asked(word) for word in ("after", "unit", "command"))
        is_failed = bool(guest.asked("failed"))
        asked: dict[str, object] = {"limit": PAGE, "unit": unit[:UNIT_MAX], "is_failed": is_failed}
        asked["command"] = command[:COMMAND_MAX]
        found = await guest.send("list_calls", asked | ({"cursor": after} if after else {}))
        chosen = {"unit": unit, "command": command, "failed": "1" if is_failed else ""}
        made = [self._made(call) for call in rows(found, "calls")]
        return await guest.page(
            "calls.html", place="calls", made=made, after=after, cursor=found.get("cursor"),
            chosen=chosen, kept=urlencode({name: one for name, one in chosen.items() if one}),
        )  # fmt: skip

    def _made(self, call: Mapping[str, object]) -> Made:
        return Made(call, self._unit(call["request"]), short(call["request"]),
                    short(call["response"]))  # fmt: skip

    def _unit(self, request: object) -> str:
        """Return the unit that a call is about; nothing where it does not say so."""
        if not isinstance(request, Mapping):
            return ""
        asked = cast("Mapping[str, object]", request)
        named = next((asked[name] for name in ABOUT if isinstance(asked.get(name), str)), "")
        unit = str(named).partition(".")[0]
        return unit if unit.rpartition("-")[0] in self.engine.flows and unit.isascii() else ""


def short(value: object) -> str:
    """Return data as text, as much of it as a line of the log unfolds to."""
    text = as_json(value)
    if len(text) <= TEXT_MAX:
        return text
    return f"{text[:TEXT_MAX]}\n… {len(text) - TEXT_MAX:,} more characters"
