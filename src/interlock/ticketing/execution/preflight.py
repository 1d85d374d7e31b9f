"""The checks before anything is built: ours, added to the worker's, and what they lead to.

The worker looks at its machine, we at what we keep. Everything that fails is told at once.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from interlock.ticketing.checked import Json, rows, text, texts
from interlock.ticketing.execution.judge import GOOD, Verdict
from interlock.ticketing.graph import Node, flaws

FAIL: Final = "fail"
FINE: Final = "pass"
OURS: Final = "server"
TOLD_MAX: Final = 2_000


def check_row(name: str, wrong: Sequence[str], fine: str) -> dict[str, object]:
    """Return a check of ours with all that is wrong, or that all is well."""
    result = FAIL if wrong else FINE
    message = "; ".join(wrong) or fine
    return {"name": name, "category": OURS, "result": result, "message": message[:TOLD_MAX]}


def own_checks(beads: Json, tree: Json, approved: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield what we look at: the beads and their graph, the tree, and what was approved."""
    found = rows(beads, "beads")
    yield check_row("beads", () if found else ("There is no bead.",), f"{len(found)} beads.")
    nodes = [Node(text(row, "id"), tuple(texts(row, "blocked_by"))) for row in found]
    wrong = [flaw.message for flaw in flaws(nodes)]
    if not wrong and found and not any(not node.needs for node in nodes):
        wrong = ["no bead can be begun: each needs another one"]
    yield check_row("graph", wrong, "Every bead can be reached.")
    untested = [text(row, "id") for row in found if not texts(row, "test_commands")]
    missing = [f"{name} has no test command" for name in untested]
    yield check_row("tests", missing, "Every bead has its tests.")
    names = ("interview", "prd", "beads")
    lacking = [f"the {name} was not approved" for name in names if name not in approved]
    yield check_row("approvals", lacking, "Interview, PRD and blueprint were approved.")
    no_tree = () if text(tree, "head") else ("nobody has told of a working tree",)
    yield check_row("tree", no_tree, f"The ticket is at {text(tree, 'head')}.")


def judged(checks: Sequence[Json]) -> Verdict:
    """Return what checks lead to: one that fails is enough, and all that fail are told."""
    failed = [one for one in checks if one.get("result") == FAIL]
    if not failed:
        return GOOD
    words = " ".join(f"{text(one, 'name')}: {text(one, 'message')}." for one in failed)
    return Verdict(
        is_good=False, reason="checks_failed", message=words.replace("..", ".")[:TOLD_MAX]
    )
