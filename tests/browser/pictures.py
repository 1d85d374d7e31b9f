"""The pictures of the README: ``make pictures`` renders them from the demo's own data.

The demo runs to its end in a folder of its own; then its plan is worked once more and left where
it waits for a person, so that there is something to decide.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from interlock.cli.demo import plan as demo
from tests.browser.chrome import Chrome
from tests.browser.desk import DESKTOP, Desk
from tests.browser.serving import Up
from tests.doors.mcp.clients import command, environment

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures"
BYTES_MAX: Final = 200_000


async def leave_waiting(folder: Path) -> str:
    """Work the demo's plan up to its second review; return its id."""
    async with demo._desk(folder) as desk:
        async with desk.session("laptop") as laptop, desk.session("desktop") as desktop:
            await demo._begin(desk, laptop)
            await demo._fall_silent(desk, laptop, desktop)
            await demo._give_up(desk, desktop)
            for result, summary in (demo.COMPARED, ({"gaps": 1}, "the running costs are missing")):
                await demo._claim(desk, desktop)
                await demo._submit(desk, desktop, result, summary)
            await demo._claim(desk, desktop)
            await demo._ask(desk, desktop, demo.DRAFT)
            await demo._decide(desk, "modify", "add the running costs")
            await demo._claim(desk, desktop)
            await demo._ask(desk, desktop, demo.COMPLETE)
        return desk.plan


async def render(chrome: Chrome, folder: Path) -> list[Path]:
    """Take the pictures; return where they are."""
    plan = await leave_waiting(folder)
    taken = []
    async with Up(folder) as server:
        desk = Desk(chrome, server)
        page = await desk.owner(look=DESKTOP)
        gate = await page.locator("#gates [data-row]").first.get_attribute("href")
        addresses = {"inbox": "/", "gate": str(gate), "plan": f"/units/{plan}", "board": "/board"}
        for name, address in addresses.items():
            await page.goto(address)
            taken.append(FOLDER / f"{name}.png")
            await page.screenshot(path=taken[-1])
        await page.emulate_media(color_scheme="dark")
        await page.goto(addresses["plan"])
        taken.append(FOLDER / "plan-dark.png")
        await page.screenshot(path=taken[-1])
        await page.context.close()
    return taken


def main() -> None:
    """Run the demo, and take the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    chrome = Chrome()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "demo"
            subprocess.run(command(folder, "demo"), env=environment(), check=True)
            taken = chrome.play(render(chrome, folder))
    finally:
        chrome.close()
    for one in taken:
        size = one.stat().st_size
        sys.stdout.write(f"{one.relative_to(FOLDER.parents[1])}  {size:,} bytes\n")
        if size > BYTES_MAX:
            sys.exit(f"{one.name} is larger than {BYTES_MAX:,} bytes")


if __name__ == "__main__":
    main()
