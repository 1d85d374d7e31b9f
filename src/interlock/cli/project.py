"""``interlock project``: where the code of tickets lies, and the council that plans them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from interlock.cli.local import Json, call, plain, show
from interlock.cli.steer import document_of
from interlock.service.errors import InvalidInput

app = typer.Typer(
    name="project", help="Projects: a repository, and a council for it.", no_args_is_help=True
)

Project = Annotated[str, typer.Argument(help="The project's id.")]
File = Annotated[
    Path | None,
    typer.Argument(help="The project as create_project takes it: YAML or JSON."),
]
Name = Annotated[str | None, typer.Option("--name", help="What it is called.")]
Repository = Annotated[
    str | None, typer.Option("--repository", "-r", help="A path or an address that git can clone.")
]
Branch = Annotated[str | None, typer.Option("--branch", "-b", help="What tickets begin from.")]
Members = Annotated[
    list[str] | None,
    typer.Option(
        "--member", help="NAME=AGENT or NAME=AGENT:MODEL; the first is the main implementer."
    ),
]
Told = Mapping[str, object]
SHOWN: Final = ("quorum", "round_s", "structured_retries", "questions_max", "follow_up_percent")


@app.command("create")
def create(
    context: typer.Context,
    file: File = None,
    name: Name = None,
    repository: Repository = None,
    branch: Branch = None,
    member: Members = None,
    as_json: Json = False,
) -> None:
    """Make a project from a file or from options."""
    told = _given(file, name, repository, branch, member)
    answer = call(context, "create_project", told)
    lines = [f"[green]✓[/green] {plain(answer.data['project_id'])}", *_project(answer.data)]
    show(answer, lines, as_json=as_json)


@app.command("edit")
def edit(
    context: typer.Context,
    project: Project,
    file: File = None,
    name: Name = None,
    repository: Repository = None,
    branch: Branch = None,
    member: Members = None,
    as_json: Json = False,
) -> None:
    """Change a project; what is not named stays."""
    told = {**_given(file, name, repository, branch, member), "project_id": project}
    answer = call(context, "edit_project", told)
    lines = [f"[green]✓[/green] {plain(project)} is changed", *_project(answer.data)]
    show(answer, lines, as_json=as_json)


def _given(
    file: Path | None,
    name: str | None,
    repository: str | None,
    branch: str | None,
    members: list[str] | None,
) -> dict[str, object]:
    """Return what a file and options say; options come last."""
    told: dict[str, object] = {} if file is None else document_of(file)
    said = {"name": name, "repository": repository, "base_branch": branch}
    told |= {word: value for word, value in said.items() if value is not None}
    return told | ({"members": [_member(one) for one in members]} if members else {})


def _member(text: str) -> Told:
    name, equals, rest = text.partition("=")
    agent, _, model = rest.partition(":")
    if not (name and equals and agent):
        message = f"{text!r} is no member."
        raise InvalidInput(message, fix="Write NAME=AGENT, or NAME=AGENT:MODEL.")
    return {"name": name, "agent": agent, "model": model}


@app.command("list")
def list_projects(
    context: typer.Context,
    is_all: Annotated[bool, typer.Option("--all", help="Also archived ones.")] = False,
    as_json: Json = False,
) -> None:
    """List the projects, the oldest first."""
    answer = call(context, "list_projects", {"include_archived": is_all or None})
    rows = cast("list[Told]", answer.data["projects"])
    lines = [
        f"{row['project_id']}  {plain(row['name'])}  [dim]{plain(row['repository'])}[/dim]"
        f"{'  [yellow]archived[/yellow]' if 'archived_at' in row else ''}"
        for row in rows
    ]
    if not rows:
        lines = ["There is no project yet. Begin: interlock project create FILE"]
    show(answer, lines, as_json=as_json)


@app.command("show")
def show_project(context: typer.Context, project: Project, as_json: Json = False) -> None:
    """Show a project: its repository, its council, its limits."""
    answer = call(context, "get_project", {"project_id": project})
    show(answer, list(_project(answer.data)), as_json=as_json)


@app.command("prompts")
def prompts(
    context: typer.Context,
    project: Project,
    name: Annotated[str | None, typer.Argument(help="Show the text of this one.")] = None,
    as_json: Json = False,
) -> None:
    """List the prompts of a project, or show the text of one."""
    answer = call(context, "list_prompts", {"project_id": project})
    rows = cast("list[Told]", answer.data["prompts"])
    lines = [f"{plain(row['name'])}  [dim]version {plain(row['version'])}[/dim]" for row in rows]
    if name is not None:
        texts = {str(row["name"]): plain(row["text"]) for row in rows}
        if name not in texts:
            message = f"There is no prompt {name!r}."
            raise InvalidInput(message, fix=f"There are {', '.join(texts)}.")
        lines = [texts[name]]
    show(answer, lines, as_json=as_json)


@app.command("archive")
def archive(context: typer.Context, project: Project, as_json: Json = False) -> None:
    """Put a project away: no ticket can be begun in it any more."""
    answer = call(context, "archive_project", {"project_id": project})
    show(answer, [f"[green]✓[/green] {plain(project)} is archived"], as_json=as_json)


def _project(data: Told) -> Iterator[str]:
    away = "  [yellow]archived[/yellow]" if "archived_at" in data else ""
    yield f"[bold]{plain(data['name'])}[/bold]{away}"
    yield f"  {plain(data['repository'])}  [dim]from[/dim] {plain(data['base_branch'])}"
    for place, one in enumerate(cast("list[Told]", data["members"])):
        model = f" ({plain(one['model'])})" if one["model"] else ""
        main = "  [dim]main implementer[/dim]" if place == 0 else ""
        yield f"  {plain(one['name'])}  {plain(one['agent'])}{model}{main}"
    limits = cast("Told", data["limits"])
    said = (f"{name} {limits[name]}" for name in SHOWN if limits.get(name) is not None)
    yield f"  [dim]{'  '.join(said)}[/dim]"
    prompts = cast("Told", data["prompts"])
    if prompts:
        yield f"  [dim]own prompts:[/dim] {plain(', '.join(prompts))}"
