"""The files that matter: checked, in order, and within the room there is."""

import pytest

from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.checked import Json, rows
from interlock.ticketing.relevant_files import relevant_files


def file(path: str, relevance: str = "high", rationale: str = "It matters.") -> Json:
    return {
        "path": path, "rationale": rationale, "relevance": relevance, "likely_action": "modify",
        "content_preview": "def f() -> None\n",
    }  # fmt: skip


def test_a_scan_becomes_a_document_with_the_most_relevant_first() -> None:
    found = relevant_files(
        {"files": [file("b.py", "low"), file("./a.py"), file("c.py", "medium")]}, "ticket-1"
    )

    assert [row["path"] for row in rows(found, "files")] == ["a.py", "c.py", "b.py"]
    assert (found["ticket_id"], found["file_count"]) == ("ticket-1", 3)
    assert rows(found, "files")[0] == {
        "path": "a.py", "rationale": "It matters.", "relevance": "high", "likely_action": "modify",
        "content_preview": "def f() -> None",
    }  # fmt: skip


def test_what_is_least_relevant_is_left_out_first() -> None:
    long = "x" * 19_000
    files = [file(f"{n}.py", "low" if n % 2 else "high", long) for n in range(12)]

    found = relevant_files({"files": files}, "ticket-1")
    assert [row["relevance"] for row in rows(found, "files")] == ["high"] * 6 + ["low"] * 2
    assert found["file_count"] == 8


@pytest.mark.parametrize(
    ("files", "path"),
    [
        ([], "$.files"),
        ([file("../x")], "$.files[0].path"),
        ([file("a"), file("./a")], "$.files[1].path"),
        ([file("a", "huge")], "$.files[0].relevance"),
        ([file(str(n)) for n in range(31)], "$.files"),
    ],
)
def test_a_scan_that_does_not_fit_is_refused(files: list[Json], path: str) -> None:
    with pytest.raises(AnswerInvalid) as caught:
        relevant_files({"files": files}, "ticket-1")

    assert [one.path for one in caught.value.wrong] == [path]
