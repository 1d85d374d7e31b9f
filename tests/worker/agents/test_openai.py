"""The openai agent against an endpoint on loopback: what it asks, reads, and says of trouble."""

import asyncio
from dataclasses import replace

import pytest

from interlock.worker.agents.agent import AgentFailed, Said, Task
from interlock.worker.agents.openai import OpenAI
from tests.service.endpoints import Said as Answered
from tests.service.endpoints import endpoint, openai
from tests.worker.agents.tasks import DRAFT

KEY = "sk-very-secret"


def asked(url: str, task: Task = DRAFT, model: str = "") -> Said:
    return asyncio.run(OpenAI(f"{url}/v1", KEY, model).run(task))


def test_the_member_s_model_is_asked_once_in_a_conversation_of_its_own() -> None:
    with endpoint(openai('```json\n{"questions": []}\n```')) as fake:
        said = asked(fake.url, model="other")

    (heard,) = fake.heard
    assert said.answer == {"questions": []}
    assert (said.tokens_in, said.tokens_out) == (3, 5)
    assert said.warnings == ("it stood in a code fence",)
    assert heard.path == "/v1/chat/completions"
    assert heard.headers["authorization"] == f"Bearer {KEY}"
    assert heard.body["model"] == "big-1"
    messages = heard.body["messages"]
    assert isinstance(messages, list)
    assert [one["role"] for one in messages] == ["system", "user"]
    assert messages[1]["content"] == DRAFT.prompt


def test_a_member_without_a_model_gets_that_of_the_agent() -> None:
    nameless = replace(DRAFT, model="")
    with endpoint(openai('{"questions": []}')) as fake:
        asked(fake.url, nameless, "small")
        with pytest.raises(AgentFailed, match="names a model") as no:
            asked(fake.url, nameless)

    assert [one.body["model"] for one in fake.heard] == ["small"]
    assert no.value.failure == "failed"


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        (Answered({}, 429), "transient"),
        (Answered({}, 503), "transient"),
        (Answered({"error": KEY}, 401), "failed"),
        (Answered("no json"), "failed"),
        (openai("I would rather not say."), "invalid_output"),
        (openai(""), "invalid_output"),
    ],
)
def test_trouble_has_its_class_and_no_word_of_the_key(said: object, failure: str) -> None:
    with endpoint(said) as fake, pytest.raises(AgentFailed) as no:
        asked(fake.url)

    assert no.value.failure == failure
    assert KEY not in no.value.message


def test_what_was_said_instead_of_an_answer_is_kept() -> None:
    with endpoint(openai("I would rather not say.")) as fake, pytest.raises(AgentFailed) as no:
        asked(fake.url)

    assert no.value.text == "I would rather not say."


def test_nobody_there_may_be_there_later_and_who_is_slow_has_until_the_deadline() -> None:
    with endpoint(Answered({}, after_s=1.0)) as fake, pytest.raises(AgentFailed) as slow:
        asked(fake.url, replace(DRAFT, deadline_s=0.2))
    with pytest.raises(AgentFailed) as gone:
        asked(fake.url)

    assert (slow.value.failure, gone.value.failure) == ("transient", "transient")


def test_the_key_is_known_as_a_secret() -> None:
    assert OpenAI("http://x", KEY).secrets == (KEY,)
    assert OpenAI("http://x", "").secrets == ()
    assert KEY not in repr(OpenAI("http://x", KEY))
