"""Names: what some system takes for .git, what cannot be told, what differs in case alone."""

import os

import pytest

from interlock.worker.workspace.names import collisions, folders_of, is_dot_git, shown, wrong_with


@pytest.mark.parametrize(
    "name",
    [
        ".git",
        ".GIT",
        ".Git ",
        ".git.",
        ".git. .",
        "git~1",
        "GIT~12",
        ".git::$INDEX",
        ".g\u200cit",
        "\ufeff.git",
    ],
)
def test_what_a_system_takes_for_it(name: str) -> None:
    assert is_dot_git(name)
    assert "cannot be seen" in wrong_with(f"a/{name}") or ".git" in wrong_with(f"a/{name}")


@pytest.mark.parametrize(
    "name", [".gitignore", ".github", "git", ".gitlab-ci.yml", "a.git", "git~", ".gita"]
)
def test_what_is_only_alike(name: str) -> None:
    assert not is_dot_git(name)
    assert wrong_with(name) == ""


def test_what_is_too_long_is_wrong() -> None:
    assert "too long" in wrong_with("x" * 256)
    assert "too long" in wrong_with("x/" * 600)
    assert wrong_with("ü" * 127) == ""


def test_what_is_no_text_can_still_be_shown() -> None:
    path = os.fsdecode(b"a\xffb")
    assert shown(path) == "a?b"
    assert shown("ü") == "ü"


def test_case_alone_is_seen_in_folders_too() -> None:
    there = ["README", "src/a", "src/b"]
    assert dict(collisions(["Readme"], there)) == {"Readme": "README"}
    assert dict(collisions(["SRC/c", "src/c"], [*there, "SRC/c", "src/c"])) == {
        "SRC/c": "src/c", "src/c": "SRC/c",
    }  # fmt: skip
    assert dict(collisions(["u\u0308"], ["\u00fc"])) == {"u\u0308": "\u00fc"}
    assert dict(collisions(["src/d"], there)) == {}


def test_folders_come_from_the_inside_out() -> None:
    assert list(folders_of("a/b/c")) == ["a/b", "a"]
    assert list(folders_of("a")) == []
