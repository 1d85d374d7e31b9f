"""The browser that all tests of a process share."""

from collections.abc import Iterator

import pytest

from tests.browser.chrome import Chrome


@pytest.fixture(scope="session")
def chrome() -> Iterator[Chrome]:
    """A Chromium; every test opens windows of its own in it."""
    browser = Chrome()
    yield browser
    browser.close()
