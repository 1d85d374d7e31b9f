"""The session of a browser: who is in, until it ends."""

from interlock.doors.web.session import visit_of
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
