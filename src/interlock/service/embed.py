"""Embedders: what a text means, as a vector. A small model on this machine, or an endpoint.

Neither is needed: without one the words alone are searched. The local model comes with the
``embeddings`` extra, weights and all, and never asks the network for anything.
"""

import asyncio
import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, Protocol, cast

from interlock.outside.endpoint import Endpoint, ModelUnavailable, at, count_at, not_understood
from interlock.service.vectors import pack

PACKAGE: Final = "wordllama"
LOCAL: Final = "wordllama-256"
BATCH: Final = 64


class Embedded(NamedTuple):
    """Vectors in the order of the texts, and the tokens that were counted for them."""

    vectors: list[bytes]
    tokens: int = 0


class Embedder(Protocol):
    """Turns texts into vectors; only vectors with the same ``name`` can be compared."""

    @property
    def name(self) -> str:
        """What its vectors are known by."""

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Return a vector for each text."""


class _Rows(Protocol):
    def tolist(self) -> list[list[float]]: ...


class _Inference(Protocol):
    def embed(self, texts: list[str]) -> _Rows: ...


class LocalEmbedder:
    """The model of the ``embeddings`` extra; it is loaded when it is first needed."""

    name = LOCAL

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Return a vector for each text; other work goes on meanwhile."""
        try:
            return await asyncio.to_thread(_embed_here, list(texts))
        except (ImportError, OSError, ValueError) as exc:
            message = f"The embeddings model on this machine cannot be used: {exc}."
            fix = "Install interlock[embeddings] anew, or take it out."
            raise ModelUnavailable(message, fix=fix) from exc


def has_local() -> bool:
    """Say whether the extra is installed, without loading it."""
    return importlib.util.find_spec(PACKAGE) is not None


def _embed_here(texts: list[str]) -> Embedded:
    return Embedded([pack(row) for row in _model().embed(texts).tolist()] if texts else [])


@cache
def _model() -> _Inference:
    package = importlib.import_module(PACKAGE)
    # Its own search for the tokenizer misses the copy in its wheel; named as a cache it is found.
    folder = Path(str(package.__file__)).parent
    return cast("_Inference", package.WordLlama.load(cache_dir=folder, disable_download=True))


@dataclass(frozen=True, slots=True)
class RemoteEmbedder:
    """An endpoint that speaks OpenAI's way of embeddings."""

    endpoint: Endpoint = field(repr=False)
    model: str

    @property
    def name(self) -> str:
        """What its vectors are known by."""
        return f"endpoint:{self.model}"

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Return a vector for each text, some at a time."""
        vectors: list[bytes] = []
        tokens = 0
        for start in range(0, len(texts), BATCH):
            some = list(texts[start : start + BATCH])
            answer = await self.endpoint.post({"model": self.model, "input": some})
            vectors += [
                _vector(at(answer, "data", place, "embedding")) for place in range(len(some))
            ]
            tokens += count_at(answer, "usage", "total_tokens")
        return Embedded(vectors, tokens)


def embedder_at(url: str, key: str, model: str) -> RemoteEmbedder:
    """Return the embedder that settings name; the address is where the endpoint's paths begin."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return RemoteEmbedder(Endpoint(url.rstrip("/") + "/embeddings", headers), model)


def _vector(value: object) -> bytes:
    if not isinstance(value, list) or not value:
        raise not_understood()
    if not all(isinstance(one, int | float) and abs(one) < float("inf") for one in value):
        raise not_understood()
    return pack(value)
