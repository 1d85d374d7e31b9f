"""A language model behind an HTTP endpoint: OpenAI's way of speaking, or Anthropic's."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from interlock.errors import InterlockError
from interlock.outside.endpoint import TIMEOUT_S, Endpoint, at, count_at, not_understood

ANTHROPIC: Final = "anthropic"
OPENAI: Final = "openai"
KINDS: Final = (OPENAI, ANTHROPIC)
ANSWER_TOKENS_MAX: Final = 8_192


class ModelNotConfigured(InterlockError):
    """No model is set up, and what was asked for needs one."""

    code = "MODEL_NOT_CONFIGURED"
    http = 424


class Completion(NamedTuple):
    """What a model has answered, and what it counted."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


class Turn(NamedTuple):
    """Something said to the model (``user``) or by it (``assistant``)."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Model:
    """One model at one endpoint."""

    kind: str
    endpoint: Endpoint = field(repr=False)
    name: str

    async def complete(self, system: str, turns: Sequence[Turn]) -> Completion:
        """Return what the model says next; raises where it cannot be asked."""
        said: list[dict[str, str]] = [{"role": one.role, "content": one.text} for one in turns]
        if self.kind == ANTHROPIC:
            body = {"model": self.name, "max_tokens": ANSWER_TOKENS_MAX, "temperature": 0}
            answer = await self.endpoint.post({**body, "system": system, "messages": said})
            counted = ("input_tokens", "output_tokens")
            text = at(answer, "content", 0, "text")
        else:
            said.insert(0, {"role": "system", "content": system})
            body = {"model": self.name, "temperature": 0}
            answer = await self.endpoint.post({**body, "messages": said})
            counted = ("prompt_tokens", "completion_tokens")
            text = at(answer, "choices", 0, "message", "content")
        if not isinstance(text, str):
            raise not_understood()
        spent = (count_at(answer, "usage", word) for word in counted)
        return Completion(text, *spent)


def model_at(kind: str, url: str, key: str, name: str, *, timeout_s: float = TIMEOUT_S) -> Model:
    """Return the model that settings name; the address is where the endpoint's paths begin."""
    base = url.rstrip("/")
    if kind == ANTHROPIC:
        path = "/messages" if base.endswith("/v1") else "/v1/messages"
        headers = {"anthropic-version": "2023-06-01"} | ({"x-api-key": key} if key else {})
    else:
        path = "/chat/completions"
        headers = {"authorization": f"Bearer {key}"} if key else {}
    return Model(kind, Endpoint(base + path, headers, timeout_s), name)
