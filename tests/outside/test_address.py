"""Where a hook may send to: what lies on this machine or in its network is refused."""

import asyncio

import pytest

from interlock.outside.address import AddressRefused, check_url, resolve

PRIVATE = [
    "https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/",
    "https://localhost/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://0.0.0.0/",
    "https://[::]/", "https://10.1.2.3/", "https://172.16.0.1/", "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/", "https://[fe80::1]/", "https://[fd00::1]/",
    "https://100.64.0.1/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/",
    "https://224.0.0.1/", "https://255.255.255.255/",
]  # fmt: skip
NONSENSE = [
    "", "x", "ftp://example.org/", "file:///etc/passwd", "https://", "https:///a", "//a.example/",
    "https://a.example:0/", "https://a.example:x/", "https://u:p@a.example/", "https://a.example/#b",
    "https://a b/", "https://a.example/\n", "gopher://a.example/", "https://ä.example/",
    f"https://a.example/{'x' * 2_000}",
]  # fmt: skip


@pytest.mark.parametrize("url", PRIVATE)
def test_what_lies_within_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        asyncio.run(resolve(url, is_private_allowed=False))


@pytest.mark.parametrize("url", NONSENSE)
def test_what_is_no_address_of_the_web_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        check_url(url)


def test_outside_of_this_machine_only_https_is_spoken() -> None:
    for url in ("http://93.184.215.14/", "http://10.1.2.3/"):
        with pytest.raises(AddressRefused, match="https"):
            asyncio.run(resolve(url, is_private_allowed=True))


def test_where_the_operator_allows_it_one_may_go_within() -> None:
    target = asyncio.run(resolve("http://127.0.0.1:8080/a?b=1", is_private_allowed=True))

    assert (target.url, target.host) == ("http://127.0.0.1:8080/a?b=1", "127.0.0.1")


def test_what_was_checked_is_connected_to_under_its_own_name() -> None:
    target = asyncio.run(resolve("https://93.184.215.14/", is_private_allowed=False))
    by_name = asyncio.run(resolve("http://localhost:81/x", is_private_allowed=True))

    assert (target.url, target.header) == ("https://93.184.215.14:443/", "93.184.215.14")
    assert by_name.url in ("http://127.0.0.1:81/x", "http://[::1]:81/x")
    assert (by_name.host, by_name.header) == ("localhost", "localhost:81")


def test_a_name_that_nobody_has_is_told() -> None:
    with pytest.raises(AddressRefused, match="not known"):
        asyncio.run(resolve("https://nobody.invalid/", is_private_allowed=False))
