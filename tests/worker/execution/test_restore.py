"""After a failure the tree is put back where the ticket stands, unless it is to be finalised."""

from pathlib import Path

import pytest

from interlock.worker.agents.script import Turn
from interlock.worker.execution.job import CannotWork
from tests.worker.execution.ground import DONE, Ground, ground_in


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def test_what_was_begun_is_gone(ground: Ground) -> None:
    (ground.tree.folder / "half.py").write_text("x")
    (ground.tree.folder / "shop.py").write_text("spoiled")

    report = ground.do("restore")

    assert report == {"restored": True, "finalise": False}
    assert not (ground.tree.folder / "half.py").exists()
    assert (ground.tree.folder / "shop.py").read_text() == "def sell(): ...\n"


def test_what_was_green_is_left_only_if_it_is_still_there(ground: Ground) -> None:
    ground.says(code=Turn(DONE, files={"pears.py": "pears\n"}))
    green = {"bead": "pears", "tree": ground.do("code")["tree"]}

    kept = ground.do("restore", finalise=green)
    assert (ground.tree.folder / "pears.py").exists()
    (ground.tree.folder / "pears.py").write_text("other\n")
    gone = ground.do("restore", finalise=green)

    assert (kept["finalise"], gone["finalise"]) == (True, False)
    assert not (ground.tree.folder / "pears.py").exists()


def test_a_head_that_is_not_here_cannot_be_restored(ground: Ground) -> None:
    with pytest.raises(CannotWork, match="cannot be restored"):
        ground.do("restore", tree={"head": "0" * 40})
