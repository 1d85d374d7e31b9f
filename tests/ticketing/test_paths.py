"""Names of files: relative and inside, or none at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.ticketing.paths import normal_path


@pytest.mark.parametrize(
    ("said", "path"),
    [("src/a.py", "src/a.py"), ("./src//a.py", "src/a.py"), (" docs/ ", "docs"), (".github/x", ".github/x"),
     ("a b/ü.py", "a b/ü.py"), ("src/..a", "src/..a"), (".gitignore", ".gitignore")],
)  # fmt: skip
def test_a_path_inside_is_written_in_one_way(said: str, path: str) -> None:
    assert normal_path(said) == path


@pytest.mark.parametrize(
    "said",
    ["", " ", ".", "/", "/etc/passwd", "../x", "a/../../x", "a/..", "~/x", "C:\\x", "C:/x", "a\\b",
     "a\nb", "a\0b", ".git/hooks/pre-commit", ".GIT/config", "./.git", "a/.git/config", "./~", "./ x", ".ticket/prd.yaml", "x" * 1001],
)  # fmt: skip
def test_what_leads_elsewhere_is_no_path(said: str) -> None:
    assert normal_path(said) is None


@given(st.text("ab ./~\\:", max_size=12))
def test_a_path_that_is_taken_stays_as_it_is_and_never_climbs(said: str) -> None:
    path = normal_path(said)

    if path is not None:
        assert normal_path(path) == path
        assert not path.startswith("/")
        assert ".." not in path.split("/")
