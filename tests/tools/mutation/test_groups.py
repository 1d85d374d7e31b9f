"""Groups: every pattern fits a module, every test is there, and each word leaves some test out."""

from pathlib import Path

from tools.mutation.groups import PACKAGE, Group, groups

ROOT = Path(__file__).parents[3]


def test_every_pattern_fits_a_module() -> None:
    patterns = [one for group in groups().values() for one in group.modules + group.spared]

    assert [one for one in patterns if not list((ROOT / PACKAGE).glob(one))] == []


def test_no_module_is_in_two_groups() -> None:
    found = [path for group in groups().values() for path in group.files(ROOT)]

    assert sorted(set(found)) == sorted(found)


def test_every_test_is_there() -> None:
    patterns = [one for group in groups().values() for one in group.tests]

    assert [one for one in patterns if not list(ROOT.glob(one))] == []


def test_a_star_stays_within_its_folder_and_what_is_spared_is_left_out(tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "deep/c.py"):
        file = tmp_path / PACKAGE / "kernel" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    group = Group("one", ("kernel/*.py",), ("src/*",), spared=("kernel/b.py",))

    assert group.files(tmp_path) == ["src/interlock/kernel/a.py"]
    assert group.test_files(tmp_path) == ["src/interlock"]


def test_fields_are_read_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "groups.toml"
    file.write_text('[one]\nmodules = ["a.py"]\ntests = ["t"]\nslow = ["s"]\n')

    (group,) = groups(file).values()

    assert (group.name, group.modules, group.tests) == ("one", ("a.py",), ("t",))
    assert (group.slow, group.spared) == (("s",), ())
