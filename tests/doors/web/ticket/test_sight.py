"""The page of a ticket: the view follows its phase, and the past can only be looked at."""

from interlock.doors.web.guest import rows
from tests.doors.web.browser import Browser
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.scenes import approve, approving, asking, blocked, voting
from tests.stage import PAT, Stage, staged
from tests.tickets import ticket


def _now(browser: Browser) -> str:
    return browser.text.partition('id="now"')[2].partition("</div>")[0]


@staged
async def test_each_phase_has_its_view_and_says_what_is_asked(stage: Stage) -> None:
    browser = await entered(stage)
    scenes = {
        "interview": (asking, "Questions wait for your answers"),
        "approval": (approving, "The interview waits for your approval"),
        "trouble": (blocked, "It goes on when somebody retries it"),
        "draft": (ticket, "Nothing happens until somebody starts it"),
        "voting": (voting, "0 of 3 have answered. What nobody has begun waits for a worker"),
    }
    for place, (bring, words) in scenes.items():
        name = await bring(stage)
        await browser.get(f"/units/{name}")
        assert f'id="{place}"' in browser.text, place
        assert words in _now(browser), place
        others = set(scenes) - {place}
        assert not any(f'<section class="card" id="{one}"' in browser.text for one in others)


@staged
async def test_an_attempt_is_shown_as_it_was_and_nothing_can_be_done_there(stage: Stage) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    await browser.get(f"/units/{name}?attempt=6")
    assert "This is the past." in _now(browser)
    assert 'id="interview"' in browser.text
    for form in ("/answers", "/approve", "/skip-all", "/retry"):
        assert f'action="/units/{name}{form}"' not in browser.text
    await browser.get(f"/units/{name}?attempt=7")
    assert "What was to be approved: the interview" in browser.text
    assert "Which apples?" in browser.text
    await browser.get(f"/units/{name}?attempt=99")

    assert browser.status == 404


@staged
async def test_the_slider_shows_the_phase_of_that_moment(stage: Stage) -> None:
    name = await asking(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}?at=1")

    assert 'id="draft"' in browser.text
    assert (
        'action="/units/' not in browser.text.partition('id="draft"')[2].partition("</section>")[0]
    )
    assert "1 attempt of its phases" in browser.text


@staged
async def test_a_gate_of_a_ticket_is_decided_on_the_page_of_the_ticket(stage: Stage) -> None:
    name = await approving(stage)
    (gate,) = rows((await stage.call("list_gates", PAT)).data, "gates")
    browser = await entered(stage)
    await browser.get(f"/gates/{gate['gate_id']}")
    assert browser.visited[-1] == f"/units/{name}"
    await approve(stage, name)
    await browser.get(f"/gates/{gate['gate_id']}")

    assert "This was decided" in browser.text
    assert "Which apples?" in browser.text


@staged
async def test_who_may_only_look_has_no_forms(stage: Stage) -> None:
    name = await asking(stage)
    browser = await entered(stage, "vic", "viewer")
    await browser.get(f"/units/{name}")

    assert "Which apples?" in browser.text
    assert f'action="/units/{name}/answers"' not in browser.text
    assert "red · green" in browser.text


@staged
async def test_what_the_start_has_locked_is_told_in_short(stage: Stage) -> None:
    name = await voting(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    about = browser.text.partition('id="about"')[2].partition("</section>")[0]

    assert "ann: scripted ann-1" in about
    assert "/srv/shop.git" in about
    assert "questions max: 50" in about
    assert "None" not in about
    seed = str((await stage.whole(name)).row.unit.fields["seed"])
    assert seed not in browser.text
