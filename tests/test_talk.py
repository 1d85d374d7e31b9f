"""One client over standard input: what it is offered, and what is not loaded for it."""

import asyncio
import subprocess
import sys
from pathlib import Path

from interlock.app import open_app
from interlock.config import Settings
from interlock.talk import desk

LOADED = "import sys, interlock.talk; print(*sys.modules)"
ONLY_HTTP = (
    "interlock.doors.web",
    "interlock.doors.rest",
    "interlock.site",
    "jinja2",
    "markdown_it",
)


def test_a_desk_offers_a_toolset_and_says_how_durable_things_are(tmp_path: Path) -> None:
    async def ask() -> None:
        async with open_app(Settings(tmp_path)) as app:
            found = desk(app, "work")
            assert (found.toolset.name, found.durability(), found.caller) == ("work", "full", None)
            assert found.calls is app.calls

    asyncio.run(ask())


def test_nothing_is_loaded_that_only_http_needs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, check=True, text=True
    )
    loaded = done.stdout.split()

    assert "interlock.doors.mcp.stdio" in loaded
    assert [name for name in loaded if name.startswith(ONLY_HTTP)] == []
