"""What is over is forgotten on both databases in portions, and nothing else is, however old."""

from hashlib import sha256

import pytest

from interlock.store.errors import ArtifactPruned
from interlock.store.retention import KINDS, Round
from interlock.store.script import Artifact, Key
from tests.stage import ADA, DAY_MS, HOME, PAT, Stage, staged

OLD = "old words"
DIGEST = sha256(OLD.encode()).hexdigest()


async def _aged(stage: Stage) -> tuple[str, str]:
    """Make a unit that goes on and one that has ended, each with a request id, long ago."""
    live = await stage.plan(1, ADA, request_id="live")
    ended = await stage.plan(1, ADA, request_id="ended")
    await stage.call("fail_plan", PAT, plan_id=ended, reason="enough")
    for unit in (live, ended):
        for text in (OLD, f"new words of {unit}"):
            content = text.encode()
            digest = sha256(content).hexdigest()
            await stage.engine.store.keep(HOME, unit, Artifact(0, "notes", digest, content))
    for change in (
        "replies SET at = at", "units SET ended_at = ended_at", "artifacts SET at = at",
    ):  # fmt: skip
        await stage.sql(f"UPDATE {change} - {50 * DAY_MS}")
    return live, ended


@staged
async def test_an_answer_is_remembered_for_as_long_as_its_unit_goes_on(stage: Stage) -> None:
    live, ended = await _aged(stage)
    store = stage.engine.store
    before = store.now() - 30 * DAY_MS

    assert await store.retention.prune("replies", before, 10, is_dry=True) == Round(1, 0)
    assert (await store.retention.prune("replies", before, 10)).gone == 1
    assert await stage.plan(1, ADA, request_id="live") == live
    # Forgotten, so it is as good as new.
    assert await stage.plan(1, ADA, request_id="ended") != ended


@staged
async def test_bytes_stay_while_anybody_has_them_and_are_there_again_when_said_again(
    stage: Stage,
) -> None:
    live, ended = await _aged(stage)
    store = stage.engine.store
    before = store.now() - 30 * DAY_MS

    assert await store.retention.prune("contents", before, 10) == Round(0, 0)
    await stage.sql(f"UPDATE units SET ended_at = 1 WHERE id = '{live}'")  # noqa: S608 (our own)
    assert await store.retention.prune("contents", before, 10) == Round(1, 1)
    with pytest.raises(ArtifactPruned, match=DIGEST) as no:
        await store.content(HOME, DIGEST)
    assert (no.value.code, no.value.http) == ("ARTIFACT_PRUNED", 410)
    sizes = {row.digest: row.size for row in await store.artifacts(HOME, ended)}
    assert sizes[DIGEST] == len(OLD)
    newest = next(digest for digest in sizes if digest != DIGEST)
    assert await store.content(HOME, newest) == f"new words of {ended}".encode()

    unit = await stage.plan(1)
    await store.keep(HOME, unit, Artifact(0, "notes", DIGEST, OLD.encode()))
    assert await store.content(HOME, DIGEST) == OLD.encode()


@staged
async def test_a_portion_is_no_larger_than_asked_for_and_a_day_is_always_kept(stage: Stage) -> None:
    store = stage.engine.store
    for number in range(3):
        unit = await stage.plan(1, ADA, request_id=f"r{number}")
        await stage.call("fail_plan", PAT, plan_id=unit, reason="enough")

    assert await store.retention.prune("replies", store.now() + DAY_MS, 10) == Round(0, 0)
    await stage.sql(f"UPDATE replies SET at = at - {2 * DAY_MS}")  # noqa: S608 (our own)
    gone = [(await store.retention.prune("replies", store.now(), 2)).gone for _ in range(3)]
    assert gone == [2, 1, 0]
    assert await store.reply(HOME, Key("agent:ada", "r0", "")) is None


@staged
async def test_everything_that_can_grow_old_can_be_asked_for(stage: Stage) -> None:
    store = stage.engine.store
    for what in KINDS:
        assert await store.retention.prune(what, store.now(), 10) == Round(0, 0)
