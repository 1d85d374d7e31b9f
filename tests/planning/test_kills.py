"""A planning run whose server and worker are killed in every phase: it goes on where it was."""

import asyncio
import random
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from tests.planning.ground import Vote, open_ground, past_of
from tests.planning.killing import BOUNDARY, INSIDE, SERVER, WORKER, Moment, Run, slowly
from tests.planning.script import CALM, NAMES, SEED
from tests.planning.test_run import COURSE, counted, course

PATIENCE_S: Final = 900
DELAY_S: Final = 0.3
SHORT_S: Final = 0.1
AGAIN_MAX: Final = 2
"""How many stays in a phase are disturbed: the third is like the second."""

SEVERAL: Final = 3
CHANCE: Final = 6
"""Chooses a batch in preparation, a vote that is half counted, an approval on its way."""


def moments(first: str) -> list[Moment]:
    """Return every moment: at the boundary one is killed, inside the other, and so on in turn."""
    both = (SERVER, WORKER) if first == SERVER else (WORKER, SERVER)
    found: list[Moment] = []
    stays: Counter[str] = Counter()
    for visit, phase in enumerate(("DRAFT", *COURSE[:-1])):
        stays[phase] += 1
        # To reopen the PRD is to pass its gate within one command: nobody is ever there.
        is_stay = phase != "WAITING_PRD_APPROVAL" or stays[phase] == 1
        if is_stay and stays[phase] <= AGAIN_MAX:
            found.append(Moment(visit, BOUNDARY, both[stays[phase] % 2]))
            # The working tree is made in a moment; test_init kills within it.
            if phase != "DRAFT":
                found.append(Moment(visit, INSIDE, both[(stays[phase] + 1) % 2]))
    return found


def undisturbed() -> tuple[Vote, ...]:
    """Return the votes of a run in which nobody is killed: they follow from the seed."""
    all_alike = Vote((150,) * len(NAMES), 0, len(NAMES))
    return (all_alike, *counted(SEED)[1:])


def disturbed(folder: Path, plan: list[Moment], delay_s: float = DELAY_S) -> list[Moment]:
    """Play the run with these kills; what it came to must be as if there had been none."""
    ground = open_ground(folder)
    ground.tell(slowly(CALM["*"], delay_s))

    async def story(run: Run) -> str:
        async with asyncio.timeout(PATIENCE_S):
            name = await ground.begin(run.server.url)
            run.work()
            await run.play(name)
            return name

    with ExitStack() as stack:
        run = Run(ground, plan, stack)
        name = asyncio.run(story(run))

    past = past_of(ground.audit(name))
    assert course(past) == COURSE, "it went on where it was, and never back"
    assert past.votes == undisturbed(), "no vote is lost, none counted twice"
    return run.kills


def test_a_run_goes_on_after_some_kills(tmp_path: Path) -> None:
    every = [*moments(SERVER), *moments(WORKER)]
    chance = random.Random(CHANCE)  # noqa: S311 (repeatable on purpose)
    plan = sorted(chance.sample(every, SEVERAL))
    kills = disturbed(tmp_path, plan, SHORT_S)

    # On a busy machine a moment can pass unseen.
    assert len(kills) >= SEVERAL - 1, "it has hardly been tried"


@pytest.mark.long("minutes")
@pytest.mark.parametrize("first", [SERVER, WORKER])
def test_a_run_goes_on_after_a_kill_at_every_boundary_and_inside_every_phase(
    tmp_path: Path, first: str
) -> None:
    plan = moments(first)
    kills = disturbed(tmp_path, plan)

    missed = {*plan} - {*kills}
    assert not missed, missed
