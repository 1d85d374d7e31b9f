"""Documents in a working tree: whole, by digest, out of git's sight, and never through a link."""

import asyncio
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from interlock.client.errors import Unreachable
from interlock.wire.envelope import Envelope
from interlock.worker.work import HandIn, Work
from interlock.worker.workspace.mirror import (
    Document,
    NotMirrored,
    documents_of,
    mirror,
    mirrored,
    reader,
)
from tests.stage import opened
from tests.tickets import answer, claim, said, status_of
from tests.worker.execution.test_hands import begun, run
from tests.worker.ways import Way
from tests.worker.workspace.repositories import plain, repository

TEXT = b"artifact: prd\n"


def digest(text: bytes) -> str:
    return sha256(text).hexdigest()


def written(tree: Path, path: str = "prd.yaml", text: bytes = TEXT, kept: bytes = b"") -> int:
    """Mirror a document; ``kept`` is what the server has of it, if that is something else."""

    async def read(_: str) -> bytes:
        return kept or text

    return asyncio.run(mirror(tree, [Document(path, digest(text))], read))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return repository(tmp_path / "there")


def test_a_document_is_written_once_and_again_when_it_has_changed(tree: Path) -> None:
    assert written(tree) == 1
    assert (tree / ".ticket" / "prd.yaml").read_bytes() == TEXT
    assert written(tree) == 0, "it is there"
    (tree / ".ticket" / "prd.yaml").write_text("edited by an agent")
    assert written(tree) == 1
    assert written(tree, text=b"a newer version\n") == 1
    assert (tree / ".ticket" / "prd.yaml").read_text() == "a newer version\n"
    assert [one.name for one in (tree / ".ticket").iterdir()] == ["prd.yaml"], "nothing is left"


def test_git_does_not_see_the_folder_and_keeps_what_it_left_out_before(tree: Path) -> None:
    exclude = tree / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("*.log")
    written(tree)
    written(tree, text=b"another\n")

    assert exclude.read_text() == "*.log\n/.ticket/\n"
    assert plain(tree, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "path", ["../prd.yaml", "/etc/x", "a/b.yaml", ".hidden", "", "x" * 80, "A.yaml", "a..yaml"]
)
def test_a_name_that_leads_elsewhere_is_refused(tree: Path, path: str) -> None:
    with pytest.raises(NotMirrored, match="no name of a document"):
        written(tree, path)
    assert not (tree / ".ticket").exists()


def test_what_has_another_digest_is_not_written(tree: Path) -> None:
    with pytest.raises(NotMirrored, match="its digest differs"):
        written(tree, kept=b"something else")
    assert not (tree / ".ticket" / "prd.yaml").exists()


def test_links_that_an_agent_has_left_lead_nowhere(tree: Path, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (away / "prd.yaml").write_bytes(TEXT)
    (tree / ".ticket").symlink_to(away)
    assert written(tree, text=b"mine\n") == 1
    assert (away / "prd.yaml").read_bytes() == TEXT, "nothing is written through a link"
    assert not (tree / ".ticket").is_symlink()

    (tree / ".ticket" / "prd.yaml").unlink()
    (tree / ".ticket" / "prd.yaml").symlink_to(away / "prd.yaml")
    assert written(tree) == 1, "a link is no document, whatever it leads to"
    assert not (tree / ".ticket" / "prd.yaml").is_symlink()

    info = tree / ".git" / "info"
    if info.is_dir():
        (info / "exclude").unlink()
        info.rmdir()
    info.symlink_to(away)
    written(tree)
    assert not (away / "exclude").exists()


def test_what_stands_in_its_place_gives_way(tree: Path) -> None:
    (tree / ".ticket" / "prd.yaml" / "deep").mkdir(parents=True)
    assert written(tree) == 1
    os.mkfifo(tree / ".ticket" / "interview.yaml")
    assert written(tree, "interview.yaml") == 1
    (tree / ".ticket" / "interview.yaml").unlink()
    (tree / ".ticket" / "prd.yaml").unlink()
    (tree / ".ticket").rmdir()
    (tree / ".ticket").write_text("a file")
    assert written(tree) == 1


def test_what_is_no_working_tree_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        written(tmp_path)


# -- with a server -----------------------------------------------------------------------------


def test_documents_lie_there_before_an_agent_is_asked(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            name = await begun(stage, there)
            await run(stage, tmp_path / "data")
            part = await claim(stage, name)
            assert documents_of(as_work(name, part)) == ()
            await answer(stage, part, said(part["task"]))
            part = await claim(stage, name, "ann")
            seen: list[str] = []
            tree = tmp_path / "data" / "workspaces" / name / "tree"

            async def asked(_: Work, __: HandIn) -> str:
                seen.append((tree / ".ticket" / "relevant_files.yaml").read_text())
                return "asked"

            way = Way(stage)
            runs = mirrored(asked, tmp_path / "data" / "workspaces", way.call)
            assert await runs(as_work(name, part), nothing) == "asked"
            known = (await status_of(stage, name))["documents"]
            assert digest(seen[0].encode()) == known["relevant_files"]
            elsewhere = mirrored(asked_only, tmp_path / "other", way.call)
            assert await elsewhere(as_work(name, part), nothing) == "asked", "no tree, no files"

    asyncio.run(story())


def test_what_cannot_be_mirrored_fails_with_a_reason_and_a_server_away_is_waited_for(
    tmp_path: Path,
) -> None:
    there = repository(tmp_path / "ticket-1" / "tree").parent
    handed: list[Mapping[str, object]] = []
    told = {"task": {"documents": [{"path": "prd.yaml", "digest": digest(TEXT)}]}}
    work = Work("ticket-1", "ticket-1.1", "assignment", "x", 1.0, told)

    async def hand_in(command: str, said: Mapping[str, object]) -> Envelope:
        handed.append({"command": command, **said})
        return Envelope(status="ok")

    async def other(*_: object) -> Envelope:
        return Envelope(status="ok", data={"encoding": "text", "content": "another"})

    async def away(*_: object) -> Envelope:
        raise Unreachable("It does not answer.")

    async def story() -> None:
        said = await mirrored(asked_only, there.parent, other)(work, hand_in)
        assert "its digest differs" in said
        assert handed == [{"command": "fail_work", "reason": said}]
        with pytest.raises(Unreachable):
            await mirrored(asked_only, there.parent, away)(work, hand_in)
        assert len(handed) == 1, "nothing is failed for it"

    asyncio.run(story())


def test_a_long_document_is_read_page_by_page(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            name = await begun(stage, tmp_path / "there")
            part = await claim(stage, name)
            files = [f"src/a_rather_long_name_of_a_file_{n:05}.py" for n in range(4_000)]
            await answer(stage, part, {"listing": {"files": files, "is_whole": True}})
            known = (await status_of(stage, name))["documents"]["repository"]
            way = Way(stage)
            text = await reader(way.call, name)(known)
            assert digest(text) == known
            assert len([one for one in way.sent if one[0] == "get_content"]) > 1

    asyncio.run(story())


def as_work(name: str, part: Mapping[str, object]) -> Work:
    return Work(name, str(part["part_id"]), "assignment", "x", 1.0, part)


async def asked_only(_: Work, __: HandIn) -> str:
    return "asked"


async def nothing(*_: object) -> Envelope:
    raise AssertionError
