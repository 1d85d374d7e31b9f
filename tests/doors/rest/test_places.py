"""Where everything is, and what is said of a path that is nothing."""

from pathlib import Path

import pytest

from interlock.commands.all import COMMANDS
from interlock.doors.http import NoSuchPath
from interlock.doors.rest.places import OWN, Places

PLACES = Places(COMMANDS.values())


def test_every_row_is_found_at_its_place_and_so_is_the_door_s_own() -> None:
    for row in COMMANDS.values():
        found = PLACES.find(row.path.replace("{", "").replace("}", ""))
        assert found.places[row.method].row is row
        assert found.params == {name: name for name in row.in_path}
    for path in OWN:
        assert PLACES.find(path).places["GET"].row is None


def test_an_id_may_hold_any_character_if_it_is_encoded() -> None:
    found = PLACES.find("/units/a%2Fb%20%C3%A9/audit")

    assert found.params == {"id": "a/b é"}


@pytest.mark.parametrize(
    "path", ["", "/", "/plans/", "//plans", "/plans//next", "/units/%ff", "/x"]
)
def test_what_is_nothing_is_not_found(path: str) -> None:
    with pytest.raises(NoSuchPath):
        PLACES.find(path)


def test_the_nearest_is_named() -> None:
    with pytest.raises(NoSuchPath) as no:
        PLACES.find("/plan")

    assert no.value.fix == "Did you mean /v1/plans?"


def test_every_method_of_a_path_is_known() -> None:
    assert PLACES.find("/plans").methods == ("GET", "HEAD", "POST", "OPTIONS")
    assert PLACES.find("/decisions").methods == ("POST", "OPTIONS")


def test_the_page_for_users_has_every_place() -> None:
    page = (Path(__file__).parents[3] / "docs" / "rest.md").read_text(encoding="utf-8")
    rows = [f"| `{row.http}` | `{row.name}` | {row.scope} |" for row in COMMANDS.values()]

    assert [row for row in rows if row not in page] == []
    assert [path for path in OWN if f"| `GET {path}` |" not in page] == []
