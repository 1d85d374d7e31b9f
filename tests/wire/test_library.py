"""The shapes of the library's commands take what they should, under the names of the spec."""

import pytest
from pydantic import ValidationError

from interlock.wire.library import ExtractData, SearchSources, StoreOutput, StoreResearch

RESEARCH = {"plan_id": "plan-1", "artifact_type": "source", "title": "A", "content": "text"}


def test_what_is_left_out_is_usual() -> None:
    research = StoreResearch.model_validate(RESEARCH)
    output = StoreOutput.model_validate({"plan_id": "plan-1", "title": "A", "content": "text"})
    search = SearchSources.model_validate({"query": "x"})

    assert (research.step_id, research.source_urls, research.media_type) == (None, (), "text/plain")
    assert output.media_type == "text/markdown"
    assert (search.limit, search.filters) == (10, None)


@pytest.mark.parametrize(
    "more",
    [
        {"artifact_type": "../x"},
        {"artifact_type": ""},
        {"media_type": "text"},
        {"media_type": "text/plain\n"},
        {"source_urls": [""]},
        {"source_urls": ["x"] * 101},
        {"title": ""},
        {"unknown": 1},
    ],
    ids=str,
)
def test_what_cannot_be_stored_is_refused(more: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        StoreResearch.model_validate({**RESEARCH, **more})


def test_a_schema_is_called_schema_on_the_wire() -> None:
    asked = ExtractData.model_validate({"source_text": "x", "schema": {"type": "object"}})

    assert asked.answer_schema == {"type": "object"}
    assert "schema" in ExtractData.model_json_schema()["properties"]


@pytest.mark.parametrize("sources", [{}, {"source_text": "x", "artifact_id": "doc-1"}], ids=str)
def test_there_is_one_source(sources: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="either source_text or artifact_id"):
        ExtractData.model_validate({**sources, "schema": {}})
