"""Projects: make, read, change and archive them. Who calls is a person; agents read.

What a project is set to is checked where commands are read, and is opaque here. An address with
a password in it is refused: what is kept here is shown to everybody of the tenant.
"""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple, cast
from urllib.parse import urlsplit

from interlock.service.access import require
from interlock.service.acts import act_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import Conflict, InvalidInput, NotFound
from interlock.service.roles import require_person
from interlock.store.projects import ProjectRow
from interlock.store.rows import dump

PROJECTS_MAX: Final = 1_000
PREFIX: Final = "project"


class Project(NamedTuple):
    """A project with what it is set to."""

    row: ProjectRow
    settings: Mapping[str, object]


class Place(NamedTuple):
    """What a project is called, and where its code lies."""

    name: str
    repository: str
    base_branch: str


def _may_change(caller: Principal) -> None:
    require(caller, "decide", "Changing projects")
    require_person(caller, "Changing projects")


async def create_project(
    engine: Engine, caller: Principal, place: Place, settings: Mapping[str, object]
) -> Project:
    """Make a project."""
    _may_change(caller)
    _check(place)
    if len(await engine.store.projects.all(caller.tenant)) >= PROJECTS_MAX:
        message = f"There are {PROJECTS_MAX:,} projects already."
        raise InvalidInput(message, fix="Use one that is there.")
    now = engine.store.now()
    row = ProjectRow(
        engine.clock.new_id(PREFIX), *place, dump(dict(settings)), 1, caller.id, now, now
    )
    act = act_of(engine, caller, "project_made", row.id, place._asdict())
    await engine.store.projects.add(caller.tenant, row, act)
    return Project(row, settings)


async def read_project(engine: Engine, tenant: str, name: str) -> Project:
    """Read a project; raises ``NotFound``."""
    row = await engine.store.projects.find(tenant, name)
    if row is None:
        raise NotFound(name)
    return _told(row)


async def list_projects(
    engine: Engine, tenant: str, *, with_archived: bool = False
) -> tuple[Project, ...]:
    """List projects, the oldest first."""
    rows = await engine.store.projects.all(tenant)
    return tuple(_told(row) for row in rows if with_archived or row.archived_at is None)


async def change_project(
    engine: Engine,
    caller: Principal,
    name: str,
    place: Mapping[str, str],
    settings: Mapping[str, object],
) -> Project:
    """Change a project; what is not named stays."""
    _may_change(caller)
    before = await read_project(engine, caller.tenant, name)
    old = Place(before.row.name, before.row.repository, before.row.base_branch)
    new = old._replace(**place)
    _check(new)
    told = dump({**before.settings, **settings})
    after = before.row._replace(
        name=new.name, repository=new.repository, base_branch=new.base_branch, settings=told
    )
    return await _write(engine, caller, before.row, after, "project_changed")


async def archive_project(engine: Engine, caller: Principal, name: str) -> Project:
    """Put a project away; once more changes nothing."""
    _may_change(caller)
    before = await read_project(engine, caller.tenant, name)
    if before.row.archived_at is not None:
        return before
    after = before.row._replace(archived_at=engine.store.now())
    return await _write(engine, caller, before.row, after, "project_archived")


async def _write(
    engine: Engine, caller: Principal, before: ProjectRow, after: ProjectRow, act: str
) -> Project:
    row = after._replace(version=before.version + 1, changed_at=engine.store.now())
    names = (name for name in ProjectRow._fields if name not in ("version", "changed_at"))
    changed = [name for name in names if getattr(row, name) != getattr(before, name)]
    noted = act_of(engine, caller, act, row.id, {"changed": changed, "version": row.version})
    if not await engine.store.projects.change(caller.tenant, row, before.version, noted):
        message = "Somebody else has just changed the project; nothing was applied."
        raise Conflict(message, fix="Read it again, then change what is to be changed.")
    return _told(row)


def _told(row: ProjectRow) -> Project:
    return Project(row, cast("dict[str, object]", json.loads(row.settings)))


def _check(place: Place) -> None:
    """Raise where an address would show a secret, or could be taken for an option of git."""
    address = place.repository
    if address.startswith("-") or any(ord(letter) < ord(" ") for letter in address):
        message = "The repository is no path or address."
        raise InvalidInput(message, fix="Name a folder, or an address that git can clone.")
    try:
        has_secret = bool(urlsplit(address).password)
    except ValueError:
        has_secret = False
    if has_secret:
        message = "The address of the repository has a password in it."
        fix = "Leave it out; let git on the worker's machine know it (a credential helper, a key)."
        raise InvalidInput(message, fix=fix)
