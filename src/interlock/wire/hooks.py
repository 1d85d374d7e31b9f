"""The shapes of the commands about webhooks, and about links to a decision.

None of them carries a request id: an answer that holds a secret is not kept to be given again.
"""

from typing import Annotated, Literal

from pydantic import Field

from interlock.wire.envelope import Id, Name, Shape

Happening = Literal["gate_opened", "gate_decided", "stalled", "blocked", "finished"]


class CreateWebhook(Shape):
    """Be told what happens; no events means all of them."""

    url: Annotated[str, Field(min_length=1, max_length=2_000)]
    events: tuple[Happening, ...] = ()
    workflow: Annotated[str, Field(max_length=100)] = ""


class WebhookRef(Shape):
    """Name a webhook."""

    hook_id: Id


class ListDeliveries(Shape):
    """List what was sent or is to be, the newest first."""

    hook: Annotated[str, Field(max_length=120)] = ""
    state: Literal["", "pending", "delivered", "failed"] = ""
    cursor: Name | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class DeliveryRef(Shape):
    """Name a delivery."""

    delivery_id: Id


class LinkGate(Shape):
    """Make a link by which one person can decide at one gate, once."""

    gate_id: Id
    person: Annotated[str, Field(max_length=120)] = Field(
        default="", description="Who decides by it; else you."
    )
    lasts_hours: Annotated[int, Field(ge=1, le=720)] = 168
