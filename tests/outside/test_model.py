"""A model is spoken to in the way of its endpoint, and what it counts is kept."""

import asyncio

import pytest

from interlock.errors import InterlockError
from interlock.outside.model import ANTHROPIC, KINDS, OPENAI, Completion, Turn, model_at
from tests.service.endpoints import anthropic, endpoint, openai

TURNS = (Turn("user", "hello"),)


def test_openai_s_way() -> None:
    with endpoint(openai("hi")) as fake:
        model = model_at(OPENAI, f"{fake.url}/v1", "secret", "big")
        said = asyncio.run(model.complete("be brief", TURNS))

    (heard,) = fake.heard
    assert said == Completion("hi", 3, 5)
    assert heard.path == "/v1/chat/completions"
    assert heard.headers["authorization"] == "Bearer secret"
    assert heard.body["messages"] == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hello"},
    ]
    assert (heard.body["model"], "secret" in repr(model)) == ("big", False)


@pytest.mark.parametrize("base", ["", "/", "/v1"])
def test_anthropic_s_way(base: str) -> None:
    with endpoint(anthropic("hi")) as fake:
        model = model_at(ANTHROPIC, fake.url + base, "secret", "big")
        said = asyncio.run(model.complete("be brief", TURNS))

    (heard,) = fake.heard
    assert said == Completion("hi", 3, 5)
    assert heard.path == "/v1/messages"
    assert (heard.headers["x-api-key"], "authorization" in heard.headers) == ("secret", False)
    assert heard.body["system"] == "be brief"
    assert heard.body["messages"] == [{"role": "user", "content": "hello"}]


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_without_a_text_is_not_understood(kind: str) -> None:
    with endpoint({"choices": [], "content": []}) as fake, pytest.raises(InterlockError) as no:
        asyncio.run(model_at(kind, fake.url, "", "big").complete("", TURNS))

    assert no.value.code == "MODEL_REFUSED"
    assert not {"authorization", "x-api-key"} & set(fake.heard[0].headers)
