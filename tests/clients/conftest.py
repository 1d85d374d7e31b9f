"""What every client in these tests stands between: a model's endpoint and a server of ours."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.model import Model, model
from tests.doors.mcp.clients import Serving, serving


@pytest.fixture
def endpoint() -> Iterator[Model]:
    """A stand-in for the model."""
    with model() as made:
        yield made


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    """An ``interlock serve`` in a process of its own."""
    with serving(tmp_path / "data") as made:
        yield made
