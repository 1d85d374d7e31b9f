"""Checkpoints are appended to a file outside of the database, by one at a time, with one key."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.service.checkpoint import public_text, read_lines
from interlock.service.notary import CheckpointRefused, Notary, read_public
from tests.stage import ADA, AWAY, EVE, HOME, Stage, staged


def notary(folder: Path) -> Notary:
    return Notary(folder / "out" / "checkpoints.jsonl", folder / "keys" / "checkpoint.key")


@staged
async def test_a_line_tells_the_heads_that_no_line_before_tells(
    stage: Stage, tmp_path: Path
) -> None:
    signer = notary(tmp_path)
    unit, foreign = await stage.plan(2), await stage.plan(1, EVE)
    first = await signer.take(stage.engine)
    assert first is not None
    assert {(head.tenant, head.unit) for head in first.heads} == {(HOME, unit), (AWAY, foreign)}

    await stage.claim(unit)
    second = await signer.take(stage.engine)
    assert second is not None
    (head,) = second.heads
    row = (await stage.whole(unit)).row
    assert head == (HOME, unit, row.version, row.head)
    assert (second.number, second.units) == (2, 2)
    assert (await stage.engine.store.health()).incarnation == second.incarnation

    found, wrong = read_lines(signer.lines(), signer.public())
    assert (found, wrong) == ((first, second), ())


@staged
async def test_one_that_is_young_enough_is_left_as_the_last(stage: Stage, tmp_path: Path) -> None:
    signer = notary(tmp_path)
    await signer.take(stage.engine, 60_000)
    assert await signer.take(stage.engine, 60_000) is None
    assert await signer.take(stage.engine) is not None


@staged
async def test_of_many_at_once_each_follows_the_one_before(stage: Stage, tmp_path: Path) -> None:
    signer = notary(tmp_path)
    signer.key()
    await stage.plan(1, ADA)

    await asyncio.gather(*(signer.take(stage.engine) for _ in range(8)))

    found, wrong = read_lines(signer.lines(), signer.public())
    assert ([one.number for one in found], wrong) == (list(range(1, 9)), ())


@staged
async def test_a_line_that_was_not_ended_is_none(stage: Stage, tmp_path: Path) -> None:
    signer = notary(tmp_path)
    await signer.take(stage.engine)
    with signer.file.open("ab") as file:
        file.write(b'{"checkpoint":2,"at')
    assert len(signer.lines()) == 1

    await signer.take(stage.engine)

    assert read_lines(signer.lines(), signer.public())[1] == ()
    assert len(signer.lines()) == 2


@staged
async def test_a_file_whose_lines_are_wrong_gets_no_more(stage: Stage, tmp_path: Path) -> None:
    signer = notary(tmp_path)
    await signer.take(stage.engine)
    text = signer.file.read_text(encoding="utf-8").replace('"units":0', '"units":1')
    signer.file.write_text(text, encoding="utf-8")

    with pytest.raises(CheckpointRefused, match="Line 1"):
        await signer.take(stage.engine)
    assert signer.file.read_text(encoding="utf-8") == text


@staged
async def test_where_nothing_can_be_written_the_chore_logs_it(
    stage: Stage, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "out").write_text("a file", encoding="utf-8")

    await notary(tmp_path).take_due(stage.engine, 1)

    assert "no checkpoint was taken" in caplog.text


@staged
async def test_the_chore_takes_one_when_it_is_time(stage: Stage, tmp_path: Path) -> None:
    signer = notary(tmp_path)
    await signer.take_due(stage.engine, 5)
    os.utime(signer.file, (stage.clock.now() / 1000,) * 2)
    await signer.take_due(stage.engine, 5)
    assert len(signer.lines()) == 1

    long_ago = stage.clock.now() / 1000 - 3_600
    os.utime(signer.file, (long_ago, long_ago))
    # The line itself says when it was: a file that was only touched is not believed.
    await signer.take_due(stage.engine, 5)
    assert len(signer.lines()) == 1


def test_the_key_is_made_once_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    signer = notary(tmp_path)
    with pytest.raises(CheckpointRefused):
        signer.public()

    one, two = signer.key(), signer.key()

    assert public_text(one.public_key()) == public_text(two.public_key())
    assert signer.key_file.stat().st_mode & 0o777 == 0o600
    read = read_public(public_text(signer.public()) + "\n")
    assert public_text(read) == public_text(one.public_key())


@pytest.mark.parametrize(
    "content", ["", "x", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----"]
)
def test_a_file_that_holds_no_key_is_told(tmp_path: Path, content: str) -> None:
    signer = replace(notary(tmp_path), key_file=tmp_path / "key")
    signer.key_file.write_text(content, encoding="utf-8")

    with pytest.raises(CheckpointRefused, match="holds no key"):
        signer.key()


@pytest.mark.parametrize("text", ["", "zz", "00" * 31, "ü"])
def test_what_is_no_public_key_is_told(text: str) -> None:
    with pytest.raises(CheckpointRefused, match="no public key"):
        read_public(text)
