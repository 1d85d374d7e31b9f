"""Projects: where the code of tickets lies, the council that plans them, limits and prompts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from pydantic.fields import FieldInfo
from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.csrf import Form
from interlock.doors.web.guest import Data, Guest, behind_login, rows
from interlock.doors.web.outline import title
from interlock.doors.web.page import Told
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.ticketing.prompt import prompts
from interlock.wire.envelope import Shape
from interlock.wire.project import Limits

PATH: Final = "/projects"
ONE: Final = PATH + "/{project}"
PLACE: Final = ("name", "repository", "base_branch")
SECRET: Final = "webhook_secret"  # noqa: S105  the name of a field
BESIDE: Final = (*PLACE, SECRET)
"""What a mistake is told beside."""

MEMBERS_MAX: Final = 10
BLANK: Final = 2
"""How many empty lines for members a form has beside those that are filled in."""

FIRST: Final = 3
MEMBER: Final = ("name", "agent", "model")
LIMIT: Final = "limit-"
PROMPT: Final = "prompt-"
NEW: Final[Form] = {"base_branch": "main"}


class Limit(NamedTuple):
    """A number that can be set."""

    name: str
    label: str
    hint: str
    value: str
    usual: str


@dataclass(frozen=True, slots=True)
class Projects:
    """The pages about projects."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, PATH, self.show_all),
            behind_login(self.engine, PATH, self.create, "POST"),
            behind_login(self.engine, ONE, self.show),
            behind_login(self.engine, ONE, self.edit, "POST"),
            behind_login(self.engine, ONE + "/archive", self.archive, "POST", PATH),
        ]

    async def show_all(self, guest: Guest) -> Response:
        """List the projects, with the form for another one."""
        return await self._all(guest, NEW)

    async def create(self, guest: Guest) -> Response:
        """Make a project, and show it."""
        form = await guest.form(is_large=True)
        try:
            made = await guest.send("create_project", said(form))
        except InterlockError as error:
            told = Told.beside(error, BESIDE, "")
            return await self._all(guest, form, told, error.http)
        return guest.go(f"{PATH}/{made['project_id']}")

    async def show(self, guest: Guest) -> Response:
        """Show a project, to be changed."""
        return await self._one(guest)

    async def edit(self, guest: Guest) -> Response:
        """Change a project; tickets that were started keep what they had."""
        form = await guest.form(is_large=True)
        name = guest.request.path_params["project"]
        try:
            await guest.send("edit_project", {"project_id": name, **said(form)})
        except InterlockError as error:
            return await self._one(guest, form, Told.beside(error, BESIDE, ""), error.http)
        return guest.go(f"{PATH}/{name}")

    async def archive(self, guest: Guest) -> Response:
        """Put a project away."""
        await guest.form()
        name = guest.request.path_params["project"]
        try:
            await guest.call("archive_project", project_id=name)
        except InterlockError as error:
            return await self._one(guest, None, Told.of(error), error.http)
        return guest.go(PATH)

    async def _all(
        self, guest: Guest, form: Form, told: Told | None = None, status: int = 200
    ) -> Response:
        found = rows(await guest.call("list_projects", include_archived=True), "projects")
        return await guest.page(
            "projects.html", place="projects", status=status, told=told,
            projects=[one for one in found if not one.get("archived_at")],
            archived=[one for one in found if one.get("archived_at")], **_fields(form),
        )  # fmt: skip

    async def _one(
        self, guest: Guest, form: Form | None = None, told: Told | None = None, status: int = 200
    ) -> Response:
        project = await guest.call("get_project", project_id=guest.request.path_params["project"])
        return await guest.page(
            "project.html", place="projects", status=status, told=told, project=project,
            **_fields(form if form is not None else form_of(project)),
        )  # fmt: skip


def form_of(project: Data) -> Form:
    """Return a project as a form has it filled in."""
    form = {name: str(project[name]) for name in PLACE}
    for number, member in enumerate(cast("Sequence[Mapping[str, str]]", project["members"])):
        form |= {f"member-{number}-{name}": member.get(name, "") for name in MEMBER}
    form["forge"] = str(cast("Mapping[str, str]", project.get("forge") or {}).get("kind", ""))
    limits = dict(_flat(cast("Mapping[str, object]", project["limits"])))
    form |= {LIMIT + name: str(value) for name, value in limits.items() if value is not None}
    texts = cast("Mapping[str, str]", project["prompts"])
    return form | {PROMPT + name: text for name, text in texts.items()}


def _flat(limits: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield limits by their names; those of one that has several by both."""
    for name, value in limits.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", one) for inner, one in value.items())
        else:
            yield name, value


def _deep(limits: Mapping[str, object]) -> dict[str, object]:
    """Return limits as a command takes them."""
    found: dict[str, object] = {}
    for name, value in limits.items():
        outer, _, inner = name.partition(".")
        if inner:
            known = cast("dict[str, object]", found.setdefault(outer, {}))
            known[inner] = value
        else:
            found[name] = value
    return found


def said(form: Form) -> dict[str, object]:
    """Return what a form says, as a command takes it; a line without a name is no member."""
    secret, forge = form.get(SECRET, "").strip(), form.get("forge", "")
    return {
        **{name: form.get(name, "").strip() for name in PLACE},
        **({SECRET: secret} if secret else {}),
        **({"forge": {"kind": forge}} if forge else {}),
        "members": list(_members(form)),
        "limits": _deep(
            {
                name.removeprefix(LIMIT): _number(text)
                for name, text in form.items()
                if name.startswith(LIMIT) and text.strip()
            }
        ),
        "prompts": {
            name.removeprefix(PROMPT): text.replace("\r\n", "\n")
            for name, text in form.items()
            if name.startswith(PROMPT) and text.strip()
        },
    }


def _number(text: str) -> object:
    """Return a number; what is none is for the command to refuse."""
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdecimal() else plain


def _members(form: Form) -> Iterator[dict[str, str]]:
    for number in range(MEMBERS_MAX):
        member = {name: form.get(f"member-{number}-{name}", "").strip() for name in MEMBER}
        if any(member.values()):
            yield member


def _fields(form: Form) -> dict[str, object]:
    """Return what the form of a project is made from."""
    filled = [n for n in range(MEMBERS_MAX) if form.get(f"member-{n}-name")]
    lines = min(MEMBERS_MAX, max(FIRST, (max(filled) + 1 if filled else 0) + BLANK))
    limits = [
        Limit(
            LIMIT + name, title(name.replace(".", " ")), info.description or "",
            form.get(LIMIT + name, ""),
            "" if info.is_required() or info.default is None else str(info.default),
        )
        for name, info in _settable(Limits)
    ]  # fmt: skip
    texts = [(PROMPT + name, name, one.text) for name, one in prompts().items()]
    return {"form": form, "lines": range(lines), "limits": limits, "prompts": texts}


def _settable(shape: type[Shape]) -> Iterator[tuple[str, FieldInfo]]:
    """Yield what can be set, by name; of what has several its own."""
    for name, info in shape.model_fields.items():
        inner = info.annotation
        if isinstance(inner, type) and issubclass(inner, Shape):
            yield from ((f"{name}.{one}", own) for one, own in inner.model_fields.items())
        else:
            yield name, info
