"""axe on every page: light and dark, wide and narrow, with something on it and empty.

Daily the pages are looked at in turn, one light and wide, the next dark and narrow: all are made of
the same pieces; and whether a text can be told from what is behind it is looked at once for all
that are alike, which else takes most of the time. ``--long`` looks at each in every way. No rule is
switched off. The policy of our pages lets no foreign script in, axe included: only for it the
browser is told to pass over the policy.
"""

import json
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page

from tests.browser.desk import DESKTOP, PHONE, Desk, browsed
from tests.browser.furnish import empty, furnished
from tests.browser.pages import FILLED, Place, assert_all_listed, places
from tests.browser.room import tickets

Theme = Literal["light", "dark"]
PASSED_OVER: Final = {"bypass_csp": True}
# Colours do not hang on the width, nor the width on colours: two looks show all four.
LOOKS: Final[tuple[tuple[Theme, Any], ...]] = (
    ("light", DESKTOP["viewport"]),
    ("dark", PHONE["viewport"]),
)
# Even what axe leaves off unless asked (the size of targets, ids that are there twice); only the
# rules of the level AAA stay what they are there: advice.
RUN: Final = """
  const rules = axe.getRules().filter(rule => !rule.tags.includes("wcag2aaa"));
  const values = rules.map(rule => rule.ruleId);
  const only = {runOnly: {type: "rule", values}, resultTypes: ["violations"], selectors: false};
  return (await axe.run(document, only)).violations;
"""

# Alike is what stands within the same elements, of the same classes, in the same colours.
ONCE: Final = """
  const seen = new Set(JSON.parse(sessionStorage.getItem("seen") ?? "[]"));
  const theme = matchMedia("(prefers-color-scheme: dark)").matches;
  for (const one of document.body.querySelectorAll("*")) {
    const {color, backgroundColor, fontSize, fontWeight, opacity} = getComputedStyle(one);
    const look = [theme, color, backgroundColor, fontSize, fontWeight, opacity];
    for (let at = one; at; at = at.parentElement) look.push(at.tagName, at.getAttribute("class"));
    const name = look.join();
    if (seen.has(name)) one.dataset.seen = "";
    seen.add(name);
  }
  sessionStorage.setItem("seen", JSON.stringify([...seen]));
  axe.configure({rules: [{id: "color-contrast", selector: "*:not([data-seen])"}]});
"""


async def found_on(page: Page) -> list[str]:
    """Return what axe has to say about a page as it stands."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    if not Every.look:
        await page.evaluate(f"() => {{{ONCE}}}")
    violations: list[dict[str, Any]] = await page.evaluate(f"async () => {{{RUN}}}")
    return [
        f"{one['id']}: {one['help']}: {json.dumps([node['html'] for node in one['nodes']])[:600]}"
        for one in violations
    ]


class Every:
    """Whether each page is looked at in every way, and not only in its turn."""

    look = False


def looks_at(number: int) -> tuple[tuple[Theme, Any], ...]:
    """Return in which ways the page with a number is looked at."""
    return LOOKS if Every.look else (LOOKS[number % len(LOOKS)],)


@pytest.fixture(autouse=True)
def every_look(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Every, "look", bool(request.config.getoption("--long")))


async def found_everywhere(desk: Desk, listed: list[Place]) -> list[str]:
    """Return what axe has to say about pages, in each look that is wanted of them."""
    inside = await desk.owner(look=PASSED_OVER)
    outside = await (await desk.browser(PASSED_OVER)).new_page()
    wrong = []
    for number, place in enumerate(listed):
        page = inside if place.is_inside else outside
        await page.goto(place.address)
        for theme, size in looks_at(number):
            await page.set_viewport_size(size)
            await page.emulate_media(color_scheme=theme)
            where = f"{place.name}, {theme}, {size['width']} px"
            wrong += [f"{where}: {told}" for told in await found_on(page)]
    return wrong


@browsed
async def test_no_page_with_something_on_it_is_hard_to_use_for_anybody(desk: Desk) -> None:
    assert await found_everywhere(desk, places(await furnished(desk))) == []


@browsed
async def test_no_page_of_a_ticket_is(desk: Desk) -> None:
    others = places({})
    own = [place for place in places(await tickets(desk)) if place not in others]
    assert len(own) > 10
    assert await found_everywhere(desk, own) == []


@browsed
async def test_no_empty_page_is_either_and_axe_finds_what_is_planted(desk: Desk) -> None:
    async with desk.app() as app:
        assert_all_listed(app.engine)
    filled = [place for place in places(await empty(desk)) if place.name in FILLED]
    assert await found_everywhere(desk, filled) == []

    page = await desk.owner(look=PASSED_OVER)
    assert await found_on(page) == []
    for planted in (
        "document.querySelector('main').append(document.createElement('input'))",
        "document.querySelector('main h1').style = 'color: #ddd; background: #fff'",
    ):
        await page.evaluate(planted)
    found = [told.partition(":")[0] for told in await found_on(page)]
    assert sorted(found) == ["color-contrast", "label"]
