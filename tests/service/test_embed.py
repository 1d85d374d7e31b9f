"""What a text means, as a vector: from the model of the extra without a network, or an endpoint."""

import asyncio
import subprocess
import sys

import pytest

from interlock.errors import InterlockError
from interlock.service import embed
from interlock.service.embed import BATCH, LOCAL, LocalEmbedder, embedder_at, has_local
from interlock.service.vectors import closeness, unpack
from tests.service.endpoints import Said, embedded, endpoint

ALONE = """
import asyncio, socket
def refuse(*_, **__):
    raise AssertionError("asked the network")
socket.getaddrinfo = socket.socket.connect = socket.create_connection = refuse
from interlock.service.embed import LocalEmbedder
made = asyncio.run(LocalEmbedder().embed(["one", "two"]))
print(len(made.vectors), len(made.vectors[0]))
"""


def test_the_extra_needs_no_network(tmp_path: object) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE], check=True, capture_output=True, text=True, timeout=60,
        env={"HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip

    assert done.stdout.split() == ["2", "1024"]


def test_what_means_much_the_same_is_near() -> None:
    asked = ["a doctor in a hospital", "the physician at the clinic", "shares fell on Monday"]
    made = asyncio.run(LocalEmbedder().embed(asked))
    first, *others = made.vectors
    near = closeness(first, others)

    assert has_local()
    assert LocalEmbedder().name == LOCAL
    assert near[0] > near[1] + 0.2
    assert asyncio.run(LocalEmbedder().embed([])).vectors == []


def test_an_endpoint_is_asked_some_at_a_time() -> None:
    first, rest = [[1.0, 0.0]] * BATCH, [[0.0, 2.0]]
    with endpoint(embedded(*first), embedded(*rest)) as fake:
        asked = embedder_at(f"{fake.url}/v1/", "secret", "tiny")
        made = asyncio.run(asked.embed(["text"] * (BATCH + 1)))

    assert [unpack(one).tolist() for one in made.vectors] == [*first, [0.0, 1.0]]
    assert (made.tokens, asked.name) == (14, "endpoint:tiny")
    assert [one.path for one in fake.heard] == ["/v1/embeddings"] * 2
    assert fake.heard[1].body == {"model": "tiny", "input": ["text"]}
    assert fake.heard[0].headers["authorization"] == "Bearer secret"
    assert "secret" not in repr(asked)


@pytest.mark.parametrize("body", [embedded(), embedded([]), '{"data":[{"embedding":[NaN]}]}', {}])
def test_an_answer_that_is_no_vector_is_not_used(body: object) -> None:
    with endpoint(Said(body)) as fake, pytest.raises(InterlockError) as no:
        asyncio.run(embedder_at(fake.url, "", "tiny").embed(["text"]))

    assert no.value.code == "MODEL_REFUSED"


def test_a_model_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "PACKAGE", "interlock.no_such_package")
    embed._model.cache_clear()
    try:
        with pytest.raises(InterlockError, match="cannot be used") as no:
            asyncio.run(LocalEmbedder().embed(["text"]))
    finally:
        embed._model.cache_clear()

    assert no.value.code == "MODEL_UNAVAILABLE"
