"""Projects on their pages: made, changed, put away."""

from interlock.doors.web.guest import rows
from interlock.doors.web.project import form_of, said
from interlock.ticketing.prompt import prompts
from tests.doors.web.test_account import entered
from tests.stage import PAT, Stage, staged
from tests.tickets import new_project, project

MEMBERS = {
    "member-0-name": "ann", "member-0-agent": "openai", "member-0-model": "large",
    "member-2-name": "ben", "member-2-agent": "scripted", "member-2-model": "",
}  # fmt: skip
PLACE = {"name": "Shop", "repository": "/srv/shop.git", "base_branch": "main"}


def test_a_form_says_what_a_command_takes_and_lines_left_out_are_no_members() -> None:
    form = {**PLACE, **MEMBERS, "limit-quorum": "2", "limit-round_s": " ", "limit-tries_max": "x",
            "prompt-scan": " a\r\nb", "prompt-prd_vote": "  "}  # fmt: skip

    assert said(form) == {
        **PLACE,
        "members": [
            {"name": "ann", "agent": "openai", "model": "large"},
            {"name": "ben", "agent": "scripted", "model": ""},
        ],
        "limits": {"quorum": 2, "tries_max": "x"},
        "prompts": {"scan": " a\nb"},
    }


def test_a_project_fills_in_the_form_that_says_the_same() -> None:
    limits = {"quorum": 2, "round_s": 60, "budget": {"tokens": 5, "attempts": 7}}
    told = {**new_project(), "limits": limits, "prompts": {"scan": "x"}}

    assert said(form_of(told)) == told


@staged
async def test_a_project_is_made_and_what_is_wrong_is_told(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/projects")
    assert "There is none yet." in browser.text
    wrong = {**PLACE, "repository": "https://me:secret@example.com/shop.git"}
    await browser.send(**wrong, **MEMBERS)
    assert browser.status == 422
    assert "has a password in it" in browser.text
    assert 'value="ben"' in browser.text
    await browser.send(**PLACE, **MEMBERS)

    assert "<h1" in browser.text
    (made,) = rows((await stage.call("list_projects", PAT)).data, "projects")
    assert [one["name"] for one in rows(made, "members")] == ["ann", "ben"]
    assert f"/tickets/new?project={made['project_id']}" in browser.text


@staged
async def test_a_project_is_changed_with_limits_and_prompts(stage: Stage) -> None:
    name = await project(stage)
    browser = await entered(stage)
    await browser.get(f"/projects/{name}")
    text = prompts()["scan"].text
    form = form_of(new_project() | {"limits": {}, "prompts": {}})
    await browser.send(**form | {"limit-round_s": "60", "prompt-scan": "Without its placeholder"})
    assert browser.status == 422
    assert "Without its placeholder" in browser.text
    await browser.send(**form | {"limit-round_s": "60", "prompt-scan": f"{text}\nQuickly."})
    told = (await stage.call("get_project", PAT, project_id=name)).data

    assert told["limits"]["round_s"] == 60  # type: ignore[index]  # by name
    assert "Quickly." in told["prompts"]["scan"]  # type: ignore[index]  # by name
    assert "Version 2" in browser.text
    assert "(yours)" in browser.text


@staged
async def test_where_requests_are_opened_is_chosen_and_the_secret_is_never_shown(
    stage: Stage,
) -> None:
    name = await project(stage)
    browser = await entered(stage)
    await browser.get(f"/projects/{name}")
    form = form_of((await stage.call("get_project", PAT, project_id=name)).data)
    await browser.send(**form | {"forge": "github", "webhook_secret": "too short"})
    assert browser.status == 422
    assert 'id="webhook_secret-wrong"' in browser.text
    await browser.send(**form | {"forge": "github", "webhook_secret": "long enough to be one"})
    told = (await stage.call("get_project", PAT, project_id=name)).data

    assert (told["forge"], told["has_webhook_secret"]) == ({"kind": "github"}, True)
    assert '<option value="github" selected>' in browser.text
    assert "long enough" not in browser.text
    await browser.send(**form_of(told))
    assert (await stage.call("get_project", PAT, project_id=name)).data["has_webhook_secret"]


@staged
async def test_a_project_is_put_away_and_offered_no_more(stage: Stage) -> None:
    name = await project(stage)
    browser = await entered(stage)
    await browser.get(f"/projects/{name}")
    csrf = browser.text.partition('name="csrf" value="')[2].partition('"')[0]
    await browser.post(f"/projects/{name}/archive", {"csrf": csrf})
    assert "1 put away" in browser.text
    await browser.get("/tickets/new")
    assert "there is none yet" in browser.text
    await browser.get(f"/projects/{name}")

    assert "put away" in browser.text
    assert "Put it away" not in browser.text


@staged
async def test_who_may_only_look_changes_nothing(stage: Stage) -> None:
    name = await project(stage)
    browser = await entered(stage, "vic", "viewer")
    await browser.get(f"/projects/{name}")
    assert "/srv/shop.git" in browser.text
    assert 'id="edit-project"' not in browser.text
    csrf = browser.text.partition('name="csrf" value="')[2].partition('"')[0]
    await browser.post(f"/projects/{name}/archive", {"csrf": csrf})

    assert browser.status == 403
    assert "archived_at" not in (await stage.call("get_project", PAT, project_id=name)).data
