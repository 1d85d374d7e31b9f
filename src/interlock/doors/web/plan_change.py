"""A plan changed by a person: one form for each way, a preview of what it would do, then the doing.

The preview is decided exactly as the change would be, and writes nothing. What is sent is bound to
the version that was shown: where somebody has changed the plan meanwhile, it is shown again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.compare import Row, compare
from interlock.doors.web.csrf import Form
from interlock.doors.web.guest import Guest, Rows, behind_login, rows
from interlock.doors.web.page import Told, blamed
from interlock.doors.web.plan_forms import CHANGES, Change
from interlock.doors.web.unit import PATH, Scene, scene_of
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput, NotFound, StaleVersion

WORKFLOW: Final = "plan"
FIRST: Final = "add_steps"


@dataclass(frozen=True, slots=True)
class PlanChange:
    """The page on which a plan is changed."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, f"{PATH}/modify", self.show),
            behind_login(self.engine, f"{PATH}/modify", self.send, "POST"),
        ]

    async def show(self, guest: Guest) -> Response:
        """Show the form for one way to change a plan."""
        step = guest.asked("step")
        return await self._page(guest, guest.asked("action") or FIRST, {"step_id": step})

    async def send(self, guest: Guest) -> Response:
        """Show what a change would do, or make it."""
        form = await guest.form()
        name = form.get("action", "")
        change = _change(name)
        unit = guest.request.path_params["unit"]
        is_real = form.get("do") == "apply"
        try:
            said = change.read(form)
            answer = await guest.send(
                "modify_plan",
                {
                    **said,
                    "plan_id": unit,
                    "action": name,
                    "modification_rationale": form.get("rationale", ""),
                    **({} if is_real else {"dry_run": True}),
                },
                version=_version(form) if is_real else None,
            )
        except StaleVersion:
            told = Told("Somebody has changed the plan meanwhile. Nothing was changed by you.",
                        "Look at the preview again.")  # fmt: skip
            return await self._page(guest, name, form, told, status=409)
        except InterlockError as error:
            told = Told.of(error, blamed(error))
            return await self._page(guest, name, form, told, status=error.http)
        if is_real:
            return guest.go(f"/units/{unit}")
        return await self._page(guest, name, form, preview=rows(answer, "steps"))

    async def _page(
        self,
        guest: Guest,
        name: str,
        form: Form,
        told: Told | None = None,
        *,
        preview: Rows | None = None,
        status: int = 200,
    ) -> Response:
        change = _change(name)
        scene = await scene_of(guest, guest.request.path_params["unit"])
        if scene.flow.name != WORKFLOW:
            raise NotFound(scene.id)
        return await guest.page(
            "plan_change.html", place=f"board:{WORKFLOW}", status=status, told=told, scene=scene,
            changes=CHANGES, chosen=name, change=change, form=form, is_preview=preview is not None,
            diff=[] if preview is None else _diff(scene, preview),
            version=scene.read.whole.row.version,
            listed="\n".join(f"{line.id} {line.order} {line.title}" for line in scene.lines),
        )  # fmt: skip


def _change(name: str) -> Change:
    found = CHANGES.get(name)
    if found is None:
        raise InvalidInput(f"There is no such change: {name[:40]}.", fix="Choose one of the list.")
    return found


def _version(form: Form) -> int | None:
    text = form.get("version", "")
    return int(text[:15]) if text.isascii() and text.isdecimal() else None


def _diff(scene: Scene, preview: Rows) -> list[Row]:
    """Compare the steps as they are with those as they would be."""
    before = [
        _told(line.order, line.title, str(scene.snapshot.part(line.id).status), line.needs)
        for line in scene.lines
    ]
    after = [
        _told(cast("int", row["order"]), str(row["title"]), str(row["status"]), _needs(row))
        for row in preview
    ]
    return compare(before, after)


def _needs(row: Mapping[str, object]) -> tuple[int, ...]:
    return tuple(cast("list[int]", row.get("depends_on", ())))


def _told(order: int, title: str, status: str, needs: tuple[int, ...]) -> str:
    waits = f", after {', '.join(map(str, needs))}" if needs else ""
    return f"{order} {title} ({status}{waits})"
