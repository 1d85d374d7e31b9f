"""Forms about a part on its own page: take over, hand in, give up, try again.

Each sends one command, as the person who is logged in; what is refused is told on the page.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, cast

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.csrf import Form
from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.page import Told
from interlock.doors.web.unit import PATH, UnitPage
from interlock.errors import InterlockError
from interlock.service.engine import Engine

PART: Final = f"{PATH}/parts/{{number}}"

Send = Callable[[Guest, str, Form], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class UnitForms:
    """What can be sent from the pages of units and parts."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, f"{PART}/{name}", self._about(name, send), "POST")
            for name, send in SENDS.items()
        ]

    def _about(self, name: str, send: Send) -> Callable[[Guest], Awaitable[Response]]:
        async def answer(guest: Guest) -> Response:
            unit, number = guest.request.path_params["unit"], guest.request.path_params["number"]
            form = await guest.form()
            try:
                await send(guest, f"{unit}.{number}", form)
            except InterlockError as error:
                told = Told.of(error, name)
                return await UnitPage(self.engine).part(guest, told, error.http)
            return guest.go(f"/units/{unit}/parts/{number}")

        return answer


async def _take_over(guest: Guest, part: str, form: Form) -> None:
    """Take a part from whoever holds it; mostly only so that somebody else can have it."""
    data = await guest.call("take_over_work", part_id=part, reason=form.get("reason", ""))
    if form.get("then") != "mine":
        held = cast("dict[str, dict[str, str]]", data["part"])
        lease = held["lease"]["token"]
        note = f"Taken over and given back: {form.get('reason', '')}"
        await guest.call("release_work", part_id=part, lease=lease, note=note)


async def _hand_in(guest: Guest, part: str, form: Form) -> None:
    lease = form.get("lease", "")
    if form.get("do") == "release":
        await guest.call("release_work", part_id=part, lease=lease)
        return
    await guest.call(
        "submit_step_result", step_id=part, lease=lease, result={"text": form.get("text", "")},
        result_summary=form.get("summary", ""),
    )  # fmt: skip


async def _change(guest: Guest, part: str, form: Form, action: str) -> None:
    await guest.call(
        "modify_plan", plan_id=part.partition(".")[0], action=action, step_id=part,
        reason=form.get("reason") or None, modification_rationale=form.get("reason", ""),
    )  # fmt: skip


async def _fail(guest: Guest, part: str, form: Form) -> None:
    await _change(guest, part, form, "fail_step")


async def _retry(guest: Guest, part: str, form: Form) -> None:
    await _change(guest, part, form, "retry_step")


SENDS: Final[dict[str, Send]] = {
    "take-over": _take_over,
    "hand-in": _hand_in,
    "fail": _fail,
    "retry": _retry,
}
"""What is sent about a part, by the end of its path."""
