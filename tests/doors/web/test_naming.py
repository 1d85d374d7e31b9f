"""Names in place of ids: of people and of tokens, as far as they are known."""

from jinja2 import Environment

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
