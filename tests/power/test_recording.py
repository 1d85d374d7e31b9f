"""What real children do to their files: all of it is recorded, and what they were promised holds."""

import errno
import random
from pathlib import Path

import pytest

from tests.native import lacks_compiler
from tests.power import log
from tests.power.child import FILE, Spec, nursery
from tests.power.library import order, watched
from tests.power.recording import Recording

pytestmark = pytest.mark.skipif(bool(lacks_compiler()), reason=f"there is no {lacks_compiler()}")

COMMANDS = 24
INDEX = f"{FILE}-shm"


def recorded(folder: Path, root: Path) -> Recording:
    """Record a child that works twice on a new file, and does not close it in the end."""
    path = folder / "log"
    spec = Spec(str(root), 1, COMMANDS, 2, is_closing=False, around=watched(root, log=path))
    assert nursery().run(spec).errors == []
    return Recording(root, log.read(path))


def test_the_recorder_has_seen_everything_that_was_written(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    seen = recorded(tmp_path, root).last()
    there = {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}

    assert {FILE, f"{FILE}-wal", INDEX} < set(there)
    # What is in the index was put there through a mapping.
    assert {**seen, INDEX: b""} == {**there, INDEX: b""}


def test_images_of_a_cut_differ_and_have_the_file_once_somebody_was_answered(
    tmp_path: Path,
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    images = [*recorded(tmp_path, root).images(150, random.Random(1))]  # noqa: S311 (repeatable on purpose)
    acked = [image for image in images if image.written.find(b'"outcome"') >= 0]

    assert len({image.mark for image in images}) == 150
    assert len(acked) > 100
    # Its folder was just made: without the sync of its name it would be missing in some.
    assert all(FILE in image.files for image in acked)


@pytest.mark.parametrize("what", ["write", "sync"])
def test_a_checkpoint_that_fails_is_the_end_of_all_commands(tmp_path: Path, what: str) -> None:
    root, switch = tmp_path / "root", tmp_path / "switch"
    root.mkdir()
    nursery().run(Spec(str(root), 1, 1))
    order(switch, what, ".db", errno.EIO)
    told = nursery().run(
        Spec(str(root), 2, 10 * COMMANDS, is_to_stop=True, around=watched(root, switch=switch))
    )

    assert told.hits == 1
    assert told.taken == []
    assert set(told.errors) == {"STORE_BROKEN"}
