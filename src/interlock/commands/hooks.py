"""Commands about webhooks and links to a decision. Agents are never offered them."""

from typing import Final

from interlock.commands.gates import find_gate
from interlock.commands.listing import place_of
from interlock.commands.row import PEOPLE, AnyCommand, Call, Command, done
from interlock.service import hooks
from interlock.service.happened import EVENTS
from interlock.service.links import make_link, replace_key
from interlock.service.order import Reply
from interlock.store.hooks import DeliveryRow, HookRow, WhichDeliveries
from interlock.wire.hooks import CreateWebhook, DeliveryRef, LinkGate, ListDeliveries, WebhookRef
from interlock.wire.work import Nothing

HOUR_MS: Final = 3600 * 1000
KEEP: Final = "Keep the secret where signatures are checked: it is shown only this once."
GIVE: Final = "Give the link to whom it is for, and to nobody else: it decides as them."


async def create_webhook(call: Call, asked: CreateWebhook) -> Reply:
    """Make a webhook."""
    secret, row = await hooks.create_hook(
        call.engine, call.caller, asked.url, asked.events, asked.workflow
    )
    return done({"secret": secret, **_hook(row)}, KEEP)


async def list_webhooks(call: Call, _: Nothing) -> Reply:
    """List webhooks."""
    rows = await hooks.list_hooks(call.engine, call.caller)
    reply = done({"webhooks": [_hook(row) for row in rows]})
    reply["warnings"] = [
        f"{row.id} was disabled: {row.disabled_why}" for row in rows if row.disabled_at is not None
    ]
    return reply


async def disable_webhook(call: Call, asked: WebhookRef) -> Reply:
    """Switch a webhook off."""
    row = await hooks.switch_hook(call.engine, call.caller, asked.hook_id, is_on=False)
    return done(_hook(row))


async def enable_webhook(call: Call, asked: WebhookRef) -> Reply:
    """Switch a webhook on."""
    row = await hooks.switch_hook(call.engine, call.caller, asked.hook_id, is_on=True)
    return done(_hook(row))


async def delete_webhook(call: Call, asked: WebhookRef) -> Reply:
    """Take a webhook away."""
    await hooks.remove_hook(call.engine, call.caller, asked.hook_id)
    return done({"hook_id": asked.hook_id})


async def test_webhook(call: Call, asked: WebhookRef) -> Reply:
    """Have something sent that tells nothing."""
    row = await hooks.try_hook(call.engine, call.caller, asked.hook_id)
    return done(_delivery(row), "It is sent within seconds; see how it went with list_deliveries.")


async def list_deliveries(call: Call, asked: ListDeliveries) -> Reply:
    """List deliveries."""
    which = WhichDeliveries(hook=asked.hook, status=asked.state)
    place = place_of(asked.cursor)
    rows = await hooks.list_deliveries(call.engine, call.caller, which, place, asked.limit)
    data: Reply = {"deliveries": [_delivery(row) for row in rows]}
    if len(rows) == asked.limit:
        data["cursor"] = f"{rows[-1].at}.{rows[-1].id}"
    return done(data)


async def replay_delivery(call: Call, asked: DeliveryRef) -> Reply:
    """Have a delivery sent again."""
    row = await hooks.replay(call.engine, call.caller, asked.delivery_id)
    return done(_delivery(row))


async def link_gate(call: Call, asked: LinkGate) -> Reply:
    """Make a link to a decision."""
    gate = await find_gate(call, asked.gate_id)
    lasts = asked.lasts_hours * HOUR_MS
    signed, ends = await make_link(call.engine, call.caller, gate, asked.person, lasts)
    link = f"{call.engine.site}/decide/{signed}"
    return done({"link": link, "gate_id": gate.id, "expires_at": ends}, GIVE)


async def void_gate_links(call: Call, _: Nothing) -> Reply:
    """Make all links to decisions void."""
    await replace_key(call.engine, call.caller)
    return done({})


def _hook(row: HookRow) -> Reply:
    return {
        "hook_id": row.id, "url": row.url, "events": row.events.split() or list(EVENTS),
        "workflow": row.workflow, "created_by": row.created_by, "created_at": row.created_at,
        "failing_since": row.failing_since, "disabled_at": row.disabled_at,
        "disabled_why": row.disabled_why,
    }  # fmt: skip


def _delivery(row: DeliveryRow) -> Reply:
    return {
        "delivery_id": row.id, "hook_id": row.hook, "event": row.event, "about": row.about,
        "body": row.body, "at": row.at, "status": row.status, "attempts": row.attempts,
        "due": row.due if row.status == "pending" else None, "code": row.code,
        "error": row.error, "delivered_at": row.delivered_at,
    }  # fmt: skip


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("create_webhook", CreateWebhook, create_webhook, "admin", PEOPLE, words="webhook create", adds_only=True,
            http="POST /webhooks",
            doc="Be told by a signed HTTP request when something happens."),
    Command("list_webhooks", Nothing, list_webhooks, "admin", PEOPLE, words="webhook list",
            http="GET /webhooks",
            doc="Who is told what, and which webhooks fail."),
    Command("disable_webhook", WebhookRef, disable_webhook, "admin", PEOPLE, words="webhook disable",
            http="POST /webhooks/{hook_id}/disable",
            doc="Switch a webhook off; what happens meanwhile is told once it is on again."),
    Command("enable_webhook", WebhookRef, enable_webhook, "admin", PEOPLE, words="webhook enable", adds_only=True,
            http="POST /webhooks/{hook_id}/enable",
            doc="Switch a webhook on again; it goes on where it stopped."),
    Command("delete_webhook", WebhookRef, delete_webhook, "admin", PEOPLE, words="webhook delete",
            http="DELETE /webhooks/{hook_id}",
            doc="Take a webhook away, with its deliveries."),
    Command("test_webhook", WebhookRef, test_webhook, "admin", PEOPLE, words="webhook test", adds_only=True,
            http="POST /webhooks/{hook_id}/test",
            doc="Have a test delivery sent."),
    Command("list_deliveries", ListDeliveries, list_deliveries, "admin", PEOPLE, words="webhook deliveries",
            http="GET /deliveries",
            doc="What was sent or is to be, and how it went."),
    Command("replay_delivery", DeliveryRef, replay_delivery, "admin", PEOPLE, words="webhook replay", adds_only=True,
            http="POST /deliveries/{delivery_id}/replay",
            doc="Have a delivery sent again, under the same id."),
    Command("link_gate", LinkGate, link_gate, "decide", PEOPLE, words="link", adds_only=True,
            http="POST /gates/{gate_id}/links",
            doc="Make a link by which one person can decide at one gate, once."),
    Command("void_gate_links", Nothing, void_gate_links, "admin", PEOPLE,
            http="DELETE /gate-links",
            doc="Make every link to a decision void that was made before."),
)
# fmt: on
