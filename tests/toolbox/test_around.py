"""What is around a tool: which resources are configured; secrets are not shown."""

import json

import pytest

from interlock.servers import Server
from interlock.toolbox.around import Around, ModelAt, around_of


def test_what_is_configured_can_be_named() -> None:
    assert Around().resources() == frozenset()
    model = ModelAt("openai", "http://127.0.0.1:1", "big")
    around = Around(model, ("example.org",), (Server("github"), Server("files")))
    assert around.resources() == {"model", "http", "mcp:github", "mcp:files"}


def test_a_tool_knows_only_what_it_has_declared() -> None:
    model, server = ModelAt("openai", "http://127.0.0.1:1", "big"), Server("files", ("x",))
    around = Around(model, ("example.org",), (Server("github"), server), ("a.b",))

    assert around.only(()) == Around()
    assert around.only(("model",)) == Around(model)
    assert around.only(("http", "mcp:files")) == Around(None, ("example.org",), (server,))


def test_no_secret_is_shown() -> None:
    server = Server("a", env={"KEY": "s3cret"}, headers={"authorization": "s3cret"})
    around = Around(ModelAt("openai", "http://127.0.0.1:1", "big", "s3cret"), (), (server,))
    assert "s3cret" not in repr(around)


@pytest.mark.parametrize(
    "around",
    [
        Around(),
        Around(
            ModelAt("openai", "http://127.0.0.1:1", "big", "key"),
            ("example.org",),
            (
                Server("a", ("x", "y"), env={"K": "v"}),
                Server("b", url="https://b", headers={"h": "v"}),
            ),
            ("package.module",),
        ),
    ],
)
def test_a_child_is_sent_all_of_it(around: Around) -> None:
    assert around_of(json.loads(json.dumps(around.to_data()))) == around
