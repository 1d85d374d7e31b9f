"""The page of all errors and refusals, as Markdown, from the classes and the guards themselves.

Every module of the package is loaded first: a class nobody has loaded has no subclasses to show.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

import interlock
from interlock.errors import InterlockError
from interlock.kernel.refusal import Refusal
from interlock.kernel.rules import Guard
from interlock.kernel.workflow import Workflow
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


def error_page(workflows: Mapping[str, Workflow]) -> str:
    """Return the page of errors."""
    lines = [NOTICE, "", "# Errors", ""]
    lines += ["Every answer that is not what was asked for has a code that stays the same, a"]
    lines += ["message that says what is wrong, and a fix that says what to do next. `retry` says"]
    lines += ["whether the same call may succeed later without being changed.", ""]
    lines += ["## Errors of the program", ""]
    lines += table(("code", "HTTP", "retry", "meaning", "raised as"), _errors())
    lines += ["## Refusals", ""]
    lines += [f"The rules said no, and nothing changed. HTTP {Refusal.http}; the same call will be"]
    lines += ["refused again until something else has changed.", ""]
    lines += table(("code", "message", "fix", "comes from"), _refusals(workflows))
    return "\n".join(lines).rstrip() + "\n"


def _errors() -> Iterator[tuple[str, ...]]:
    for error in sorted(set(_subclasses(InterlockError)), key=lambda one: (one.code, one.__name__)):
        meaning = (error.__doc__ or "").strip().splitlines()[0]
        retry = "yes" if error.retryable else "no"
        where = f"`{error.__module__}.{error.__qualname__}`"
        yield f"`{error.code}`", str(error.http), retry, meaning, where


def _subclasses(error: type[InterlockError]) -> Iterator[type[InterlockError]]:
    for module in pkgutil.walk_packages(interlock.__path__, "interlock."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
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
        yield f"`{name}`", message, fix, where.replace("`every event`", "every event")


def _guards(workflows: Mapping[str, Workflow]) -> Iterator[tuple[str, Guard, str]]:
    for name, flow in workflows.items():
        for rule in flow.rules:
            yield from ((name, guard, rule.event) for guard in rule.guards)
        for machine in flow.machines():
            for edge in machine.edges:
                yield from ((name, guard, f"{machine.name} {edge.on}") for guard in edge.guards)
