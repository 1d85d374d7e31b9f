"""The page of all errors and refusals, as Markdown, from the classes and the guards themselves.

Every module of the package is loaded first: a class nobody has loaded has no subclasses to show.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import interlock
from interlock.errors import InterlockError
from interlock.kernel.refusal import Refusal
from interlock.kernel.rules import Guard
from interlock.kernel.workflow import Workflow
from tools.error_sites import Site, sites
from tools.machine_page import NOTICE, code, table

BUILT_IN: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "NOT_ALLOWED": (
            "The event exists, but not for this kind of actor.",
            "Ask one of those that the reply names.",
        ),
        "UNKNOWN_EVENT": (
            "The workflow has no such event.",
            "Send one of those that the reply lists.",
        ),
        "WRONG_KIND": (
            "The event exists, but it is about another kind of thing than was named.",
            "Name a part of the kind that the reply names, or none where it is about the unit.",
        ),
    }
)
"""Refusals that no guard spells out: ``decide`` itself says them."""

NO_MESSAGE: Final = "Says which test did not hold, and where the unit and the part stand."
NO_FIX: Final = "Lists what is legal now."
SAYS: Final = "The answer says it."
REFUSED: Final = "The rules say no; nothing changed."


class Told(NamedTuple):
    """Everything that is told of one code."""

    http: int
    retryable: bool
    meaning: str
    raised_as: str = ""
    rows: tuple[tuple[str, str, str], ...] = ()


def error_page(workflows: Mapping[str, Workflow]) -> str:
    """Return the page of errors."""
    told = codes(workflows)
    lines = [NOTICE, "", "# Errors", ""]
    lines += ["Every answer that is not what was asked for has a code that stays the same, a"]
    lines += ["message that says what is wrong, and a fix that says what to do next. `retry` says"]
    lines += ["whether the same call may succeed later without being changed. Three dots stand for"]
    lines += ["what differs from case to case.", ""]
    lines += table(("code", "HTTP", "retry", "meaning"), map(_glance, told, told.values()))
    for name, one in told.items():
        lines += [f"## `{name}`", "", *_section(one)]
    return "\n".join(lines).rstrip() + "\n"


def _glance(name: str, told: Told) -> tuple[str, ...]:
    retry = "yes" if told.retryable else "no"
    return f"[`{name}`](#{name.lower()})", str(told.http), retry, told.meaning


def _section(told: Told) -> Iterator[str]:
    yield told.meaning
    again = "may succeed later" if told.retryable else "fails again until something has changed"
    yield f"HTTP {told.http}; the same call {again}."
    if told.raised_as:
        yield f"Raised as `{told.raised_as}`."
    yield ""
    if told.rows:
        yield from table(("what is wrong", "what to do", "comes from"), told.rows)


def codes(workflows: Mapping[str, Workflow]) -> dict[str, Told]:
    """Return every code that somebody can get to see, with all that is known of it."""
    found: dict[str, Told] = {}
    places = _sites()
    for error in sorted(set(_subclasses(InterlockError)), key=_path):
        meaning = (error.__doc__ or "").strip().splitlines()[0]
        rows = tuple((s.message or SAYS, s.fix or SAYS, s.where) for s in places[error])
        found[error.code] = Told(error.http, error.retryable, meaning, _path(error), rows)
    for name, message, fix, where in _refusals(workflows):
        first = REFUSED if message == NO_MESSAGE else message
        begun = found.get(name) or Told(Refusal.http, Refusal.retryable, first)
        found[name] = begun._replace(rows=(*begun.rows, (message, fix, where)))
    return dict(sorted(found.items()))


def _path(error: type[InterlockError]) -> str:
    return f"{error.__module__}.{error.__qualname__}"


def _sites() -> dict[type[InterlockError], list[Site]]:
    """Return where each class is raised; of two with one name, the nearer one is meant."""
    found: dict[type[InterlockError], list[Site]] = {
        error: [] for error in _subclasses(InterlockError)
    }
    for site in _raised():
        named = [error for error in found if error.__name__ == site.error]
        if named and (site.message or site.fix):
            found[max(named, key=lambda one: _shared(one, site))].append(site)
    return found


@cache
def _raised() -> list[Site]:
    """Read the package once: it does not change while it runs."""
    return sites(Path(interlock.__file__).parent)


def _shared(error: type[InterlockError], site: Site) -> int:
    """Return how near the two modules are: how many parts of their names they begin with alike."""
    names = zip(error.__module__.split("."), f"interlock.{site.where}".split("."), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], names)))


@cache
def _load_all() -> None:
    for module in pkgutil.walk_packages(interlock.__path__, "interlock."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


def _subclasses(error: type[InterlockError]) -> Iterator[type[InterlockError]]:
    _load_all()
    waiting = [error]
    while waiting:
        one = waiting.pop()
        # Tests may define errors of their own; they are nobody's API.
        if one.__module__.split(".")[0] == interlock.__name__:
            yield one
        waiting += one.__subclasses__()


def _refusals(workflows: Mapping[str, Workflow]) -> Iterator[tuple[str, ...]]:
    places: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for name, (message, fix) in BUILT_IN.items():
        places[name, message, fix] = {"every workflow": ["every event"]}
    for flow, guard, event in _guards(workflows):
        known = (guard.code, guard.message or NO_MESSAGE, guard.fix or NO_FIX)
        events = places.setdefault(known, {}).setdefault(flow, [])
        if event not in events:
            events.append(event)
    for (name, message, fix), flows in sorted(places.items()):
        where = "\n".join(f"{flow}: {code(events)}" for flow, events in sorted(flows.items()))
        yield name, message, fix, where.replace("`every event`", "every event")


def _guards(workflows: Mapping[str, Workflow]) -> Iterator[tuple[str, Guard, str]]:
    for name, flow in workflows.items():
        for rule in flow.rules:
            yield from ((name, guard, rule.event) for guard in rule.guards)
        for machine in flow.machines():
            for edge in machine.edges:
                yield from ((name, guard, f"{machine.name} {edge.on}") for guard in edge.guards)
