"""OpenCode through a server that somebody runs beside us: a session for each task, over HTTP.

It saves the start of the program. The server works with its own settings, home and rights, for all
tickets, and is not ended by us: a task that was given up is only told to stop. Who may look and not
work is asked as its agent ``plan``.
"""

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from typing import Final
from urllib.parse import quote

from interlock.errors import InterlockError
from interlock.outside.endpoint import Endpoint, ModelUnavailable
from interlock.worker.agents.agent import (
    FAILED,
    INVALID_OUTPUT,
    TRANSIENT,
    WRITE,
    Agent,
    AgentFailed,
    Said,
    Spent,
    Task,
)
from interlock.worker.agents.heard import Heard, failure_of, part, word
from interlock.worker.agents.opencode import OpenCode
from interlock.worker.agents.reading import Unreadable, read_answer

USER: Final = "opencode"
STOP_S: Final = 5.0


class OpenCodeServer(Agent):
    """Asks a server of OpenCode."""

    def __init__(self, url: str, password: str = "", model: str = "") -> None:
        """Take where it listens, its password, and the model for members that name none."""
        self._url = url.rstrip("/")
        self._model = model
        self.secrets = (password,) if password else ()
        basic = b64encode(f"{USER}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {basic}"} if password else {}

    async def run(self, task: Task) -> Said:
        """Ask in a session of its own, and read the answer."""
        made = await self._post("/session", task, {"title": task.name})
        name = word(made, "id")
        if not name:
            raise AgentFailed(FAILED, "What listens there is no server of OpenCode.")
        try:
            answer = await self._post(f"/session/{quote(name)}/message", task, self._asked(task))
        except BaseException:
            # Also where nobody waits any more: it would go on by itself.
            with suppress(AgentFailed, TimeoutError):
                async with asyncio.timeout(STOP_S):
                    await self._post(f"/session/{quote(name)}/abort", task, {})
            raise
        return _said(answer, task)

    def _asked(self, task: Task) -> dict[str, object]:
        asked: dict[str, object] = {
            "agent": "build" if task.folder and task.reach == WRITE else "plan",
            "parts": [{"type": "text", "text": task.prompt}],
        }
        provider, _, model = (task.model or self._model).partition("/")
        if model:
            asked["model"] = {"providerID": provider, "modelID": model}
        return asked

    async def _post(
        self, path: str, task: Task, body: Mapping[str, object]
    ) -> Mapping[str, object]:
        where = f"?directory={quote(str(task.folder), safe='')}" if task.folder else ""
        endpoint = Endpoint(f"{self._url}{path}{where}", self._headers, task.deadline_s)
        try:
            found = await endpoint.post(body)
        except ModelUnavailable as exc:
            raise AgentFailed(TRANSIENT, f"OpenCode: {exc.message}") from exc
        except InterlockError as exc:
            raise AgentFailed(FAILED, f"OpenCode: {exc.message}") from exc
        return found if isinstance(found, Mapping) else {}


def _said(answer: Mapping[str, object], task: Task) -> Said:
    """Read a message with its parts, as if each had been told as an event."""
    dialect, heard = OpenCode(), Heard(task.hear)
    parts = answer.get("parts")
    for one in parts if isinstance(parts, list) else ():
        if isinstance(one, Mapping):
            kind = {"tool": "tool_use"}.get(word(one, "type"), word(one, "type"))
            dialect.event({"type": kind, "part": one}, heard)
    info = part(answer, "info")
    dialect.event({"type": "step_finish", "part": info}, heard)
    spent = Spent(heard.tokens_in, heard.tokens_out, heard.cost_micros)
    if info.get("error"):
        dialect.event({"type": "error", "error": info["error"]}, heard)
        raise AgentFailed(failure_of(heard.error), f"OpenCode: {heard.error}", heard.text, spent)
    try:
        found = read_answer(heard.text, task.schema)
    except Unreadable as exc:
        raise AgentFailed(INVALID_OUTPUT, str(exc), heard.text, spent) from exc
    return Said(found.answer, heard.text, *spent[:2], found.warnings, spent.cost_micros)
