"""What an error says where it is raised is found, however the text came about."""

from pathlib import Path
from textwrap import dedent

import pytest

from tools.error_sites import Site, sites


def found(folder: Path, source: str) -> list[Site]:
    (folder / "a").mkdir()
    (folder / "a" / "b.py").write_text(dedent(source), encoding="utf-8")
    told = sites(folder)
    assert {one.where for one in told} <= {"a.b"}
    return [one._replace(where="") for one in told]


@pytest.mark.parametrize(
    ("source", "message", "fix"),
    [
        ('raise Wrong("It is.", fix="Mend it.")', "It is.", "Mend it."),
        ('raise Wrong(f"{x} is.", fix=f"Say {y!r}.")', "… is.", "Say …."),
        ('FIX = "Mend it."\nraise Wrong("It is.", fix=FIX)', "It is.", "Mend it."),
        ('FIX = "Mend."\nraise Wrong("It is.", fix=f"Go. {FIX}")', "It is.", "Go. Mend."),
        ('raise Wrong("a" if x else "b", fix="c")', "a\nb", "c"),
        ('m, f = "a", "b"\nraise Wrong(m, fix=f)', "a", "b"),
        ('raise Wrong("a: " + "; ".join(x) + ".", fix="b")', "a: ….", "b"),
        ("raise Wrong(x, fix=y)", "", ""),
        ('raise place.Wrong("a", fix="b")', "a", "b"),
    ],
)
def test_a_text_is_read_as_far_as_it_stands_there(
    tmp_path: Path, source: str, message: str, fix: str
) -> None:
    assert found(tmp_path, source) == [Site("Wrong", message, fix)]


def test_names_stand_for_what_their_own_function_says(tmp_path: Path) -> None:
    source = """
        def one():
            if x:
                message = "a"
            else:
                message = "b"
            raise Wrong(message, fix="c")

        async def two():
            message = "d"
            raise Wrong(message, fix="e")
    """

    assert found(tmp_path, source) == [Site("Wrong", "a\nb", "c"), Site("Wrong", "d", "e")]


def test_what_was_said_before_another_raise_is_not_said_after_it(tmp_path: Path) -> None:
    source = """
        def one():
            message, fix = "a", "b"
            if x:
                message = "c"
                raise Wrong(message, fix="d")
            match y:
                case 1:
                    fix = "e"
                case _:
                    fix = "f"
            try:
                z()
            except Error as exc:
                raise Wrong(message, fix=fix) from exc
    """

    assert found(tmp_path, source) == [Site("Wrong", "c", "d"), Site("Wrong", "a", "e\nf")]


def test_an_error_that_words_itself_is_found_by_its_own_name(tmp_path: Path) -> None:
    source = """
        class Wrong(Error):
            def __init__(self, name):
                super().__init__(f"There is no {name}.", fix="Look.")
    """

    assert found(tmp_path, source) == [Site("Wrong", "There is no ….", "Look.")]


def test_the_same_is_told_once_and_what_has_no_fix_is_no_error(tmp_path: Path) -> None:
    source = 'print("x")\nraise Wrong("a", fix="b")\nraise Wrong("a", fix="b")'

    assert found(tmp_path, source) == [Site("Wrong", "a", "b")]
