"""The editor of documents: told what is wrong, saved on what was edited, never over newer ones."""

import html
from html import unescape
from typing import Any

from tests.doors.web.browser import HTTPS, Browser
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.scenes import approve, approving
from tests.doors.web.ticket.test_approval import save
from tests.stage import Stage, staged
from tests.tickets import phase_of, status_of


def _content(browser: Browser) -> str:
    """Return the text in the editor, as a browser has it."""
    inner = browser.text.partition('id="content"')[2].partition(">\n")[2]
    return unescape(inner.partition("</textarea>")[0])


def _fields(browser: Browser) -> dict[str, str]:
    form = browser.text.partition('id="editor"')[2]
    names = ("csrf", "base_digest")
    return {name: form.partition(f'name="{name}" value="')[2].partition('"')[0] for name in names}


async def _told(browser: Browser, path: str, form: dict[str, str]) -> dict[str, Any]:
    headers = {"origin": HTTPS, "accept": "application/json"}
    answer = await browser.client.post(path, data=form, headers=headers)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


@staged
async def test_a_script_is_told_what_is_wrong_where_and_what_changes(stage: Stage) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    path = f"/units/{name}/documents/prd"
    await browser.get(path)
    text, form = _content(browser), _fields(browser)
    before = await stage.mark(name)
    wrong = {**form, "content": text.replace("title: Buy", "titel: Buy")}
    told = await _told(browser, path, wrong)
    mistake = told["mistakes"][0]
    assert mistake["path"].startswith("$.epics[0].user_stories[0]")
    line = mistake["line"]
    near = wrong["content"].split("\n")[line - 1]
    assert "US-1-1" in near or "titel" in near
    torn = await _told(browser, path, {**form, "content": "a: 1\nb: ]"})
    assert [(one["path"], one["line"]) for one in torn["mistakes"]] == [("", 2)]
    good = await _told(browser, path, {**form, "content": text.replace("worms", "birds")})

    assert good["mistakes"] == []
    assert [row["text"].strip() for row in good["diff"] if row["kind"] == "ins"] == ["- birds"]
    assert await stage.mark(name) == before


@staged
async def test_an_edit_is_saved_as_the_next_version_and_the_gate_stays(stage: Stage) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    path = f"/units/{name}/documents/prd"
    await browser.get(path)
    text = _content(browser).replace("worms", "birds").replace("\n", "\r\n")
    await browser.post(path, {**_fields(browser), "content": text, "do": "save"})

    assert "It is saved." in browser.text
    assert "Version 2 is the newest" in browser.text
    assert "birds" in _content(browser)
    assert "\r" not in _content(browser)
    assert await phase_of(stage, name) == "WAITING_PRD_APPROVAL"


@staged
async def test_mistakes_are_listed_and_what_was_written_stays(stage: Stage) -> None:
    name = await approving(stage, "beads")
    browser = await entered(stage)
    path = f"/units/{name}/documents/beads"
    await browser.get(path)
    text = _content(browser).replace("blocked_by: []", "blocked_by:\n      - count-apples", 1)
    for do, status in (("save", 422), ("check", 200)):
        await browser.get(path)
        await browser.post(path, {**_fields(browser), "content": text, "do": do})
        assert browser.status == status
        listed = browser.text.partition('id="mistakes"')[2].partition("</ul>")[0]
        assert "$.beads[0].blocked_by" in listed
        assert "Line " in listed
        assert "count-apples" in _content(browser)

    assert "Version 1 is the newest" in browser.text


@staged
async def test_an_edit_of_an_older_version_never_takes_the_place_of_a_newer(stage: Stage) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    path = f"/units/{name}/documents/prd"
    await browser.get(path)
    mine = {**_fields(browser), "content": _content(browser).replace("worms", "birds")}
    newest = await save(stage, name, "worms", "frost")
    await browser.post(path, {**mine, "do": "save"})

    assert browser.status == 409
    assert "Nothing of yours was saved" in browser.text
    diff = browser.text.partition('id="diff"')[2].partition("</section>")[0]
    assert "frost" in diff
    assert "birds" in diff
    assert (await status_of(stage, name))["documents"]["prd"] == newest
    # They have seen both now: what they save next follows the newest one.
    assert _fields(browser)["base_digest"] == newest
    await browser.post(path, {**_fields(browser), "content": mine["content"], "do": "save"})
    assert "Version 3 is the newest" in browser.text


@staged
async def test_what_was_approved_is_reopened_after_what_will_happen_is_said(stage: Stage) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    path = f"/units/{name}/documents/interview"
    await browser.get(path)
    assert "ticket WAITING_INTERVIEW_APPROVAL → DRAFTING_PRD" in browser.text
    text = _content(browser).replace("Which apples?", "Which pears?")
    form = {**_fields(browser), "content": text, "do": "reopen"}
    await browser.post(path, {**form, "reason": ""})
    assert browser.status == 422
    assert "Which pears?" in _content(browser)
    await browser.post(path, {**form, "reason": "It is about pears."})

    assert await phase_of(stage, name) == "DRAFTING_PRD"
    await browser.get(path)
    assert "Which pears?" in browser.text


@staged
async def test_what_is_over_is_only_read(stage: Stage) -> None:
    name = await approving(stage, "beads")
    await approve(stage, name)
    browser = await entered(stage)
    await browser.get(f"/units/{name}/documents/beads")
    assert "Do sell-apples" in browser.text
    assert 'id="editor"' not in browser.text
    for path in (f"/units/{name}/documents/session", "/units/ticket-none/documents/prd"):
        await browser.get(path)
        assert browser.status == 404
    plan = await stage.plan()
    await browser.get(f"/units/{plan}/documents/prd")

    assert browser.status == 404


@staged
async def test_a_large_document_is_taken_and_one_too_large_is_refused(stage: Stage) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    path = f"/units/{name}/documents/prd"
    await browser.get(path)
    many = "".join(
        f"\n  - risk {number} of a long list, each with its words" for number in range(200)
    )
    text = _content(browser).replace("\n  - worms", many)
    padded = text + "\n# " + "ä" * 200_000
    await browser.post(path, {**_fields(browser), "content": padded, "do": "save"})
    assert "Version 2 is the newest" in browser.text
    await browser.post(path, {**_fields(browser), "content": "x" * 4_000_000, "do": "save"})

    assert browser.status == 413


@staged
async def test_a_document_is_edited_field_by_field(stage: Stage) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    path = f"/units/{name}/documents/prd"
    await browser.get(f"{path}?as=fields")
    assert "at:$.epics[0].user_stories[0].title" in browser.text
    assert "at:$.ticket_id" not in browser.text
    said = {"at:$.risks": "worms\r\n\r\nfrost", "at:$.epics[0].title": "Pears"}
    form = browser.text.partition('id="fields"')[2]
    names = ("csrf", "base_digest")
    hidden = {one: form.partition(f'name="{one}" value="')[2].partition('"')[0] for one in names}
    await browser.post(path, {**hidden, "as": "fields", **said, "do": "save"})
    assert "Version 2 is the newest" in browser.text
    newest = (await status_of(stage, name))["documents"]["prd"]
    text = ((await stage.engine.store.content("home", newest)) or b"").decode()
    assert "title: Pears" in text
    assert "risks:\n  - worms\n  - frost\n" in text

    # What was refused is shown as text, with all that was written.
    wrong = {**hidden, "as": "fields", "at:$.epics[0].title": "", "at:$.risks": "hail"}
    await browser.post(path, {**wrong, "do": "save"})
    assert browser.status == 409
    await browser.post(path, {**wrong, "base_digest": newest, "do": "save"})
    assert browser.status == 422
    assert "$.epics[0].title" in browser.text
    assert "hail" in _content(browser)


@staged
async def test_entries_are_added_and_removed_without_a_script_and_only_saving_saves(
    stage: Stage,
) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    path = f"/units/{name}/documents/prd"
    await browser.get(f"{path}?as=fields")

    def form() -> dict[str, str]:
        shown = browser.text.partition('id="fields"')[2]
        names = ("csrf", "base_digest")
        found = {
            one: shown.partition(f'name="{one}" value="')[2].partition('"')[0] for one in names
        }
        laid = shown.partition('name="content"')[2].partition(">\n")[2].partition("</textarea>")[0]
        return {**found, "as": "fields", "content": html.unescape(laid)}

    base = form()["base_digest"]
    written = {"at:$.epics[0].title": "Pears"}
    await browser.post(path, {**form(), **written, "do": "add $.epics"})
    assert "epic 2 was added" in browser.text
    assert 'id="at:$.epics[0].title" name="at:$.epics[0].title" value="Pears"' in browser.text
    assert (await status_of(stage, name))["documents"]["prd"] == base == form()["base_digest"]
    said = {
        "at:$.epics[1].title": "Plums", "at:$.epics[1].objective": "Sell plums.",
        "at:$.epics[1].user_stories[0].title": "Buy a plum",
        "at:$.epics[1].user_stories[0].acceptance_criteria": "One\r\nTwo",
    }  # fmt: skip
    await browser.post(path, {**form(), **said, "do": "up $.epics[1]"})
    await browser.post(path, {**form(), "do": "save"})
    assert "Version 2 is the newest" in browser.text
    newest = (await status_of(stage, name))["documents"]["prd"]
    text = ((await stage.engine.store.content("home", newest)) or b"").decode()
    assert text.index("title: Plums") < text.index("title: Pears")

    # Somebody who edits an older version is not let on by a press of a button.
    await browser.get(f"{path}?as=fields")
    await browser.post(path, {**form(), "base_digest": base, "do": "remove $.epics[0]"})
    assert form()["base_digest"] == base
    await browser.post(path, {**form(), "do": "save"})
    assert browser.status == 409


@staged
async def test_a_script_is_told_nothing_that_cannot_be_seen(stage: Stage) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    path = f"/units/{name}/documents/prd"
    await browser.get(path)
    text, form = _content(browser), _fields(browser)
    odd = {**form, "content": text.replace("worms", "wor\u202ems")}
    told = await _told(browser, path, odd)
    wrong = await _told(browser, path, {**form, "content": text.replace("title:", "tit\u200ble:")})

    assert "\u202e" not in str(told)
    assert any("⟨U+202E⟩" in row["text"] for row in told["diff"])
    assert "\u200b" not in str(wrong)
