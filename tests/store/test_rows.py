"""The one mapper between rows and the kernel's values: there and back again, nothing lost."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.kernel.seen import Part
from interlock.store.chain import Link
from interlock.store.errors import CorruptState
from interlock.store.rows import (
    PartRow,
    UnitRow,
    dump,
    exactly,
    freeze,
    has_changed,
    has_new_body,
    part_body,
    part_columns,
    part_id,
    part_number,
    read_fields,
    read_listed,
    read_part,
    read_tally,
    read_unit,
    told_fields,
    told_tally,
    unit_of,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner).map(tuple) | st.dictionaries(TEXT, inner),
    max_leaves=8,
)
FIELDS = st.dictionaries(
    TEXT.filter(lambda name: name not in ("fence", "holder", "lapsed")), VALUES
)
LEASES = st.fixed_dictionaries(
    {"holder": st.none() | TEXT, "fence": st.integers(0, 2**53), "lapsed": st.booleans()}
)


def _stored(row: PartRow) -> list[object]:
    """Return a part's columns as ``load_part`` gives them."""
    columns = part_columns(row)
    status, order, waits, feeds, branches, offer, slot = columns[:7]
    holder, fence, lapsed = columns[-3:]
    parent = None if row.part.parent is None else part_number(str(row.part.parent))
    return [
        row.number, row.part.kind, status, order, parent, waits, feeds, branches, offer, slot,
        holder, fence, lapsed, part_body(row.part),
    ]  # fmt: skip


@given(FIELDS, LEASES | st.just({}), st.none() | st.integers(1, 99))
def test_a_part_is_read_back_as_it_was_written(
    fields: dict[str, object], lease: dict[str, object], parent: int | None
) -> None:
    above = None if parent is None else part_id("u", parent)
    part = Part("step", "pending", {**lease, **fields}, above)
    row = PartRow("u.3", 3, part, 1 << 40, 2, 1, 4, 0, "step")

    found = read_part("u", _stored(row))

    assert replace(found, part=part) == row
    assert (found.part.kind, found.part.status, found.part.parent) == ("step", "pending", above)
    assert list(found.part.fields.items()) == list(part.fields.items())


def test_the_fields_of_a_lease_stand_in_their_columns_alone() -> None:
    part = Part("step", "in_progress", {"holder": "ada", "fence": 7, "lapsed": True, "title": "x"})

    body = json.loads(part_body(part))

    assert body == {"holder": None, "fence": 0, "lapsed": False, "title": "x"}
    assert part_columns(PartRow("u.1", 1, part, 5))[-3:] == ("ada", 7, 1)


def test_who_should_do_it_has_columns_too() -> None:
    part = Part("assignment", "offered", {"role": "critic", "member": 2, "site": None})

    columns = part_columns(PartRow("u.1", 1, part, 5))

    assert columns == ("offered", 5, 0, 0, 0, None, None, "critic", "2", None, None, 0, 0)


@given(FIELDS, st.dictionaries(TEXT, st.dictionaries(TEXT, st.integers(0, 9))))
def test_a_unit_is_read_back_as_it_was_written(
    fields: dict[str, object], tally: dict[str, dict[str, int]]
) -> None:
    stored = [
        "plan-1", "plan", "digest", "executing", 9, "head", 4, "step", dump(tally), dump(fields),
        1, 2, None,
    ]  # fmt: skip

    row = read_unit(stored)

    assert (row.unit.status, row.unit.fields, row.tally) == ("executing", fields, tally)
    assert row == UnitRow(
        "plan-1", "plan", "digest", row.unit, tally, 9, "head", 4, "step", 1, 2, None
    )


@given(st.dictionaries(TEXT, VALUES))
def test_a_value_has_one_text_whatever_the_order_of_its_names(value: dict[str, object]) -> None:
    turned = dict(reversed(value.items()))

    assert dump(turned) == dump(value)
    assert freeze(json.loads(dump(value))) == value


def test_a_text_is_as_short_as_can_be_and_every_character_is_itself() -> None:
    assert dump({"b": [1, "ä😀"], "a": None}) == '{"a":null,"b":[1,"ä😀"]}'


@given(st.dictionaries(TEXT, VALUES))
def test_the_text_of_a_value_is_what_everybody_else_would_write(value: dict[str, object]) -> None:
    plain = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert dump(value) == exactly(value) == plain
    assert json.loads(part_body(Part("step", "pending", value))) == json.loads(plain)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 2**80, "a": 1}, '{"a":1,"b":1208925819614629174706176}'),
        ({"a": ("x", Link(1, 2, "{}", "f"))}, '{"a":["x",[1,2,"{}","f"]]}'),
        ({"a": "half \ud800"}, '{"a":"half \ud800"}'),
    ],
)
def test_what_is_not_often_met_is_written_all_the_same(value: object, text: str) -> None:
    assert dump(value) == exactly(value) == text


def test_what_is_no_json_is_nothing_or_is_refused() -> None:
    assert dump({"a": float("nan")}) == '{"a":null}'
    assert exactly({"a": None}) == '{"a":null}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        exactly({"a": float("nan")})
    for write in (dump, exactly):
        with pytest.raises(TypeError):
            write({"a": object()})


def test_lists_are_read_as_tuples_at_every_depth() -> None:
    assert read_fields('{"a":[1,[2,{"b":[3]}]],"c":"x"}') == {"a": (1, (2, {"b": (3,)})), "c": "x"}
    assert read_tally('{"step":{"pending":2}}') == {"step": {"pending": 2}}


def test_bodies_share_the_names_of_their_fields() -> None:
    one, two = (read_fields(f'{{"instructions": {number}}}') for number in range(2))

    assert next(iter(one)) is next(iter(two))


@pytest.mark.parametrize(("name", "number"), [("plan-1.7", 7), ("a.b.12", 12)])
def test_a_part_is_named_by_its_unit_and_its_number(name: str, number: int) -> None:
    assert part_number(name) == number
    assert part_id("plan-1", 7) == "plan-1.7"
    assert unit_of("plan-1.7") == unit_of("plan-1") == "plan-1"


@pytest.mark.parametrize("name", ["plan-1", "plan-1.", "plan-1.x", ""])
def test_what_names_no_part_has_no_number(name: str) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        part_number(name)


GOOD_PART = [1, "step", "pending", 1, None, 0, 0, 0, None, None, None, 0, 0, "{}"]
GOOD_UNIT = ["u", "plan", "d", "planning", 1, "h", 1, "", "{}", "{}", 1, 1, None]


@pytest.mark.parametrize(
    ("place", "value"), [(0, "1"), (3, None), (4, "1"), (5, "x"), (8, "0"), (13, "["), (13, "[]")]
)
def test_a_part_that_cannot_be_read_is_corrupt_and_named(place: int, value: object) -> None:
    broken = [*GOOD_PART[:place], value, *GOOD_PART[place + 1 :]]

    with pytest.raises(CorruptState, match=r"u\.1 cannot be used"):
        read_part("u", broken)


@pytest.mark.parametrize(
    ("place", "value"), [(4, None), (6, "x"), (8, ""), (9, "{"), (9, "3"), (12, "z")]
)
def test_a_unit_that_cannot_be_read_is_corrupt_and_named(place: int, value: object) -> None:
    broken = [*GOOD_UNIT[:place], value, *GOOD_UNIT[place + 1 :]]

    with pytest.raises(CorruptState, match="u cannot be used"):
        read_unit(broken)


@pytest.mark.parametrize(
    ("place", "value"), [(4, None), (6, "x"), (8, "["), (8, "[]"), (9, "{"), (9, "3"), (12, "z")]
)
def test_in_a_list_a_unit_that_cannot_be_read_is_told_as_far_as_it_can_be(
    place: int, value: object
) -> None:
    broken = [*GOOD_UNIT[:place], value, *GOOD_UNIT[place + 1 :]]

    row, wrong = read_listed(broken)

    assert (row.id, row.workflow, row.unit.status) == (GOOD_UNIT[0], GOOD_UNIT[1], GOOD_UNIT[3])
    assert (row.unit.fields, row.tally) == ({}, {})
    assert wrong.startswith("cannot be read (")
    assert read_listed(GOOD_UNIT)[1] == ""


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "null"])
def test_what_is_only_told_is_empty_where_it_cannot_be_read(text: str) -> None:
    assert told_fields(text) == told_tally(text) == {}
    assert told_fields('{"a": 1}') == {"a": 1}
    assert told_tally('{"step": {"done": 1}}') == {"step": {"done": 1}}


def test_a_body_is_new_when_something_in_it_is() -> None:
    def part(**fields: object) -> Part:
        return Part("step", "pending", {"holder": None, "fence": 0, "lapsed": False, **fields})

    before = part(title="x", content=1)

    assert not has_new_body(before, before)
    assert not has_new_body(before, part(title="x", content=1))
    assert not has_new_body(before, Part("step", "failed", {**before.fields, "fence": 3}))
    assert has_new_body(before, part(title="y", content=1))
    assert has_new_body(before, part(title="x", content=True))
    assert has_new_body(before, part(title="x", content=None))


def test_true_is_not_one() -> None:
    assert has_changed({"a": 1}, {"a": True})
    assert has_changed({"a": 1}, {"a": 1.0})
    assert not has_changed({"a": (1,)}, {"a": (1,)})
