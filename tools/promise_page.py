"""The page of promises: what is promised, and what tries it, from ``tests/promises/manifest.toml``.

Whether the manifest is true is not decided here: a test compares it with campaigns and tests.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tools.machine_page import table

ROOT: Final = Path(__file__).parents[1]
MANIFEST: Final = Path("tests") / "promises" / "manifest.toml"
NOTICE: Final = "<!-- Made by `make docs` from tests/promises/manifest.toml; do not edit. -->"
INTRODUCTION: Final = """\
Each promise is worded so that one counter-example refutes it. *Acknowledged* means that the caller
got an answer of success; a *unit* is a plan, a mission or a ticket with its parts. Every promise is
tried by tests in every run, and many by campaigns: the same thing very often, with faults on
purpose, from a seed that is printed. A campaign counts only if it finds the bugs that are planted
for it. How to run them: [torture](torture.md)."""
NOT_PROMISED: Final = """\
Effects outside the database happen at least once, not exactly once: with a durable intent and a
stable name, and they are reconciled. Nothing is promised about the quality of an agent's work,
about an authorised agent that is malicious inside its own workspace, or about the order between
different units."""


def promise_page() -> str:
    """Return the page."""
    told: Mapping[str, Any] = tomllib.loads((ROOT / MANIFEST).read_text(encoding="utf-8"))
    lines = [NOTICE, "", "# What Interlock promises", "", INTRODUCTION, ""]
    for name, promise in told["promise"].items():
        lines += [f"## {name} {promise['title']}", "", promise["says"], ""]
        lines += [*_tried(promise), ""]
    lines += ["## Campaigns", "", "So much is tried in every run of the tests, and so much by"]
    lines += ["`make torture`.", ""]
    lines += table(("campaign", "what is tried", "every run", "long run"), _figures(told))
    lines += ["## Not tried yet", ""]
    lines += [f"- {one['what']} {one['why']}" for one in told["not_yet"]]
    lines += ["", "## Not promised", "", NOT_PROMISED]
    return "\n".join(lines).rstrip() + "\n"


def _tried(promise: Mapping[str, Any]) -> Iterator[str]:
    if promise["campaigns"]:
        names = (f"[{name}](#campaigns)" for name in promise["campaigns"])
        word = "campaign" if len(promise["campaigns"]) == 1 else "campaigns"
        yield f"Tried by the {word} {', '.join(names)} and these tests:"
    else:
        yield "Tried by these tests:"
    yield ""
    for test in promise["tests"]:
        place, _, name = test.partition("::")
        yield f"- {name.removeprefix('test_').replace('_', ' ')} (`tests/{place}`)"


def _figures(told: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, one in told["campaign"].items():
        yield name, one["says"], f"{one['small']:,}", f"{one['long']:,}"
