"""Reading a snapshot from plain data: what it makes, and what is told when it does not fit."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.kernel.read import InvalidSnapshot, read_snapshot
from interlock.kernel.workflow import Field, Workflow
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.tiny import CASES, added, case

BUSY = {"unit": {"status": "busy"}}
HELD = {"id": "1", "kind": "item", "status": "held"}
USED = {"unit": {"status": "used"}}
BOX = {"id": "a", "kind": "box", "status": "shut"}
LOOSE = {"id": "a1", "kind": "item", "status": "loose"}


def told(data: object, flow: Workflow = CASES) -> list[str]:
    """Return what is said about data that cannot be read."""
    with pytest.raises(InvalidSnapshot) as caught:
        read_snapshot(flow, data)
    return caught.value.message.split("; ")


def test_a_document_becomes_a_snapshot_with_defaults_filled_in() -> None:
    data = {
        "unit": {"status": "busy", "fields": {"most": 2}},
        "parts": [
            {**HELD, "fields": {"holder": "me", "fence": 1}},
            {"id": "2", "kind": "item", "status": "waiting", "needs": ["1"]},
        ],
    }

    assert read_snapshot(CASES, data).key() == case("busy: held* waiting<", most=2).key()


def test_parents_and_the_current_part_are_named_by_id() -> None:
    data = {
        "unit": {"status": "used", "fields": {"current": "a"}},
        "parts": [{**BOX, "status": "opened"}, {**LOOSE, "parent": "a"}],
    }

    assert read_snapshot(SHELVES, data).key() == shelf("used: opened(loose)", "a").key()


def test_a_unit_may_have_no_parts() -> None:
    assert read_snapshot(CASES, BUSY).parts == ()


def test_a_list_in_a_document_is_a_tuple_to_the_rules() -> None:
    flow = added(fields=(*CASES.fields, Field("outputs", ())))
    data = {"unit": {"status": "busy", "fields": {"outputs": ["a", "b"]}}}

    assert read_snapshot(flow, data).unit.fields["outputs"] == ("a", "b")


@pytest.mark.parametrize("data", [None, [], "busy", {}, {"unit": "busy"}, {"unit": None}])
def test_what_is_no_object_with_a_unit_is_told(data: object) -> None:
    assert told(data) == ['the snapshot must be an object with a "unit"']


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"unit": {"status": "bussy"}},
         ["unit.status: a case has no status 'bussy'", "did you mean 'busy'?"]),
        ({"unit": {}},
         ["unit.status: a case has no status None", "known: asked, busy, closed, dropped, open"]),
        ({"unit": {"status": ["busy"]}}, ["unit.status: a case has no status ['busy']"]),
        ({"unit": {"status": "busy", "fields": {"mots": 1}}},
         ["unit.fields: 'mots' is not a field of a case", "did you mean 'most'?"]),
        ({"unit": {"status": "busy", "fields": {"xyzzy": 1}}},
         ["unit.fields: 'xyzzy' is not a field of a case", "known: shown, most"]),
        ({"unit": {"status": "busy", "fields": []}}, ["unit.fields: must be an object"]),
        ({"unit": {"status": "busy", "stauts": 1}},
         ["unit: 'stauts' means nothing here", "did you mean 'status'?"]),
        ({**BUSY, "part": []},
         ["the snapshot: 'part' means nothing here", "did you mean 'parts'?"]),
        ({**BUSY, "parts": {}}, ["parts: must be a list"]),
        ({**BUSY, "parts": ["1"]}, ['parts[0]: must be an object with an "id"']),
        ({**BUSY, "parts": [{**HELD, "id": 1}]}, ['parts[0]: must be an object with an "id"']),
        ({**BUSY, "parts": [HELD, HELD]},
         ["parts[0]: the id '1' is used twice", "parts[1]: the id '1' is used twice"]),
        ({**BUSY, "parts": [{**HELD, "kind": "itme"}]},
         ["parts[0]: kind 'itme' is not known", "did you mean 'item'?"]),
        ({**BUSY, "parts": [{**HELD, "kind": ["item"]}]},
         ["parts[0]: kind ['item'] is not known", "did you mean 'item'?"]),
        ({**BUSY, "parts": [{**HELD, "status": "helt"}]},
         ["parts[0].status: a item has no status 'helt'", "did you mean 'held'?"]),
        ({**BUSY, "parts": [{**HELD, "fields": {"holdr": 1}}]},
         ["parts[0].fields: 'holdr' is not a field of a item", "did you mean 'holder'?"]),
        ({**BUSY, "parts": [{**HELD, "need": []}]},
         ["parts[0]: 'need' means nothing here", "did you mean 'needs'?"]),
        ({**BUSY, "parts": [{**HELD, "needs": ["11"]}]},
         ["parts[0].needs: there is no part '11'", "did you mean '1'?"]),
        ({**BUSY, "parts": [{**HELD, "needs": "1"}]}, ["parts[0].needs: must be a list"]),
        ({**BUSY, "parts": [{**HELD, "parent": "1"}]},
         ["parts[0].parent: a item stands under nothing but the unit"]),
    ],
)  # fmt: skip
def test_each_mistake_is_told_with_its_place_and_the_nearest_name(
    data: object, said: list[str]
) -> None:
    assert told(data)[: len(said)] == said


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({**USED, "parts": [BOX, {**LOOSE, "parent": "aa"}]},
         ["parts[1].parent: there is no box 'aa'", "did you mean 'a'?"]),
        ({**USED, "parts": [{**LOOSE, "parent": "a1"}]},
         ["parts[0].parent: there is no box 'a1'", "there are none"]),
        ({"unit": {"status": "used", "fields": {"current": "b"}}, "parts": [BOX]},
         ["unit.fields.current: there is no box 'b'", "known: a"]),
        ({"unit": {"status": "used", "fields": {"current": "a1"}}, "parts": [{**LOOSE}]},
         ["unit.fields.current: there is no box 'a1'", "there are none"]),
        ({"unit": {"status": "used", "fields": {"current": "b"}}, "parts": [{**BOX, "kind": []}]},
         ["parts[0]: kind [] is not known", "known: box, item"]),
    ],
)  # fmt: skip
def test_what_points_at_nothing_is_told(data: object, said: list[str]) -> None:
    assert told(data, SHELVES)[: len(said)] == said


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("lapsed", "yes", "must be true or false, not 'yes'"),
        ("fence", "1", "must be a whole number, not '1'"),
        ("fence", True, "must be a whole number, not True"),
        ("fence", -1, "must be a whole number, not -1"),
        ("note", 3, "must be a text, not 3"),
        ("holder", ["me"], "must be a text, a whole number or null, not ['me']"),
    ],
)
def test_a_value_of_another_kind_than_the_field_has_is_told(
    name: str, value: object, said: str
) -> None:
    data = {**BUSY, "parts": [{**HELD, "fields": {name: value}}]}

    assert told(data) == [f"parts[0].fields.{name}: {said}"]


def test_a_value_where_the_field_does_not_live_is_told() -> None:
    waiting = {**HELD, "status": "waiting", "fields": {"holder": "me", "lapsed": False}}

    assert told({**BUSY, "parts": [waiting]}) == [
        "parts[0].fields.holder: has a value only while the item is held"
    ]


def test_a_remembered_status_must_be_one() -> None:
    back = replace(CASES.unit.edges[0], on="back", target="@shown")
    flow = added(unit=replace(CASES.unit, edges=(*CASES.unit.edges, back)))

    assert told({"unit": {"status": "busy", "fields": {"shown": "bussy"}}}, flow) == [
        "unit.fields.shown: 'bussy' is no status of a case",
        "did you mean 'busy'?",
    ]


def test_all_mistakes_are_told_at_once() -> None:
    data = {"unit": {"status": "x"}, "parts": [{**HELD, "status": "y"}, {"id": "2"}]}
    said = " ".join(told(data))

    assert "unit.status" in said
    assert "parts[0].status" in said
    assert "parts[1]: kind None" in said


def test_the_error_says_what_to_do() -> None:
    with pytest.raises(InvalidSnapshot) as caught:
        read_snapshot(CASES, [])

    assert (caught.value.code, caught.value.http) == ("INVALID_SNAPSHOT", 422)
    assert caught.value.fix == "Mend what the message names and send it again."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["1", "item", "held", "busy", ""]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["unit", "parts", "id", "kind", "status", "fields", "needs", "parent",
                         "current", "holder"]), inner, max_size=5),
    max_leaves=12,
)  # fmt: skip


@given(unit=JSON, parts=JSON)
def test_whatever_is_sent_there_is_an_answer_and_no_traceback(unit: object, parts: object) -> None:
    for flow in (CASES, SHELVES):
        with suppress(InvalidSnapshot):
            read_snapshot(flow, {"unit": unit, "parts": parts})


LISTED = Field("outputs", ())


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        (LISTED, ["a", 1], "must be a list of texts, not ['a', 1]"),
        (LISTED, "ab", "must be a list of texts, not 'ab'"),
        (Field("outputs", 1), -1, "must be a whole number, not -1"),
        (Field("outputs"), [], "must be a text, a whole number or null, not []"),
        (
            Field("outputs", during=("open", "asked")),
            "x",
            "has a value only while the case is open or asked",
        ),
    ],
)
def test_what_a_field_cannot_be_is_told_in_full(field: Field, value: object, said: str) -> None:
    flow = added(fields=(*CASES.fields, field))

    found = told({"unit": {"status": "busy", "fields": {"outputs": value}}}, flow)

    assert found == [f"unit.fields.outputs: {said}"]


def test_what_a_field_can_be_is_taken() -> None:
    flow = added(fields=(*CASES.fields, Field("count", 1), Field("free", is_read=False)))
    data = {"unit": {"status": "busy", "fields": {"count": 0, "free": {"a": [1]}}}}

    assert read_snapshot(flow, data).unit.fields["count"] == 0


def test_a_current_part_that_is_not_there_is_told_with_what_it_could_be() -> None:
    lost = {"unit": {"status": "used", "fields": {"current": "b"}}, "parts": [BOX]}

    (said, *_) = told(lost, SHELVES)
    assert said.startswith("unit.fields.current: there is no box 'b'")
