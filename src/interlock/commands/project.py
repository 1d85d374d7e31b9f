"""Commands about projects: where the code of tickets lies, and the council that plans them."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, cast

from interlock.commands.row import AnyCommand, Call, Command, done
from interlock.service import projects
from interlock.service.errors import InvalidInput
from interlock.service.order import Reply
from interlock.ticketing.prompt import Prompt, replaced
from interlock.wire.project import (
    ArchiveProject,
    CreateProject,
    EditProject,
    ListProjects,
    Member,
    ProjectRef,
)

TOOLSET: Final = "ticket"
SECRET: Final = "webhook_secret"  # noqa: S105  the name of a setting
PLACE: Final = frozenset({"name", "repository", "base_branch"})
SETTINGS: Final = frozenset({"members", "limits", "prompts", "forge"})


async def create_project(call: Call, asked: CreateProject) -> Reply:
    """Make a project."""
    _check(asked.members, asked.limits.quorum)
    replaced(asked.prompts)
    place = projects.Place(asked.name, asked.repository, asked.base_branch)
    settings = asked.model_dump(mode="json", include=set(SETTINGS))
    if asked.webhook_secret is not None:
        settings[SECRET] = asked.webhook_secret
    made = await projects.create_project(call.engine, call.caller, place, settings)
    return done(told(made), "Call create_ticket with project_id to begin something in it.")


async def edit_project(call: Call, asked: EditProject) -> Reply:
    """Change a project."""
    given = asked.model_dump(mode="json", exclude_none=True)
    place = {name: str(given[name]) for name in given if name in PLACE}
    settings = {name: given[name] for name in given if name in (*SETTINGS, SECRET)}
    if not place and not settings:
        message = "edit_project changes nothing."
        raise InvalidInput(message, fix=f"Send one of {', '.join(sorted(PLACE | SETTINGS))}.")
    before = await projects.read_project(call.engine, call.tenant, asked.project_id)
    _check_both(asked, before)
    replaced(asked.prompts or {})
    changed = await projects.change_project(
        call.engine, call.caller, asked.project_id, place, settings
    )
    return done(told(changed), "Tickets that were started go on with what they had.")


def _check_both(asked: EditProject, before: projects.Project) -> None:
    """Raise where members and quorum do not fit once what is left out stays."""
    known = {name: before.settings[name] for name in SETTINGS if name in before.settings}
    kept = CreateProject.model_validate({"name": "-", "repository": "-", **known})
    limits = asked.limits or kept.limits
    _check(asked.members or kept.members, limits.quorum)


def _check(members: tuple[Member, ...], quorum: int | None) -> None:
    twice = [name for name, count in Counter(one.name for one in members).items() if count > 1]
    if twice:
        message = f"Several members are called {twice[0]!r}."
        raise InvalidInput(message, fix="Give each member a name of its own.")
    if quorum is not None and quorum > len(members):
        message = f"The quorum is {quorum}, and there are {len(members)} members."
        raise InvalidInput(message, fix="Ask for fewer answers, or add members.")


async def archive_project(call: Call, asked: ArchiveProject) -> Reply:
    """Put a project away."""
    return done(told(await projects.archive_project(call.engine, call.caller, asked.project_id)))


async def get_project(call: Call, asked: ProjectRef) -> Reply:
    """Read a project."""
    return done(told(await projects.read_project(call.engine, call.tenant, asked.project_id)))


async def list_projects(call: Call, asked: ListProjects) -> Reply:
    """List projects."""
    found = await projects.list_projects(
        call.engine, call.tenant, with_archived=asked.include_archived
    )
    action = "" if found else "Make one with create_project."
    return done({"projects": [told(one) for one in found]}, action)


async def list_prompts(call: Call, asked: ProjectRef) -> Reply:
    """List what the members of a project are told, task by task."""
    project = await projects.read_project(call.engine, call.tenant, asked.project_id)
    own = cast("Mapping[str, object]", project.settings["prompts"])
    found = [_prompt(one) for one in replaced(own).values()]
    return done({"prompts": found}, "Call edit_project with prompts to put texts of yours there.")


def _prompt(one: Prompt) -> Reply:
    return one.used._asdict() | {"placeholders": sorted(one.placeholders), "text": one.text}


def told(project: projects.Project) -> Reply:
    """Tell a project."""
    row = project.row
    data: Reply = {
        "project_id": row.id, "name": row.name, "repository": row.repository,
        "base_branch": row.base_branch, "version": row.version, "created_by": row.created_by,
        "created_at": row.created_at, "changed_at": row.changed_at,
    }  # fmt: skip
    data |= {name: project.settings[name] for name in sorted(SETTINGS & set(project.settings))}
    # That there is a secret may be known; what it is, by nobody any more.
    data["has_webhook_secret"] = bool(project.settings.get(SECRET))
    return data if row.archived_at is None else data | {"archived_at": row.archived_at}


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("create_project", CreateProject, create_project, "decide", TOOLSET, words="project create", adds_only=True,
            http="POST /projects",
            doc="Make a project: a repository, its base branch, and the council that plans its tickets."),
    Command("edit_project", EditProject, edit_project, "decide", TOOLSET, words="project edit",
            http="POST /projects/{project_id}/changes",
            doc="Change a project; tickets that were started go on with what they had."),
    Command("archive_project", ArchiveProject, archive_project, "decide", TOOLSET, words="project archive",
            http="POST /projects/{project_id}/archive",
            doc="Put a project away, so that no ticket can be begun in it any more."),
    Command("get_project", ProjectRef, get_project, "read", TOOLSET, words="project show",
            http="GET /projects/{project_id}",
            doc="A project: its repository, its council and its limits."),
    Command("list_projects", ListProjects, list_projects, "read", TOOLSET, words="project list",
            http="GET /projects",
            doc="The projects there are, the oldest first."),
    Command("list_prompts", ProjectRef, list_prompts, "read", TOOLSET, words="project prompts", weight=2,
            http="GET /projects/{project_id}/prompts",
            doc="The prompts of a project, ours or its own: name, version, digest, placeholders and text."),
)
# fmt: on
