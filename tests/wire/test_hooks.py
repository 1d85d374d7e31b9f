"""The shapes of the commands about webhooks and links."""

import pytest
from pydantic import ValidationError

from interlock.service.happened import EVENTS
from interlock.wire.envelope import Asking
from interlock.wire.hooks import CreateWebhook, LinkGate


def test_every_event_can_be_asked_for_and_no_other() -> None:
    made = CreateWebhook.model_validate({"url": "https://a.example/", "events": EVENTS})
    assert made.events == EVENTS
    with pytest.raises(ValidationError):
        CreateWebhook.model_validate({"url": "https://a.example/", "events": ["test"]})


def test_what_answers_with_a_secret_takes_no_request_id() -> None:
    assert not issubclass(CreateWebhook, Asking)
    assert not issubclass(LinkGate, Asking)
