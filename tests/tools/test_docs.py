"""Generated pages: up to date in this tree, and noticed when they are not."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.parcel import PARCEL
from tools import docs
from tools.client_methods import client_pages
from tools.plugin_pages import plugin_pages

ROOT = Path(__file__).parents[2]
PARCELS = {"parcel": PARCEL}
ALL = [
    Path("docs/errors.md"),
    Path("docs/machines/README.md"),
    Path("docs/machines/parcel.md"),
    Path("docs/machines/parcel.svg"),
]
MADE = (Path("docs/openapi.json"), Path("docs/promises.md"))
EVERYTHING = sorted([*ALL, *MADE, *plugin_pages(), *client_pages()])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything, written once; nobody changes it there."""
    folder = tmp_path_factory.mktemp("written")
    docs.write(folder, PARCELS)
    return folder


@pytest.fixture
def root(written: Path, tmp_path: Path) -> Path:
    return shutil.copytree(written, tmp_path, dirs_exist_ok=True)


def test_the_pages_in_this_tree_are_up_to_date() -> None:
    assert docs.stale(ROOT, WORKFLOWS) == [], "run `make docs`"


def test_everything_is_stale_at_first_and_nothing_once_it_is_written(tmp_path: Path) -> None:
    assert docs.stale(tmp_path, PARCELS) == EVERYTHING
    assert docs.write(tmp_path, PARCELS) == EVERYTHING
    assert docs.stale(tmp_path, PARCELS) == []
    assert docs.write(tmp_path, PARCELS) == []


def test_a_page_changed_by_hand_is_stale_and_made_again(root: Path) -> None:
    page = root / ALL[2]
    before = page.read_text(encoding="utf-8")
    page.write_text(before.replace("loose", "tight"), encoding="utf-8")

    assert docs.stale(root, PARCELS) == [ALL[2]]
    docs.write(root, PARCELS)
    assert page.read_text(encoding="utf-8") == before


def test_a_changed_table_makes_page_picture_and_index_stale(root: Path) -> None:
    changed = {"parcel": replace(PARCEL, lifts=PARCEL.lifts[1:])}

    assert docs.stale(root, changed) == ALL[1:]


def test_a_changed_refusal_makes_the_page_of_errors_stale(root: Path) -> None:
    rules = (replace(PARCEL.rules[0], guards=PARCEL.rules[0].guards[1:]), *PARCEL.rules[1:])

    assert ALL[0] in docs.stale(root, {"parcel": replace(PARCEL, rules=rules)})


def test_a_picture_laid_out_with_other_fonts_is_not_stale(root: Path) -> None:
    picture = root / ALL[3]
    text = picture.read_text(encoding="utf-8").replace('font-size="12.00"', 'font-size="12.50"')
    picture.write_text(text, encoding="utf-8")

    assert docs.stale(root, PARCELS) == []


def test_a_page_that_nothing_makes_any_more_is_stale_and_taken_away(root: Path) -> None:
    left = [Path("docs/machines/letter.md"), Path("plugin/skills/letter.md")]
    for path in left:
        (root / path).write_text("# letter\n", encoding="utf-8")

    assert docs.stale(root, PARCELS) == left
    docs.write(root, PARCELS)
    assert not any((root / path).exists() for path in left)


def test_the_check_lists_what_is_stale_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = docs.main(["--check"], tmp_path)

    assert code == 1
    assert "docs/machines/plan.md: stale; run `make docs`" in capsys.readouterr().out.splitlines()
    assert list(tmp_path.iterdir()) == []


def test_writing_tells_what_was_written_and_then_the_check_is_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert docs.main([], tmp_path) == 0
    assert "wrote docs/machines/ticket.svg" in capsys.readouterr().out.splitlines()
    assert docs.main(["--check"], tmp_path) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.long("draws everything twice more")
def test_the_pages_do_not_depend_on_the_order_of_hashes() -> None:
    tell = (
        "import hashlib; from tools import docs; from interlock.workflows.built_in import WORKFLOWS;"
        "made = {**docs.pages(WORKFLOWS), **docs.drawings(WORKFLOWS)};"
        "print(hashlib.sha256(repr(sorted(made.items())).encode()).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", tell],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(said) == 1
