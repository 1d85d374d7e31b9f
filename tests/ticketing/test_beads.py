"""Beads: a blueprint put back verbatim, in an order that works, with what is ours filled in."""

from copy import deepcopy
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.ticketing.answer import AnswerInvalid, Wrong
from interlock.ticketing.beads import edited, expanded, machine_rows
from interlock.ticketing.blueprint import document
from interlock.ticketing.checked import Json, rows, texts
from tests.ticketing.papers import (
    BEADS,
    DIGEST,
    EXPANSION,
    REFERENCES,
    a_bead,
    an_entry,
)

BLUEPRINT = document(BEADS, "ticket-1", DIGEST, REFERENCES)
WHOLE = expanded(BLUEPRINT, EXPANSION)


def wrongs(expansion: object) -> list[Wrong]:
    with pytest.raises(AnswerInvalid) as caught:
        expanded(BLUEPRINT, expansion)
    return list(caught.value.wrong)


def test_an_expansion_adds_and_changes_nothing() -> None:
    assert rows(WHOLE, "beads")[1] == {
        **a_bead("form"), "issue_type": "task", "labels": ["epic:EPIC-1"],
        "blocked_by": ["schema"], "blocks": ["page"], "target_files": ["src/form.py"],
        "priority": 2,
    }  # fmt: skip
    assert [row["blocks"] for row in rows(WHOLE, "beads")] == [["form", "page"], ["page"], []]
    assert (WHOLE["schema_version"], WHOLE["artifact"]) == (1, "beads")
    assert WHOLE["source_prd"] == {"content_sha256": DIGEST}


def test_the_machine_gets_titles_and_places() -> None:
    assert machine_rows(WHOLE) == (
        {"id": "schema", "title": "Make schema", "needs": ()},
        {"id": "form", "title": "Make form", "needs": (0,)},
        {"id": "page", "title": "Make page", "needs": (0, 1)},
    )


FILES = st.lists(
    st.sampled_from(["a.py", "b.py", "src", "src/c.py", "src/d.py", "srcs/e.py"]), max_size=3
)


@given(st.lists(FILES, min_size=1, max_size=6))
def test_what_may_be_built_at_once_never_touches_the_same(files: list[list[str]]) -> None:
    beads = [
        {"id": f"b{n}", "title": "", "blocked_by": [], "target_files": named}
        for n, named in enumerate(files)
    ]
    found = machine_rows({"beads": beads}, is_parallel=True)

    for later, row in enumerate(found):
        needs = cast("tuple[int, ...]", row["needs"])
        assert all(need < later for need in needs)
        for earlier in set(range(later)) - set(needs):
            one, other = files[earlier], files[later]
            assert one
            assert other
            for a in one:
                assert not any(f"{a}/".startswith(f"{b}/") for b in other)
                assert not any(f"{b}/".startswith(f"{a}/") for b in other)
    assert all(not row["needs"] for row in machine_rows({"beads": beads}))


def test_an_expansion_is_about_every_bead_in_order() -> None:
    assert wrongs(EXPANSION[:2]) == [
        Wrong("$.expansion", "3 entries, one for each bead", "a list of 2")
    ]
    assert wrongs([EXPANSION[0], EXPANSION[2], EXPANSION[1]]) == [
        Wrong("$.expansion[1].id", '"form"', '"page"'),
        Wrong("$.expansion[2].id", '"page"', '"form"'),
    ]


@pytest.mark.parametrize(
    ("place", "entry", "path", "found"),
    [
        (0, an_entry("schema", "page"), "$.expansion[0].blocked_by", "schema -> page -> schema is a cycle"),
        (0, an_entry("schema", "schema"), "$.expansion[0].blocked_by[0]", "schema needs itself"),
        (1, an_entry("form", "schema", "x"), "$.expansion[1].blocked_by[1]", "form needs x, which is not there"),
        (1, an_entry("form", target_files=["ok", "../x"]), "$.expansion[1].target_files[1]", '"../x"'),
        (1, an_entry("form", target_files=["/etc"]), "$.expansion[1].target_files[0]", '"/etc"'),
        (1, an_entry("form", target_files=[]), "$.expansion[1].target_files", "an empty list"),
        (1, an_entry("form", labels=[]), "$.expansion[1].labels", "an empty list"),
        (1, an_entry("form", issue_type="epic"), "$.expansion[1].issue_type", '"epic"'),
        (1, an_entry("form", title="Other"), "$.expansion[1].title", '"Other"'),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_entry_is_told_by_place(
    place: int, entry: Json, path: str, found: str
) -> None:
    expansion: list[Json] = [*EXPANSION]
    expansion[place] = entry

    assert [(one.path, one.found) for one in wrongs(expansion)] == [(path, found)]


def test_a_bead_waits_for_earlier_ones_only() -> None:
    expansion = [an_entry("schema", "form"), an_entry("form"), an_entry("page")]

    assert wrongs(expansion) == [
        Wrong("$.expansion[0].blocked_by[0]", "an earlier bead", "form, a later one")
    ]


def test_a_person_reorders_and_what_is_ours_follows() -> None:
    after = deepcopy(WHOLE)
    beads = cast("list[dict[str, object]]", after["beads"])
    beads[1]["blocked_by"] = []
    beads.insert(0, beads.pop(1))

    found = edited(WHOLE, after, REFERENCES)
    assert [(row["id"], row["priority"], row["blocks"]) for row in rows(found, "beads")] == [
        ("form", 1, ["page"]), ("schema", 2, ["page"]), ("page", 3, []),
    ]  # fmt: skip
    assert edited(WHOLE, WHOLE, REFERENCES) == WHOLE


def test_what_a_person_gets_wrong_is_told_all_at_once() -> None:
    after = deepcopy(WHOLE)
    beads = cast("list[dict[str, object]]", after["beads"])
    beads[0]["prd_refs"] = ["US-9-9"]
    beads[1]["id"] = "schema"
    beads[2]["target_files"] = ["a/../../b"]

    with pytest.raises(AnswerInvalid) as caught:
        edited(WHOLE, after, REFERENCES)
    assert [one.path for one in caught.value.wrong] == [
        "$.beads[0].prd_refs[0]", "$.beads[2].target_files[0]", "$.beads[1].id",
        "$.beads[1].blocked_by[0]", "$.beads[2].blocked_by[1]",
    ]  # fmt: skip


NEEDS = st.lists(st.lists(st.integers(0, 5), max_size=3), min_size=1, max_size=6)


@given(NEEDS)
def test_what_is_accepted_fits_the_machine(needs: list[list[int]]) -> None:
    names = [f"bead-{place}" for place in range(len(needs))]
    blueprint = document([a_bead(name) for name in names], "ticket-1", DIGEST, REFERENCES)
    expansion = [
        an_entry(name, *(f"bead-{need}" for need in wanted))
        for name, wanted in zip(names, needs, strict=True)
    ]

    is_right = all(need < place for place, wanted in enumerate(needs) for need in wanted)
    try:
        found = expanded(blueprint, expansion)
    except AnswerInvalid:
        assert not is_right
    else:
        assert is_right
        assert [row["needs"] for row in machine_rows(found)] == [
            tuple(sorted(set(wanted))) for wanted in needs
        ]
        for row in rows(found, "beads"):
            for other in texts(row, "blocks"):
                assert row["id"] in texts(rows(found, "beads")[names.index(other)], "blocked_by")
