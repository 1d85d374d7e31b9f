"""The switch between the run of every day and the long one."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make conformance-long` ask for the large bounds."""
    parser.addoption("--long", action="store_true", help="conformance at large bounds: minutes")
