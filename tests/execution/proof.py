"""What must be true of a run when it has ended, whatever happened on the way."""

import subprocess
import sys
from typing import Any

from interlock.app import LOCAL, App
from interlock.cli.demo import feature
from tests.execution.ground import Ground


def check_delivered(ground: Ground, ticket: str) -> None:
    """One request, one merge, no lost commit; the base branch has the feature, and it works."""
    numbers = {ref.split("/")[2] for ref in ground.git("for-each-ref", "refs/pull").split()[2::3]}
    assert numbers == {"1"}, "exactly one request"
    assert ground.git("rev-list", "--merges", "--count", feature.BRANCH) == "1", "exactly one merge"
    head = ground.git("rev-parse", "refs/pull/1/head")
    assert ground.git("rev-parse", f"{feature.BRANCH}^2") == head, "the candidate was merged"
    check_commits(ground, ticket)
    check_feature(ground)
    check_room(ground, ticket)


def check_commits(ground: Ground, ticket: str) -> None:
    """Each bead has one commit, which the server knows, in one line before the candidate."""
    vault = ground.room / "workspaces" / ticket / "vault.git"
    said = feature.read_git(
        vault,
        "log",
        "--reverse",
        "--format=%H %s",
        f"refs/interlock/base/{feature.BRANCH}~1..refs/interlock/before",
    )
    rows = [row.split(" ", 1) for row in said.splitlines()]
    titles = [f"bead({name}): {title}" for name, (title, _) in feature.BEADS.items()]
    assert [title for _, title in rows] == titles, "one commit a bead, in their order"
    known = [one["commit"] for one in beads_of(ground, ticket)]
    assert known == [commit for commit, _ in rows], "those that the server has taken"


def beads_of(ground: Ground, ticket: str) -> list[dict[str, Any]]:
    """Return the fields of the beads of a ticket, as its rows have them."""

    async def read(app: App) -> list[dict[str, Any]]:
        found = await app.engine.store.whole(LOCAL, ticket)
        assert found is not None
        return [dict(row.part.fields) for row in found.parts if row.part.kind == "bead"]

    return ground.ask(read)


def check_feature(ground: Ground) -> None:
    """The base branch has the feature, and all its tests pass."""
    where = feature.check_out(ground.bare, ground.folder / "checked")
    line = [sys.executable, "-m", "unittest", "-q"]
    done = subprocess.run(line, cwd=where, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ran 4 tests" in done.stderr


def check_room(ground: Ground, ticket: str) -> None:
    """Nothing is left on the worker's machine but the ticket's own folder."""
    room = ground.room / "workspaces"
    assert [one.name for one in room.iterdir() if not one.name.startswith(".")] == [ticket]
    assert not [*(ground.room / "intents").glob("*.json")], "nothing is intended any more"
