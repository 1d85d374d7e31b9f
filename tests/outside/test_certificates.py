"""Certificates are read once, and are those that a client would read by itself."""

import ssl
from collections.abc import Iterator
from inspect import unwrap
from pathlib import Path

import httpcore2
import pytest

from interlock.outside.certificates import certificates


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Remember nothing: neither what we have read, nor what all tests share."""
    shared = httpcore2.default_ssl_context
    monkeypatch.setattr(httpcore2, "default_ssl_context", unwrap(shared))
    certificates.cache_clear()
    yield
    certificates.cache_clear()


def test_they_are_read_once_and_believed_as_by_default() -> None:
    found = certificates()

    assert certificates() is found
    assert found.verify_mode is ssl.CERT_REQUIRED
    assert found.check_hostname


def test_the_environment_names_others_only_where_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))

    with pytest.raises(FileNotFoundError):
        certificates(trust_env=True)
    assert certificates(trust_env=False) is certificates(trust_env=False)
