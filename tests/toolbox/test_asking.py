"""Tools that ask a model: believed where its answer fits, else a failure of the right class."""

import pytest

from interlock.toolbox.around import Around, ModelAt
from interlock.toolbox.asking import extract, summarize
from interlock.toolbox.tool import Tool
from tests.service.endpoints import Fake, Said, anthropic, endpoint, openai
from tests.toolbox.calls import call, fails, fits

SCHEMA = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


def near(fake: Fake, kind: str = "openai") -> Around:
    return Around(ModelAt(kind, fake.url, "big", "s3cret"))


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_data_is_extracted(kind: str) -> None:
    spoken = openai if kind == "openai" else anthropic
    with endpoint(spoken('{"n": 3}')) as fake:
        found = call(extract, near(fake, kind), text="three", schema=SCHEMA, instructions="Count.")

    assert found == {"value": {"n": 3}, "tokens_in": 3, "tokens_out": 5}
    assert "s3cret" in str(fake.heard[0].headers)


def test_a_text_is_made_short() -> None:
    with endpoint(openai("Short.")) as fake:
        found = call(summarize, near(fake), text="long " * 50, words_max=2)

    assert found == {"summary": "Short.", "tokens_in": 3, "tokens_out": 5}
    assert "at most 2 words" in str(fake.heard[0].body)


ASKED = [(extract, {"text": "t", "schema": SCHEMA}), (summarize, {"text": "t"})]


@pytest.mark.parametrize(("tool", "given"), ASKED)
@pytest.mark.parametrize(
    ("said", "failure"),
    [
        (Said({}, 503), "transient"), (Said({}, 429), "transient"), (Said("{", 200), "configuration"),
        (Said({}, 401), "resource_unavailable"), (Said({}, 403), "resource_unavailable"),
        (Said({}, 404), "configuration"), (Said({}, 400), "configuration"),
    ],
)  # fmt: skip
def test_an_endpoint_that_does_not_answer_fails_by_its_reason(
    tool: Tool, given: dict[str, object], said: Said, failure: str
) -> None:
    with endpoint(said) as fake:
        found = fails(tool, near(fake), **given)

    assert (found.failure, found.resource_down) == (failure, False)
    assert "s3cret" not in found.message + found.detail


@pytest.mark.parametrize(("tool", "given"), ASKED)
def test_where_nobody_listens_the_resource_is_down(tool: Tool, given: dict[str, object]) -> None:
    with endpoint({}) as fake:
        pass
    found = fails(tool, near(fake), **given)

    assert (found.failure, found.resource_down) == ("transient", True)


@pytest.mark.parametrize(("tool", "given"), ASKED)
def test_without_a_model_the_resource_is_missing(tool: Tool, given: dict[str, object]) -> None:
    found = fails(tool, **given)

    assert (found.failure, found.message) == ("resource_unavailable", "No model is set up.")
    assert tool.resources == ("model",)


def test_a_model_that_does_not_do_as_asked() -> None:
    with endpoint(openai("")) as fake:
        assert fails(extract, near(fake), text="t", schema=SCHEMA).failure == "user_correctable"
        assert fails(summarize, near(fake), text="t").failure == "user_correctable"


def test_a_schema_that_is_none_is_refused_before_the_model_is_asked() -> None:
    with endpoint({}) as fake:
        found = fails(extract, near(fake), text="t", schema={"type": "nonsense"})

    assert (found.failure, fake.heard) == ("validation", [])


def test_what_does_not_fit_is_refused_by_the_schema() -> None:
    assert not fits(extract, text="t")
    assert not fits(summarize, text="x" * 400_001)
    assert not fits(summarize, text="x", words_max=0)
