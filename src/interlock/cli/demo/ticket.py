"""The demo's ticket: a repository made on the spot, three beads, one request, one merge.

A person decides at the gates; an agent whose answers stand in a file works in the ticket's own
tree; the worker runs the tests itself. One bead is wrong at first, and while the last one is built
server and worker are killed. In the end the base branch must hold the feature, and its tests must
pass.
"""

import asyncio
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Final

from interlock.cli.demo import feature
from interlock.cli.demo.desk import ANN, Desk, at_desk, kill, running
from interlock.cli.demo.person import ENDED, REVIEW, Person, Told
from interlock.cli.demo.serving import Hands, WentWrong
from interlock.cli.demo.telling import say
from interlock.cli.screen import print_text
from interlock.kernel.rules import WORKER
from interlock.service.access import create_token

PLACE: Final = "ticket-demo"
"""Where the demo has its repository and its worker, in the data folder."""

LAST: Final = "receipt"
"""The bead that is being built when everything is killed."""

LOOKS: Final = 5
"""How often it is seen under way before that: somebody is in the middle of it by then."""

SLOW_S: Final = 5.0
PATIENCE_S: Final = 120.0
LEASE_MS: Final = 20_000
AROUND: Final = {"lease_ms": str(LEASE_MS)}


@dataclass(slots=True)
class Shift:
    """A ticket under way, and what was told of it."""

    desk: Desk
    worker: Hands
    bare: Path
    ticket: str = ""
    phase: str = ""
    beads: dict[str, str] = field(default_factory=dict)
    is_killed: bool = False
    looks: int = 0

    def hear(self, told: Told) -> None:
        """Tell what has changed, and pull the plug when it is time."""
        phase = told["phase"]["name"]
        if phase != self.phase and not phase.startswith("VERIFYING"):
            _tell_phase(told)
        self.phase = phase
        for bead in told.get("beads", ()):
            self._hear_bead(bead)

    def _hear_bead(self, bead: Told) -> None:
        title, status = str(bead["title"]), str(bead["status"])
        tries = int(bead.get("tries") or 0)
        known, self.beads[title] = self.beads.get(title, ""), f"{status} {tries}"
        if status == "in_progress" and title == feature.BEADS[LAST][0]:
            self.looks += 1
            if self.looks == LOOKS and not self.is_killed:
                self._pull_the_plug(title)
        if known in ("", self.beads[title]):
            return
        if status == "done":
            say(feature.MEMBER, f"has built “{title}”; the worker has run its tests: green")
        elif tries and not known.endswith(f" {tries}") and not self.is_killed:
            say("worker", f"“{title}” is not green, whatever the agent says: attempt {tries + 1}")

    def _pull_the_plug(self, title: str) -> None:
        """Kill the server and the worker while a bead is built, and start both again."""
        self.is_killed = True
        kill(self.desk.server, self.worker)
        say("server", f"KILLED (SIGKILL), and the worker with it, while “{title}” is built")
        self.desk.server.start()
        self.worker.start()
        say("worker", "started again: what was under way is ended, and tried anew from its start")


async def play(folder: Path) -> str:
    """Work the ticket; return its id. Raises ``WentWrong``."""
    # Git is told of folders from within others.
    place = (folder / PLACE).absolute()
    rmtree(place, ignore_errors=True)
    bare = feature.make_repository(place)
    _write_script(place / "worker")
    async with at_desk(folder, "ticket", AROUND) as desk:
        token, _ = await create_token(desk.app.engine, desk.app.owner(), "hands", WORKER)
        hands = Hands(place / "worker", desk.server.url, {**AROUND, "token": token})
        async with running(hands) as worker:
            shift = Shift(desk, worker, bare)
            await _begin(shift)
            told = await _decide(shift)
    _prove(shift, told, place / "checked-out")
    return shift.ticket


def _write_script(folder: Path) -> None:
    """Write down what the agent does and says, where its worker looks for it."""
    said = feature.script()
    said["members"][feature.MEMBER][f"code:{LAST}#1"]["delay_s"] = SLOW_S
    folder.mkdir(parents=True)
    (folder / "answers.json").write_text(json.dumps(said), encoding="utf-8")
    table = f'[agents.{feature.AGENT}]\nkind = "scripted"\nfile = "answers.json"\n'
    (folder / "interlock.toml").write_text(table, encoding="utf-8")


async def _begin(shift: Shift) -> None:
    made = await shift.desk.person("create_project", **feature.project(str(shift.bare)))
    new = {"title": feature.TITLE, "description": "Customers want receipts.", "seed": feature.SEED}
    told = await shift.desk.person("create_ticket", project_id=made["project_id"], **new)
    shift.ticket = str(told["ticket_id"])
    say(ANN, f"writes down {shift.ticket}: {feature.TITLE}, in a repository made just now")
    await shift.desk.person("start", ticket_id=shift.ticket)


async def _decide(shift: Shift) -> Told:
    verbs = await shift.desk.app.verbs()
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await Person(verbs.call, shift.ticket).decide(hear=shift.hear)
    except TimeoutError as exc:
        message = f"the ticket has not ended within {PATIENCE_S:g} s: it is at {shift.phase}"
        raise WentWrong(message) from exc


def _tell_phase(told: Told) -> None:
    """Tell a phase that a reader of the demo should know of."""
    name, label = told["phase"]["name"], told["phase"]["label"]
    if name.endswith("_APPROVAL") and told.get("gates"):
        say(ANN, f"approves what is shown: {label.removeprefix('Approving ').lower()}")
    elif name == REVIEW:
        request = told.get("pull_request") or {}
        say("worker", f"has opened request {request.get('number')}: {request.get('title')}")
        say(ANN, "has looked at it, and has it merged")
    elif name not in ENDED:
        say("ticket", label.partition(" (")[0])


def _prove(shift: Shift, told: Told, folder: Path) -> None:
    """Look into the repository itself: raises where it does not hold what was asked for."""
    if told["phase"]["name"] != "COMPLETED":
        error = told.get("error") or {}
        raise WentWrong(f"the ticket is {told['phase']['name']}: {error.get('message')}")
    if not shift.is_killed:
        raise WentWrong("the ticket ended before anything could be killed")
    merges = feature.read_git(shift.bare, "rev-list", "--merges", "--count", feature.BRANCH)
    if merges != "1":
        raise WentWrong(f"{feature.BRANCH} has {merges} merges, and should have one")
    tests = _tests(feature.check_out(shift.bare, folder))
    count = len(feature.BEADS)
    print_text(
        f"  ✓ COMPLETED: {count} beads · 1 request · 1 merge; {feature.BRANCH} has the feature,"
        f" and its tests pass ({tests})"
    )


def _tests(folder: Path) -> str:
    """Run all tests of what was delivered; return what they say at last."""
    done = subprocess.run(  # noqa: S602 (our own command, as the beads have it)
        feature.PYTHON, shell=True, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise WentWrong(f"the tests of {feature.BRANCH} fail: {done.stderr[-500:].strip()}")
    return next((row for row in done.stderr.splitlines() if row.startswith("Ran ")), "").lower()
