"""Work of the worker's own hands: what is asked of the workspace is done here, without a model.

So far that is ``init``, which makes the working tree. Any other task is failed with a word that
says so: given back, it would be handed out again at once, to the same hands.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast

from interlock.clock import Clock
from interlock.worker.journal import OURS, Journal, Once
from interlock.worker.work import HandIn, Runner, Work
from interlock.worker.workspace.clone import NoWorkspace, Origin, make_workspace
from interlock.worker.workspace.git import GitFailed
from interlock.worker.workspace.listing import listing_of
from interlock.worker.workspace.mirror import FOLDER

WORKSPACE: Final = "workspace"
INIT: Final = "init"
ROOM: Final = "workspaces"
"""Where working trees lie, in the data folder of the worker."""

REASON_MAX: Final = 2_000


class Hands:
    """Runs what is asked of the workspace."""

    def __init__(self, data: Path, once: Once, clock: Clock) -> None:
        """Work in a data folder; tell what happens through ``once``."""
        self._room = data / ROOM
        self._once = once
        self._clock = clock

    async def run(self, work: Work, hand_in: HandIn) -> str:
        """Do what is asked, and hand in what came of it."""
        told = _mapping(work.told, "task")
        task = str(told.get("task", ""))
        async with Journal(self._once, work, self._clock) as journal:
            try:
                answer = await self._done(work, task, told)
            except NoWorkspace as no:
                why = str(no)
            except TimeoutError:
                why = f"timed_out: {task} was not done within {told.get('deadline_s')} s."
            except OSError as error:
                why = f"The working tree cannot be made: {error.strerror or error}."
            else:
                journal.note(OURS, f"{task}: {_short(answer)}")
                await journal.flush()
                await hand_in("submit_work", {"answer": answer})
                return f"{task} done"
            journal.note(OURS, why)
            await journal.flush()
            await hand_in("fail_work", {"reason": why[:REASON_MAX]})
            return f"{task}: {why}"

    async def _done(self, work: Work, task: str, told: Mapping[str, object]) -> dict[str, object]:
        if task != INIT:
            message = f"This worker cannot do {task!r}: of the workspace's tasks it knows {INIT}."
            raise NoWorkspace(message)
        project = _mapping(told, "project")
        origin = Origin(str(project.get("repository", "")), str(project.get("base_branch", "")))
        async with asyncio.timeout(float(str(told["deadline_s"]))):
            made = await make_workspace(self._room, work.unit, origin)
            try:
                listing = await listing_of(made.folder, made.base_commit)
            except GitFailed as failed:
                message = f"The files of the working tree cannot be listed: {failed.message}"
                raise NoWorkspace(message) from failed
        _check_free(listing)
        return {"branch": made.branch, "base_commit": made.base_commit, "listing": listing}


def by_role(asking: Runner, hands: Runner) -> Runner:
    """Return who runs assignments: hands what is asked of the workspace, a model all else.

    So a worker for everybody can ask for whatever comes next, and need not ask role by role.
    """

    async def run(work: Work, hand_in: HandIn) -> str:
        role = _mapping(work.told, "task").get("role")
        return await (hands if role == WORKSPACE else asking)(work, hand_in)

    return run


def _check_free(listing: Mapping[str, object]) -> None:
    """Raise where a repository has what would be overwritten, and committed, as ours."""
    files = cast("list[str]", listing["files"])
    if any(path.partition("/")[0] == FOLDER for path in files):
        message = (
            f"The repository keeps something in {FOLDER}, where documents of tickets are put into"
            " their working trees. Move it elsewhere, and retry."
        )
        raise NoWorkspace(message)


def _short(answer: Mapping[str, object]) -> str:
    """Tell an answer in a line: of what is listed only how much it is."""
    files = _mapping(answer, "listing").get("files")
    told = {name: said for name, said in answer.items() if name != "listing"}
    return f"{told}, {len(files) if isinstance(files, list) else 0:,} files"


def _mapping(told: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = told.get(name)
    return found if isinstance(found, Mapping) else {}
