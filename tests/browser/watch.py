"""Somebody who watches a browser: whatever is executed, fetched, asked or complained about is noted.

Beside what happens, a page is looked through for what would happen if somebody pressed it.
"""

from dataclasses import dataclass, field
from typing import Any, Final, Self
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, ConsoleMessage, Page, Route

from tests.browser.corpus import INVISIBLE

LOAD_MS: Final = 2_000
TRIES: Final = 8
PAUSE_MS: Final = 500
TOOK: Final = "performance.getEntriesByType('navigation')[0].loadEventEnd"
# What a page of ours never holds, whoever wrote what is in it.
LOOK: Final = """() => {
  const wrong = [], ours = new URL(location.href).origin;
  const never = new Set(["iframe", "object", "embed", "img", "video", "audio", "base", "template",
    "style", "foreignobject", "use", "animate", "math", "marquee", "frame", "portal"]);
  for (const node of document.querySelectorAll("*")) {
    const told = () => node.outerHTML.slice(0, 120);
    if (never.has(node.localName)) wrong.push(`element ${told()}`);
    for (const { name, value } of node.attributes) {
      if (name.startsWith("on") || ["style", "srcdoc", "http-equiv"].includes(name))
        wrong.push(`attribute ${name} of ${told()}`);
      if (!["href", "src", "action", "formaction", "data", "xlink:href"].includes(name)) continue;
      const leads = new URL(value, location.href), isLink = node.localName === "a";
      const isHarmless = isLink && ["http:", "https:", "mailto:"].includes(leads.protocol);
      if (!isHarmless && leads.origin !== ours) wrong.push(`address ${value} of ${told()}`);
    }
  }
  const scripts = [...document.scripts].filter(one => !/^\\/static\\//.test(one.getAttribute("src")));
  const files = new Set([...document.scripts].map(one => one.src)); // ours, each once
  if (scripts.length || !files.size || files.size > 2 || document.scripts.length !== files.size) wrong.push(`${document.scripts.length} scripts`);
  if (window.name) wrong.push(`window.name is ${window.name}`);
  return wrong;
}"""


@dataclass  # no slots: playwright notes something of its own on whoever listens
class Watch:
    """What was noted in a browser."""

    url: str
    noted: list[str] = field(default_factory=list)

    @classmethod
    async def over(cls, context: BrowserContext, url: str) -> Self:
        """Watch a browser; what is not at ``url`` cannot be reached in it."""
        watch = cls(url)
        await context.expose_function("canary", watch.executed)
        await context.route("**/*", watch.fetched)
        context.on("console", watch.complained)
        context.on("dialog", lambda dialog: watch.noted.append(f"dialog {dialog.message}"))
        context.on("weberror", lambda error: watch.noted.append(f"error {error.error}"))
        return watch

    def executed(self, *given: object) -> None:
        """Note that something was executed."""
        self.noted.append(f"executed {given}")

    async def fetched(self, route: Route) -> None:
        """Let through what stays with us; note everything else."""
        address = route.request.url
        if urlsplit(address)[:2] == urlsplit(self.url)[:2]:
            await route.continue_()
            return
        self.noted.append(f"fetched {address}")
        await route.abort()

    def complained(self, message: ConsoleMessage) -> None:
        """Note what the browser complains about: the policy of the page speaks here."""
        if message.type in {"error", "warning"} and " 404 " not in message.text:
            self.noted.append(f"console {message.text}")

    async def open(self, page: Page, address: str) -> str:
        """Open a page and look it through; return what can be read on it."""
        took: float = LOAD_MS + 1
        for attempt in range(TRIES):
            # The machine may have had something else to do, but not for ever.
            await page.wait_for_timeout(attempt * PAUSE_MS)
            await page.goto(address)
            took = await page.evaluate(TOOK)
            if took <= LOAD_MS:
                break
        if took > LOAD_MS:
            self.noted.append(f"{address} took {took:.0f} ms")
        found: list[str] = await page.evaluate(LOOK)
        self.noted += [f"{address}: {one}" for one in found]
        markup: Any = await page.evaluate("document.documentElement.outerHTML")
        hidden = [f"U+{ord(one):04X}" for one in INVISIBLE if one in str(markup)]
        if hidden:
            self.noted.append(f"{address} hides {', '.join(hidden)}")
        return await page.locator("body").inner_text()
