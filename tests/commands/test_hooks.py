"""The commands about webhooks: what they tell, and what of it is written down for good."""

from typing import cast

from tests.service.receiver import receiving
from tests.service.test_deliver import hook, sent
from tests.stage import PAT, Stage, staged


@staged
async def test_deliveries_come_in_pages_the_newest_first(stage: Stage) -> None:
    async with receiving() as receiver:
        name, _ = await hook(stage, receiver)
        for _ in range(3):
            await stage.call("test_webhook", PAT, hook_id=name)
        data = (await stage.call("list_deliveries", PAT, limit=2)).data
        rest = (await stage.call("list_deliveries", PAT, limit=2, cursor=data["cursor"])).data

    seen = [*cast("list[object]", data["deliveries"]), *cast("list[object]", rest["deliveries"])]
    assert seen == await sent(stage, hook=name)
    assert ("cursor" in rest, len(seen)) == (False, 3)


@staged
async def test_what_is_done_to_webhooks_is_kept_without_secrets(stage: Stage) -> None:
    async with receiving() as receiver:
        name, secret = await hook(stage, receiver)
        for verb in ("disable", "enable", "delete"):
            await stage.call(f"{verb}_webhook", PAT, hook_id=name)
        await stage.call("void_gate_links", PAT)
    told = (await stage.call("list_acts", PAT)).data["acts"]
    acts = [str(one["act"]) for one in cast("list[dict[str, object]]", told)]

    assert sorted(acts) == [
        "links_made_void", "webhook_deleted", "webhook_disabled", "webhook_enabled", "webhook_made",
    ]  # fmt: skip
    assert secret not in str(told)
