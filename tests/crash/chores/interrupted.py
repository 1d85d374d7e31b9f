"""A chore that is killed at a point, judged, done once more by somebody else, and judged again."""

import random
import signal
from pathlib import Path

from tests.crash.chores.child import Spec
from tests.crash.chores.every import AT
from tests.crash.nursery import Nursery


def interrupt(
    children: Nursery, folder: Path, point: str, chance: random.Random, bug: str = ""
) -> list[str]:
    """Kill a chore at a point and have it done again; return what is wrong."""
    chore = AT[point]
    folder.mkdir(parents=True, exist_ok=True)
    chore.prepare(folder)
    told = str(folder / "told")
    turn = chance.randint(1, chore.turns[point])
    child = children.start(Spec(told, chore.name, str(folder), 1, point, turn, bug))
    said = child.told()
    assert said == {"point": point}, f"{point} is never reached: {said}"
    assert child.kill() == -signal.SIGKILL
    findings = chore.judge(folder, False)  # noqa: FBT003 (it was killed)
    other = children.start(Spec(told, chore.name, str(folder), 2, bug=bug))
    try:
        assert other.told() == {"done": {}}, f"{chore.name} does not come to an end"
    except AssertionError as no:
        last = str(no).strip().splitlines()[-1]
        findings.append(f"{chore.name} cannot be done again: {last}")
    other.end()
    findings += chore.judge(folder, True)  # noqa: FBT003 (it was done)
    return [f"{point}: {one}" for one in findings]
