"""Changes of a refinement: computed, attributed, and what was told but not made."""

from hypothesis import given
from hypothesis import strategies as st

from interlock.ticketing.answer import Wrong, wrong_with
from interlock.ticketing.changes import (
    CHANGES,
    Change,
    Inspiration,
    attributed,
    difference,
)
from interlock.ticketing.checked import Json

BEFORE: dict[str, Json] = {"a": {"t": 1}, "b": {"t": 2}, "c": {"t": 3}}
AFTER: dict[str, Json] = {"a": {"t": 1}, "b": {"t": 9}, "d": {"t": 4}}
MADE = difference(BEFORE, AFTER)
DRAFTS = {"Draft 1": {"x1"}, "Draft 2": {"y1", "y2"}}


def declared(kind: str, item: str, draft: str = "", other: str = "") -> Json:
    came = {"inspiration": {"draft": draft, "item": other}} if draft else {}
    return {"type": kind, "item": item, "reason": "because", **came}


def test_the_difference_is_what_is_there_now_and_then_what_is_gone() -> None:
    assert difference(BEFORE, AFTER) == (
        Change("modified", "b", {"t": 2}, {"t": 9}),
        Change("added", "d", None, {"t": 4}),
        Change("removed", "c", {"t": 3}, None),
    )


def test_a_change_is_inspired_unattributed_or_names_what_does_not_exist() -> None:
    rows = [
        declared("modified", "b", "Draft 2", "y1"),
        declared("added", "d", "Draft 1", "y1"),
        declared("removed", "c"),
    ]

    found = attributed(rows, MADE, DRAFTS)
    assert [one.attribution for one in found.changes] == ["inspired", "invalid", "unattributed"]
    assert found.changes[0].inspiration == Inspiration("Draft 2", "y1")
    assert all(one.is_declared and one.reason == "because" for one in found.changes)
    assert found.astray == found.undeclared == ()


def test_what_was_not_told_is_shown_as_such() -> None:
    found = attributed([declared("added", "d", "Draft 9", "x")], MADE, DRAFTS)

    assert [one.is_declared for one in found.changes] == [False, True, False]
    assert found.undeclared == (
        Wrong("$.changes", "an entry for b, which was modified", "none"),
        Wrong("$.changes", "an entry for c, which was removed", "none"),
    )


def test_what_was_told_but_not_made_is_found_out() -> None:
    rows = [declared("modified", "a"), declared("added", "d"), declared("added", "d")]

    assert attributed(rows, MADE, DRAFTS).astray == (
        Wrong("$.changes[0]", "a change that was made", "a modified"),
        Wrong("$.changes[2]", "each change once", "d added"),
    )


def test_a_change_is_kept_as_json() -> None:
    change = attributed([declared("added", "d", "Draft 1", "x1")], MADE, DRAFTS).changes[1]

    assert change.as_json() == {
        "type": "added", "item": "d", "before": None, "after": {"t": 4}, "reason": "because",
        "attribution": "inspired", "inspiration": {"draft": "Draft 1", "item": "x1"},
        "is_declared": True,
    }  # fmt: skip


def test_the_schema_takes_what_was_declared_here_and_nothing_else() -> None:
    assert wrong_with(CHANGES, [declared("added", "d", "Draft 1", "x1")]) == ()
    assert wrong_with(CHANGES, [{"type": "replaced", "item": "d"}])[0].path == "$[0].type"


ITEMS = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 2).map(lambda t: {"t": t}))


@given(ITEMS, ITEMS)
def test_the_changes_lead_from_one_document_to_the_other(
    before: dict[str, Json], after: dict[str, Json]
) -> None:
    now = dict(before)
    for change in difference(before, after):
        assert change.before == now.get(change.item)
        if change.after is None:
            del now[change.item]
        else:
            now[change.item] = change.after

    assert now == after
