"""Pictures of every page, to be looked at: ``make shots`` puts them into ``build/shots``.

Light, dark, and as a phone shows it, with something on every page and without.
"""

import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.browser.chrome import Chrome
from tests.browser.desk import DESKTOP, PHONE, Desk, Options
from tests.browser.furnish import empty, furnished
from tests.browser.pages import places
from tests.browser.room import tickets
from tests.browser.serving import Up

FOLDER: Final = Path(__file__).parents[2] / "build" / "shots"
ALBUM_S: Final = 900
"""How long all pictures may take on a machine that has other work."""

LOOKS: Final[dict[str, Options]] = {
    "light": DESKTOP,
    "dark": {**DESKTOP, "color_scheme": "dark"},
    "phone": {**PHONE, "device_scale_factor": 1},
}


async def shoot(chrome: Chrome, *, is_empty: bool) -> list[Path]:
    """Take the pictures; return where they are."""
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        async with Up(Path(folder)) as server:
            desk = Desk(chrome, server)
            names = await empty(desk)
            if not is_empty:
                # Tickets first: whoever asks for work gets the oldest.
                names = await tickets(desk) | await furnished(desk)
            for look, options in LOOKS.items():
                inside = await desk.owner(look=options)
                outside = await (await desk.browser(options)).new_page()
                for place in places(names):
                    page = inside if place.is_inside else outside
                    await page.goto(place.address)
                    name = f"{place.name}{'-empty' if is_empty else ''}-{look}.png"
                    await page.screenshot(path=FOLDER / name, full_page=True)
                    taken.append(FOLDER / name)
            for context in desk.contexts:
                await context.close()
    return taken


def main() -> None:
    """Take pictures of every page."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    chrome = Chrome()
    try:
        taken = [
            *chrome.play(shoot(chrome, is_empty=False), ALBUM_S),
            *chrome.play(shoot(chrome, is_empty=True), ALBUM_S),
        ]
    finally:
        chrome.close()
    sys.stdout.write(f"{len(taken)} pictures in {FOLDER}\n")


if __name__ == "__main__":
    main()
