"""Names in place of ids: of people and of tokens, as far as they are known."""

import pytest
from jinja2 import Environment

import interlock.doors.web.naming as module
from interlock.doors.web.naming import known, names_of
from tests.service.folk import first
from tests.stage import HOME, PAT, Stage, staged


@staged
async def test_people_and_tokens_are_called_by_their_names(stage: Stage) -> None:
    await first(stage, "pam", "owner")
    token = (await stage.call("create_token", PAT, name="laptop", kind="agent")).data
    names = await names_of(stage.engine, HOME)
    pages = Environment(autoescape=True)
    pages.filters["known"] = known
    page = pages.from_string("{{ one | known }}")

    assert page.render(one=token["token_id"], names=names) == "laptop"
    assert page.render(one="pam", names=names) == "Pam"
    assert page.render(one="somebody", names=names) == "somebody"


@staged
async def test_a_page_asks_for_no_more_names_however_many_tokens_there_were(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await first(stage, "pam", "owner")
    monkeypatch.setattr(module, "TOKENS_MAX", 3)
    await stage.call("create_token", PAT, name="laptop", kind="agent")
    for number in range(5):
        lent = (await stage.call("create_token", PAT, name=f"lent {number}", kind="agent")).data
        await stage.call("revoke_token", PAT, token_id=lent["token_id"])
    names = await names_of(stage.engine, HOME)

    # What is still good comes before what is newer.
    called = set(names.values())
    assert {"laptop", "Pam"} <= called
    assert called.isdisjoint({"lent 0", "lent 1"})
