"""What is older than a checkpoint cannot be changed unnoticed, on either database, by anybody."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from interlock.service.checkpoint import read_lines
from interlock.service.notary import Notary
from interlock.service.verify import verify
from interlock.service.witness import Witnessed, compare
from tests.service.tampering import unchain
from tests.stage import HOME, Stage, staged

Tampers = Callable[[Stage, str], Awaitable[None]]


def notary(folder: Path) -> Notary:
    return Notary(folder / "checkpoints.jsonl", folder / "checkpoint.key")


async def witnessed(stage: Stage, signer: Notary) -> Witnessed:
    return await compare(stage.engine, *read_lines(signer.lines(), signer.public()))


async def cut(stage: Stage, unit: str) -> None:
    await unchain(stage)
    await stage.sql(f"DELETE FROM audit WHERE unit = '{unit}' AND sequence > 2")  # noqa: S608 (ours)


async def edit(stage: Stage, unit: str) -> None:
    await unchain(stage)
    what = "body = replace(body, 'ada', 'eve')"
    await stage.sql(f"UPDATE audit SET {what} WHERE unit = '{unit}'")  # noqa: S608 (ours)


async def gone(stage: Stage, unit: str) -> None:
    await unchain(stage)
    await stage.sql(f"DELETE FROM audit WHERE unit = '{unit}'")  # noqa: S608 (ours)


async def rename(stage: Stage, unit: str) -> None:
    del unit
    await stage.sql("UPDATE incarnations SET name = 'other'")


WAYS = [
    (cut, "the audit ends before what checkpoint 1 tells"),
    (edit, "the audit is not the one that checkpoint 1 tells"),
    (gone, "the unit is gone, and stands in checkpoint 1"),
]


@staged
@pytest.mark.parametrize(("tamper", "what"), WAYS)
async def test_a_superuser_is_found_out(
    stage: Stage, tmp_path: Path, tamper: Tampers, what: str
) -> None:
    signer, unit = notary(tmp_path), await stage.plan(2)
    await stage.claim(unit)
    await signer.take(stage.engine)
    fine = await witnessed(stage, signer)
    assert (fine.findings, fine.notes, fine.heads) == ([], [], 1)

    await tamper(stage, unit)

    (finding,) = (await witnessed(stage, signer)).findings
    assert (finding.unit, finding.what) == (unit, what)
    ((head,),) = [line.heads for line in read_lines(signer.lines(), signer.public())[0]]
    assert (finding.sequence, finding.expected) == (head.sequence, head.hash)
    told: dict[Tampers, str] = {gone: "0 entries", cut: "2 entries"}
    found = told.get(tamper)
    assert finding.found == found if found else finding.found not in ("", head.hash)


@staged
async def test_what_came_after_the_checkpoint_is_nobody_s_concern(
    stage: Stage, tmp_path: Path
) -> None:
    signer, unit = notary(tmp_path), await stage.plan(2)
    await signer.take(stage.engine)
    await stage.claim(unit)
    await signer.take(stage.engine)
    await stage.plan(1)

    found = await witnessed(stage, signer)
    assert (found.findings, found.heads) == ([], 2)


@staged
async def test_of_what_was_erased_the_hashes_must_be_those_of_before(
    stage: Stage, tmp_path: Path
) -> None:
    signer = notary(tmp_path)
    await stage.plan(2)
    await signer.take(stage.engine)

    await unchain(stage)
    await stage.sql("UPDATE audit SET body = ''")
    erased = await witnessed(stage, signer)
    await stage.sql("UPDATE audit SET hash = 'x'")
    forged = await witnessed(stage, signer)

    assert (erased.findings, erased.heads) == ([], 1)
    assert erased.notes == [f"the tenant {HOME} was erased: of it hashes are left"]
    assert len(forged.findings) == 1
    # Where nobody has erased the tenant, verifying finds entries that say nothing.
    assert (await verify(stage.engine, HOME)).findings


RESTORED = "INSERT INTO restores VALUES ('now', 'then', {taken}, {at}, 'd')"


@staged
async def test_a_restore_is_told_until_a_checkpoint_is_signed_after_it(
    stage: Stage, tmp_path: Path
) -> None:
    signer, unit = notary(tmp_path), await stage.plan(2)
    line = await signer.take(stage.engine)
    assert line is not None
    await gone(stage, unit)
    await stage.sql(RESTORED.format(taken=line.at - 1, at=line.at + 1))
    await rename(stage, unit)
    await stage.sql("UPDATE incarnations SET name = 'now'")
    store = stage.engine.store
    assert [row.name for row in await store.restores()] == ["now"]

    (finding,) = (await witnessed(stage, signer)).findings
    assert finding.what.startswith("restored from a backup of ")
    assert "1 heads of checkpoints are not in it; no checkpoint was taken since" in finding.what
    assert (finding.unit, finding.sequence) == ("database", 0)
    assert (finding.expected, finding.found) == ("", "")


@staged
async def test_a_restore_that_was_signed_is_a_note_with_how_much_it_took(
    stage: Stage, tmp_path: Path
) -> None:
    signer, unit = notary(tmp_path), await stage.plan(2)
    first = await signer.take(stage.engine)
    await stage.claim(unit)
    second = await signer.take(stage.engine)
    assert first is not None
    assert second is not None
    await gone(stage, unit)
    # As late as can be: in the very moment of the checkpoint.
    await stage.sql(RESTORED.format(taken=first.at - 1, at=second.at))
    await stage.sql("INSERT INTO restores VALUES ('later', 'now', 9, 99999999999999999, 'd')")
    await stage.sql("UPDATE incarnations SET name = 'later'")
    assert len((await compare(stage.engine, [])).findings) == 0
    await signer.take(stage.engine)

    found = await witnessed(stage, signer)

    assert found.findings == []
    one, other = sorted(found.notes, key=lambda note: "became later" in note)
    assert one.endswith("incarnation then became now: 2 heads of checkpoints are not in it")
    assert other.endswith(
        "on 99999999999999999, incarnation now became later: 0 heads of checkpoints are not in it"
    )


@staged
async def test_long_audits_are_compared_page_by_page(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interlock.service.witness.PAGE", 2)
    signer, unit = notary(tmp_path), await stage.plan(2)
    await stage.claim(unit)
    await signer.take(stage.engine)
    assert (await witnessed(stage, signer)).findings == []

    await edit(stage, unit)
    assert len((await witnessed(stage, signer)).findings) == 1


@staged
async def test_a_restore_does_not_explain_what_is_older_than_its_backup(
    stage: Stage, tmp_path: Path
) -> None:
    signer, unit = notary(tmp_path), await stage.plan(2)
    line = await signer.take(stage.engine)
    assert line is not None
    await gone(stage, unit)
    await stage.sql(RESTORED.format(taken=line.at, at=line.at + 1))
    await stage.sql("UPDATE incarnations SET name = 'now'")

    told = [one.what for one in (await witnessed(stage, signer)).findings]

    assert "the unit is gone, and stands in checkpoint 1" in told
    assert len(told) == 2


@staged
async def test_another_incarnation_that_no_restore_explains_is_told(
    stage: Stage, tmp_path: Path
) -> None:
    signer = notary(tmp_path)
    await stage.plan(1)
    await signer.take(stage.engine)
    (line,), _ = read_lines(signer.lines(), signer.public())
    other = line.__class__(1, line.at, "elsewhere", line.before, 1, line.heads)

    (finding,) = (await compare(stage.engine, [other])).findings

    assert finding.what == "the database has another incarnation, and no restore tells why"
    name = (await stage.engine.store.health()).incarnation
    assert (finding.unit, finding.sequence) == ("database", 0)
    assert (finding.expected, finding.found) == ("elsewhere", name)


@staged
async def test_lines_that_are_wrong_are_findings(stage: Stage, tmp_path: Path) -> None:
    signer = notary(tmp_path)
    await signer.take(stage.engine)
    await signer.take(stage.engine)
    lines = signer.lines()

    found = await compare(stage.engine, *read_lines(lines[1:], signer.public()))

    assert [str(one) for one in found.findings] == [
        "checkpoint 1, entry 0: it does not follow the line before it"
    ]
