"""Hooks are made within limits, by people who administer."""

import pytest

from interlock.service import hooks
from interlock.service.errors import InvalidInput
from interlock.service.hooks import HOOKS_MAX, create_hook
from tests.service.receiver import receiving
from tests.service.test_deliver import hook
from tests.stage import PAT, Stage, staged


@staged
async def test_what_nobody_knows_is_refused(stage: Stage) -> None:
    for events, workflow in ((["opened"], ""), ([], "nothing")):
        with pytest.raises(InvalidInput, match="There is no"):
            await create_hook(stage.engine, PAT, "https://a.example/", events, workflow)


@staged
async def test_an_address_that_is_refused_makes_no_hook(stage: Stage) -> None:
    for url in ("https://127.0.0.1/", "http://93.184.215.14/", "ftp://a.example/"):
        assert (await stage.refused("create_webhook", PAT, url=url)).code == "ADDRESS_REFUSED"

    assert (await stage.call("list_webhooks", PAT)).data == {"webhooks": []}


@staged
async def test_there_are_so_many_and_no_more(stage: Stage) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hooks, "HOOKS_MAX", 1)
        assert HOOKS_MAX > 1
        async with receiving() as receiver:
            await hook(stage, receiver)
            no = await stage.refused("create_webhook", PAT, url=receiver.url)

    assert (no.code, "webhooks already" in no.message) == ("INVALID_INPUT", True)
