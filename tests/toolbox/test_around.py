"""What is around a tool: which resources are configured; secrets are not shown."""

from interlock.toolbox.around import Around, ModelAt, Server


def test_what_is_configured_can_be_named() -> None:
    assert Around().resources() == frozenset()
    model = ModelAt("openai", "http://127.0.0.1:1", "big")
    around = Around(model, ("example.org",), (Server("github"), Server("files")))
    assert around.resources() == {"model", "http", "mcp:github", "mcp:files"}


def test_no_secret_is_shown() -> None:
    server = Server("a", env={"KEY": "s3cret"}, headers={"authorization": "s3cret"})
    around = Around(ModelAt("openai", "http://127.0.0.1:1", "big", "s3cret"), (), (server,))
    assert "s3cret" not in repr(around)
