"""The session of a browser: who is in, until it ends."""

import pytest

from interlock.doors.web.session import NEXT_MAX, own_path, to_login, visit_of
from interlock.service.sessions import IDLE_MS, let_in
from tests.doors.test_cookies import asking
from tests.service.folk import first
from tests.stage import Stage, staged


@staged
async def test_who_is_logged_in_is_known_until_the_session_ends(stage: Stage) -> None:
    visit = await let_in(stage.engine, await first(stage, "pam", "viewer"), "link")
    request = asking("https", "agents.example", f"__Host-interlock={visit.secret}")

    found = await visit_of(stage.engine, request)
    assert found is not None
    assert found.person.id == "pam"
    await stage.pass_ms(IDLE_MS)
    assert await visit_of(stage.engine, request) is None


@staged
async def test_without_a_cookie_or_with_a_made_up_one_nobody_is(stage: Stage) -> None:
    for cookie in ("", "__Host-interlock=" + "0" * 40, "__Host-interlock=", "interlock=x"):
        assert await visit_of(stage.engine, asking("https", "agents.example", cookie)) is None


@pytest.mark.parametrize("path", [
    "/", "/gates/gat_1", "/units?kind=plan&q=a%20b", "/a//b", "/a?next=//b", "/~x:y@z", "/" + "x" * 499,
])  # fmt: skip
def test_a_path_of_ours_is_kept(path: str) -> None:
    assert own_path(path) == path


@pytest.mark.parametrize("path", [
    "", "gates", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example",
    "/a\\b", "https://evil.example", "https:evil.example", "javascript:alert(1)", "data:text/html,x",
    "/\t/evil.example", "/\n/evil.example", "\t//evil.example", " //evil.example", "/ /evil.example",
    "/a\r\nSet-Cookie: a=b", "/\x00", "/\x7f", "/\u202e", "/\u2028", "/\u2044evil.example",
    "/gates\n", "/" + "x" * NEXT_MAX,
])  # fmt: skip
def test_anything_else_leads_home(path: str) -> None:
    assert own_path(path) == "/"


@staged
async def test_who_must_log_in_is_sent_there_with_the_page_they_wanted(stage: Stage) -> None:
    def sent(path: str, query: bytes = b"", method: str = "GET", page: str = "") -> str:
        request = asking("https", "agents.example")
        request.scope.update(path=path, query_string=query, method=method)
        return to_login(stage.engine, request, page).headers["location"]

    assert sent("/") == "/login"
    assert sent("/gates/g") == "/login?next=/gates/g"
    assert sent("/board", b"q=a%20b&x=1") == "/login?next=/board%3Fq%3Da%2520b%26x%3D1"
    assert sent("/a b?c") == "/login?next=/a%2520b%253Fc"
    assert sent("//evil.example") == "/login"
    assert sent("/x" * 300) == "/login"
    assert sent("/account/password", method="POST") == "/login"
    assert sent("/account/password", method="POST", page="/account") == "/login?next=/account"
