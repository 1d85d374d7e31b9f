"""The client's modules as they are made from the rows."""

from pathlib import Path

import pytest

from tools.client_methods import _spelled, client_pages


def test_they_are_up_to_date() -> None:
    for path, text in client_pages().items():
        assert path.read_text(encoding="utf-8") == text, path
        assert "Do not edit." in text


def test_every_module_is_made_beside_the_client() -> None:
    made = {path.name for path in client_pages()}

    assert {"places.py", "methods.py", "research.py"} <= made
    assert {path.parent for path in client_pages()} == {Path("src/interlock/client")}


def test_a_type_that_nobody_can_write_is_an_error() -> None:
    with pytest.raises(TypeError, match="bytes"):
        _spelled(bytes, set())
