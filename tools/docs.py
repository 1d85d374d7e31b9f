"""Write the pages that are made from the tables, or say which of them are stale.

``python -m tools.docs`` writes ``docs/machines/``, ``docs/errors.md``, ``docs/openapi.json``,
``docs/promises.md``, the plugin and the methods of the Python client; with ``--check`` it writes
nothing, lists what is stale and exits 1. Pages are compared as text. Pictures are compared by the
digest of their drawing that they carry, because their layout depends on the fonts of the machine
that made them; one that is up to date is not drawn again.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from interlock.doors.rest import openapi
from interlock.kernel.draw.dot import dot
from interlock.kernel.workflow import Workflow
from interlock.picture import drawn_from, origin, svg
from interlock.workflows.built_in import WORKFLOWS
from tools.client_methods import client_pages
from tools.error_page import error_page
from tools.machine_page import LEGEND, NOTICE, machine_page, table, version
from tools.plugin_pages import PLUGIN, plugin_pages
from tools.promise_page import promise_page

MACHINES: Final = Path("docs") / "machines"
ERRORS: Final = Path("docs") / "errors.md"
OPENAPI: Final = Path("docs") / "openapi.json"
PROMISES: Final = Path("docs") / "promises.md"


def pages(workflows: Mapping[str, Workflow]) -> dict[Path, str]:
    """Return the text of every page by its place under the root."""
    made = {MACHINES / f"{name}.md": machine_page(flow) for name, flow in workflows.items()}
    made |= {MACHINES / "README.md": index(workflows), ERRORS: error_page(workflows)}
    made |= {OPENAPI: openapi.text(), PROMISES: promise_page()}
    return made | plugin_pages() | client_pages()


def drawings(workflows: Mapping[str, Workflow]) -> dict[Path, str]:
    """Return the drawing (DOT) of every picture by its place under the root."""
    return {MACHINES / f"{name}.svg": dot(flow) for name, flow in workflows.items()}


def index(workflows: Mapping[str, Workflow]) -> str:
    """Return the page that lists the workflows."""
    lines = [NOTICE, "", "# Machines", "", "The built-in workflows, drawn from their tables.", ""]
    rows = (
        (f"[{name}]({name}.md)", flow.doc, _kinds(flow), f"[picture]({name}.svg)", version(flow))
        for name, flow in workflows.items()
    )
    lines += table(("workflow", "what it is", "made of", "drawing", "version"), rows)
    lines += ["## How to read the drawings", "", LEGEND, ""]
    lines += ["What each word means is in the [glossary](../glossary.md); what each refusal code"]
    lines += ["means is on the page of [errors](../errors.md).", ""]
    return "\n".join(lines).rstrip() + "\n"


def stale(root: Path, workflows: Mapping[str, Workflow]) -> list[Path]:
    """Return the places of pages and pictures that are missing, out of date or left over."""
    return _stale(root, pages(workflows), drawings(workflows))


def _stale(root: Path, made: Mapping[Path, str], drawn: Mapping[Path, str]) -> list[Path]:
    found = [path for path, text in made.items() if _read(root / path) != text]
    found += [
        path for path, text in drawn.items() if drawn_from(_read(root / path)) != origin(text)
    ]
    return sorted([*found, *_left_over(root, {*made, *drawn})])


def write(root: Path, workflows: Mapping[str, Workflow]) -> list[Path]:
    """Bring everything up to date; return what was changed."""
    made = pages(workflows)
    drawn = drawings(workflows)
    changed = _stale(root, made, drawn)
    for path in changed:
        target = root / path
        if path not in made and path not in drawn:
            target.unlink()
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        text = made[path] if path in made else svg(drawn[path])
        target.write_text(text, encoding="utf-8", newline="\n")
    return changed


def main(arguments: Sequence[str], root: Path) -> int:
    """Write or check; return the exit code."""
    if "--check" not in arguments:
        for path in write(root, WORKFLOWS):
            print(f"wrote {path.as_posix()}")
        return 0
    found = stale(root, WORKFLOWS)
    for path in found:
        print(f"{path.as_posix()}: stale; run `make docs`")
    return 1 if found else 0


def _kinds(flow: Workflow) -> str:
    return " > ".join([flow.unit.name, ", ".join(part.name for part in flow.parts)])


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _left_over(root: Path, made: set[Path]) -> Iterator[Path]:
    for path in [*(root / MACHINES).glob("*"), *(root / PLUGIN).rglob("*")]:
        if path.is_file() and path.relative_to(root) not in made:
            yield path.relative_to(root)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path.cwd()))
