"""Artifacts: content by its SHA-256, written once, versioned by name, told in the audit."""

from hashlib import sha256

import pytest

from interlock.service.engine import Limits
from interlock.service.errors import InvalidInput, NotFound, RequestIdReused, TooLarge
from interlock.service.keep import Content, keep
from interlock.service.verify import verify
from interlock.store.script import Key
from tests.stage import ADA, EVE, HOME, Stage, staged

REPORT = b"what was found"
DIGEST = sha256(REPORT).hexdigest()


@staged
async def test_content_is_found_again_by_its_digest_and_told_in_the_audit(stage: Stage) -> None:
    unit = await stage.plan()
    before = (await stage.whole(unit)).row
    answer = await keep(stage.engine, ADA, Content(unit, "report", REPORT, "text/markdown"))
    (row,) = await stage.engine.store.artifacts(HOME, unit)
    after = (await stage.whole(unit)).row

    assert await stage.engine.store.content(HOME, DIGEST) == REPORT
    assert (row.name, row.version, row.part, row.digest) == ("report", 1, 0, DIGEST)
    assert (row.size, row.media_type, row.author, row.mark) == (14, "text/markdown", "ada", "")
    assert answer.reply["receipt"] == {
        "unit": unit,
        "sequence": before.version + 1,
        "hash": after.head,
    }
    assert (await stage.audit(unit))[-1]["kept"] == [
        {"name": "report", "digest": DIGEST, "part": unit}
    ]
    assert after.unit.status == before.unit.status
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_the_same_name_again_is_the_next_version(stage: Stage) -> None:
    unit = await stage.plan()
    for content in (b"first", b"second", b"first"):
        await keep(stage.engine, ADA, Content(f"{unit}.1", "draft", content))
    rows = await stage.engine.store.artifacts(HOME, unit)

    assert [(row.part, row.version) for row in rows] == [(1, 1), (1, 2), (1, 3)]
    assert rows[0].digest == rows[2].digest != rows[1].digest


@staged
async def test_a_request_id_makes_it_safe_to_repeat(stage: Stage) -> None:
    unit = await stage.plan()
    key = Key("ada", "r1", "asked")
    first = await keep(stage.engine, ADA, Content(unit, "report", REPORT), key)
    again = await keep(stage.engine, ADA, Content(unit, "report", REPORT), key)

    assert (again.text, again.is_replay) == (first.text, True)
    assert len(await stage.engine.store.artifacts(HOME, unit)) == 1
    with pytest.raises(RequestIdReused):
        await keep(stage.engine, ADA, Content(unit, "other", REPORT), key._replace(asked="else"))


@staged
async def test_what_is_too_large_or_has_no_name_is_refused_and_changes_nothing(
    stage: Stage,
) -> None:
    unit = await stage.plan()
    object.__setattr__(stage.engine, "limits", Limits(artifact_bytes_max=10))
    before = await stage.mark(unit)
    with pytest.raises(TooLarge, match="at most 10"):
        await keep(stage.engine, ADA, Content(unit, "report", REPORT))
    with pytest.raises(InvalidInput):
        await keep(stage.engine, ADA, Content(unit, "", b"x"))
    with pytest.raises(InvalidInput):
        await keep(stage.engine, ADA, Content(unit, "n" * 201, b"x"))

    assert await stage.mark(unit) == before


@staged
async def test_nothing_is_kept_for_what_is_absent_or_somebody_else_s(stage: Stage) -> None:
    unit = await stage.plan()
    for name, caller in ((unit, EVE), ("plan-000000000000", ADA), (f"{unit}.9", ADA)):
        with pytest.raises(NotFound):
            await keep(stage.engine, caller, Content(name, "report", REPORT))

    assert await stage.engine.store.artifacts(HOME, unit) == ()
    assert await stage.engine.store.content("away", DIGEST) is None
