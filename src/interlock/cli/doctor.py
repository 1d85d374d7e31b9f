"""``interlock doctor``: is everything as it must be, and if not, what to do."""

import platform
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape

import interlock
from interlock.app import App
from interlock.cli.local import settings, with_app
from interlock.cli.screen import print_json, print_lines
from interlock.store.port import Health

DRIFT_MAX_MS: Final = 2_000
ROOM_MIN: Final = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. ``fix`` says what to do where it is not well."""

    name: str
    found: str
    is_well: bool = True
    fix: str = ""


def doctor(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Look at versions, durability, disk and clock, and say what to do; exit 1 if anything is."""

    async def work(app: App) -> list[Check]:
        return list(_checks(app, await app.engine.store.health()))

    checks = [*_surroundings(context), *with_app(context, work), *_toolsets()]
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    else:
        print_lines(shown(check) for check in checks)
    raise typer.Exit(0 if all(check.is_well for check in checks) else 1)


def shown(check: Check) -> str:
    """Return a check as it is printed."""
    mark = "[green]✓[/green]" if check.is_well else "[red]✕[/red]"
    line = f"{mark} {check.name:<12} {escape(check.found)}"
    return f"{line}\n  [dim]{escape(check.fix)}[/dim]" if check.fix else line


def _surroundings(context: typer.Context) -> Iterator[Check]:
    found = settings(context)
    yield Check("interlock", f"{interlock.__version__}, Python {platform.python_version()}")
    yield Check("database", found.database_shown)


def _checks(app: App, health: Health) -> Iterator[Check]:
    yield Check("engine", f"{health.dialect} {health.version}, schema {health.schema}")
    facts = ", ".join(f"{name} {value}" for name, value in health.facts.items() if name != "file")
    is_durable = health.durability == "full"
    fix = "" if is_durable else "Acknowledged work may be lost: switch on what is off."
    yield Check("durability", f"{health.durability} ({facts})", is_durable, fix)
    yield Check("incarnation", health.incarnation)
    if not app.settings.database:
        yield disk(app.settings.data)
    drift = app.clock.drift()
    is_steady = abs(drift) <= DRIFT_MAX_MS
    told = f"the wall clock is {drift:+d} ms from where it was when we started counting"
    yield Check("clock", told, is_steady, "" if is_steady else "Start again once it is right.")


def _toolsets() -> Iterator[Check]:
    # Loading the doors takes longer than most commands do.
    from interlock.doors.mcp.cost import CHARACTERS, TOKENS_MAX, tokens  # noqa: PLC0415 (as said)
    from interlock.doors.mcp.tools import toolsets  # noqa: PLC0415 (same)

    costs = ", ".join(f"{name} {tokens(name):,}" for name in toolsets())
    is_small = tokens(toolsets()[0]) <= TOKENS_MAX
    told = f"{costs} tokens (characters / {CHARACTERS})"
    fix = f"The first may cost at most {TOKENS_MAX:,}: shorten what its tools say."
    yield Check("toolsets", told, is_small, "" if is_small else fix)


def disk(data: Path) -> Check:
    """Look how much room there is in a folder."""
    free = shutil.disk_usage(data).free
    has_room = free >= ROOM_MIN
    told = f"{free / 2**30:.1f} GiB free in {data}"
    return Check("disk", told, has_room, "" if has_room else "Make room, or move the data folder.")
