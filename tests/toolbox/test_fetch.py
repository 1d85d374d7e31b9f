"""Pages are fetched from allowed hosts only, never from within, wherever a redirect leads."""

import asyncio

import pytest

from interlock.toolbox import fetch as module
from interlock.toolbox.around import Around
from interlock.toolbox.fetch import BYTES_MAX, fetch, http_fetch
from interlock.toolbox.tool import ToolFailure
from tests.toolbox.calls import fails, fits
from tests.toolbox.pages import SITE, Page, Site, site

HOSTS = ("data.example", ".parts.example")
JSON = {"Content-Type": "application/ld+json; charset=utf-8"}


def read(found: Site, url: str, hosts: tuple[str, ...] = HOSTS) -> dict[str, object]:
    return asyncio.run(fetch(url, hosts, found.find))


def refused(found: Site, url: str, hosts: tuple[str, ...] = HOSTS) -> ToolFailure:
    with pytest.raises(ToolFailure) as no:
        read(found, url, hosts)
    return no.value


def moved(to: str, status: int = 302) -> Page:
    return Page(status=status, headers={"Location": to})


def test_a_page_is_text_or_json() -> None:
    latin = {"Content-Type": 'text/html; charset="latin-1"'}
    with site(a=Page(b"h\xe4", headers=latin), b=Page(b'{"n": [1]}', headers=JSON)) as found:
        text = read(found, f"{SITE}/a?q=1")
        value = read(found, "https://x.parts.example/b")

    assert text == {
        "url": f"{SITE}/a?q=1",
        "status": 200,
        "content_type": "text/html",
        "body": "hä",
    }
    assert (value["content_type"], value["body"]) == ("application/ld+json", {"n": [1]})
    assert found.heard == [("data.example", "/a?q=1"), ("x.parts.example", "/b")]


@pytest.mark.parametrize(
    "url",
    ["https://other.example/a", "https://data.example.evil.example/a", "https://parts.example/a",
     "https://xdata.example/a", "https://data.example@other.example/a"],
)  # fmt: skip
def test_a_host_that_is_not_allowed_is_not_even_looked_up(url: str) -> None:
    with site(a=Page()) as found:
        failure = refused(found, url)

    assert failure.failure in ("configuration", "user_correctable")
    assert (found.looked_up, found.heard) == ([], [])


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://169.254.169.254/latest",
     "https://10.0.0.1/", "https://[::ffff:10.0.0.1]/", "https://224.0.0.1/", "https://0.0.0.0/",
     "https://2130706433/", "https://[fe80::1]/", "http://93.184.215.14/", "file:///etc/passwd"],
)  # fmt: skip
def test_what_lies_within_is_refused_even_if_it_is_allowed(url: str) -> None:
    hosts = ("127.0.0.1", "localhost", "::1", "169.254.169.254", "10.0.0.1", "::ffff:10.0.0.1",
             "224.0.0.1", "0.0.0.0", "2130706433", "fe80::1", "93.184.215.14")  # fmt: skip # noqa: S104
    failure = fails(http_fetch, Around(fetch_hosts=hosts), url=url)

    assert failure.failure == "user_correctable"


def test_a_redirect_is_followed_where_each_place_may_be_read() -> None:
    with site(a=moved("/b"), b=moved("https://x.parts.example/c", 308), c=Page(b"c")) as found:
        page = read(found, f"{SITE}/a")

    assert (page["url"], page["body"]) == ("https://x.parts.example/c", "c")
    assert found.looked_up == [f"{SITE}/a", f"{SITE}/b", "https://x.parts.example/c"]


@pytest.mark.parametrize(
    ("to", "failure"),
    [
        ("https://other.example/", "configuration"), ("https://127.0.0.1/", "user_correctable"),
        ("//169.254.169.254/latest", "user_correctable"), ("ftp://data.example/", "user_correctable"),
        ("http://localhost/", "user_correctable"), ("https://[x", "user_correctable"),
    ],
)  # fmt: skip
def test_a_redirect_leads_nowhere_else(to: str, failure: str) -> None:
    hosts = (*HOSTS, "127.0.0.1", "169.254.169.254", "localhost")
    with site(a=moved(to)) as found:
        assert refused(found, f"{SITE}/a", hosts).failure == failure

    assert found.heard == [("data.example", "/a")]


def test_redirects_come_to_an_end() -> None:
    with site(a=moved("/a")) as found:
        assert "moves more than 5 times" in refused(found, f"{SITE}/a").message

    assert len(found.heard) == 6


@pytest.mark.parametrize(
    ("status", "failure"),
    [(500, "transient"), (503, "transient"), (429, "transient"), (404, "user_correctable"),
     (403, "user_correctable"), (304, "user_correctable")],
)  # fmt: skip
def test_an_answer_that_is_no_page_fails_by_its_status(status: int, failure: str) -> None:
    with site(a=Page(status=status)) as found:
        assert refused(found, f"{SITE}/a").failure == failure


def test_a_page_is_small_plain_and_text() -> None:
    zipped = {"Content-Type": "text/plain", "Content-Encoding": "gzip"}
    pages = {
        "large": Page(b"x" * (BYTES_MAX + 1)), "zipped": Page(b"\x1f\x8b", headers=zipped),
        "image": Page(b"\x89PNG", headers={"Content-Type": "image/png"}), "none": Page(b"?", headers={}),
        "broken": Page(b"{", headers=JSON), "whole": Page(b"x" * BYTES_MAX),
    }  # fmt: skip
    with site(**pages) as found:
        told = {name: refused(found, f"{SITE}/{name}") for name in pages if name != "whole"}
        assert len(str(read(found, f"{SITE}/whole")["body"])) == BYTES_MAX

    assert {name: one.failure for name, one in told.items()} == {
        "large": "user_correctable", "zipped": "user_correctable", "image": "user_correctable",
        "none": "user_correctable", "broken": "validation",
    }  # fmt: skip


def test_a_page_that_takes_too_long_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT_S", 0.2)
    with site(a=Page(after_s=1.0)) as found:
        failure = refused(found, f"{SITE}/a")

    assert (failure.failure, failure.resource_down) == ("transient", False)


def test_where_nobody_listens_the_resource_is_down() -> None:
    with site() as found:
        pass
    failure = refused(found, f"{SITE}/a")

    assert (failure.failure, failure.resource_down) == ("transient", True)


def test_without_hosts_it_is_off() -> None:
    failure = fails(http_fetch, url="https://data.example/")

    assert failure.failure == "resource_unavailable"
    assert "INTERLOCK_FETCH_HOSTS" in failure.detail
    assert http_fetch.resources == ("http",)
    assert not fits(http_fetch, url="https://data.example/", method="POST")
