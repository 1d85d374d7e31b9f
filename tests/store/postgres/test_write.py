"""A change is spelt out as exactly the arguments that the database's function takes."""

from dataclasses import replace

import pytest

from interlock.store.postgres.write import commit_arguments, is_short, wide_arguments
from interlock.store.script import Artifact, Condition, Document, Key, SkillMove
from interlock.store.statements import statements
from tests.store.postgres.made import ACME, UNIT, begin, job, then

NAMES = statements("postgres")["call_commit"].parameters


def said(change: object) -> dict[str, object]:
    return dict(zip(NAMES, commit_arguments(change), strict=True))  # type: ignore[arg-type]  # a change


def test_what_there_is_none_of_is_not_spelt_out() -> None:
    told = said(then(begin().unit))

    lists = NAMES[NAMES.index("numbers") : NAMES.index("queue_kinds")]
    empty = {name: told[name] for name in lists if told[name] is not None}
    assert empty == {"changed": 0, "has_beside": False}
    assert (told["request"], told["overdue"]) == (None, None)


def test_those_who_give_a_slot_up_come_first_and_new_parts_last() -> None:
    change = then(
        begin().unit, job(3, slot="x"), job(1), bodies={1: "{}"}, made=(job(4, slot="y"),)
    )
    told = said(change)

    assert told["numbers"] == (1, 3, 4)
    assert told["slots"] == (None, "x", "y")
    assert told["kinds"] == [None, None, "job"]
    assert told["bodies"] == (
        "{}",
        None,
        '{"title":"job 4","holder":null,"fence":0,"lapsed":false}',
    )
    assert told["changed"] == 2


def test_a_lease_goes_with_its_part() -> None:
    change = then(begin().unit, job(1, "held", holder="me"), job(2), leases={1: 10})

    assert said(change)["leases"] == (10, None)


def test_everything_else_stands_under_its_own_name() -> None:
    change = begin(
        job(1), links=((2, 1, 5),), conditions=(Condition(1, 1, "true", "skip", "{}", None),),
        tags=("red",), artifacts=(Artifact(0, "a", "digest", b"x", "text/plain", "late", "me"),),
        key=Key("me", "r", "x"), reply="done",
    )  # fmt: skip
    told = said(change)

    assert (told["tenant"], told["unit"], told["before"]) == (ACME, UNIT, 0)
    assert (told["principal"], told["request"], told["asked"], told["reply"]) == (
        "me",
        "r",
        "x",
        "done",
    )
    assert (told["link_parts"], told["link_needs"], told["link_places"]) == ((2,), (1,), (5,))
    assert (told["expressions"], told["targets"], told["tags"]) == (("true",), (None,), ["red"])
    assert (told["contents"], told["marks"], told["authors"]) == ((b"x",), ("late",), ("me",))
    assert (told["queue_kinds"], told["queue_statuses"]) == (["job"], ["open"])


def test_the_execution_of_a_skill_goes_with_its_unit() -> None:
    move = SkillMove("skill-1", "started", "failed", "{}", 9)
    told = said(begin(skill=move))

    names = ("skill", "skill_before", "skill_status", "skill_metadata", "skill_ended_at")
    assert tuple(told[name] for name in names) == move


def test_a_change_with_documents_is_never_short_and_has_their_columns_last() -> None:
    kept = Artifact(1, "a/t", "digest", b"x")
    one = Document("doc-1", 1, "a/t", "output", "a", "t", "[]", "digest", "text/plain", "me")
    bare = then(begin(job(1)).unit, job(1), moved={1}, is_moved_only=True, artifacts=(kept,))
    change = replace(bare, documents=(one, one._replace(id="doc-2")))
    names = statements("postgres")["call_commit_wide"].parameters
    told = dict(zip(names, wide_arguments(change), strict=True))

    assert (is_short(bare), is_short(change)) == (True, False)
    assert names[: len(NAMES)] == NAMES
    assert (told["document_ids"], told["document_parts"]) == (("doc-1", "doc-2"), (1, 1))
    assert (told["document_names"], told["titles"]) == (("a/t", "a/t"), ("t", "t"))
    assert (told["document_authors"], told["urls"]) == (("me", "me"), ("[]", "[]"))


@pytest.mark.parametrize(
    "more",
    [
        {"is_moved_only": False},
        {"moved": set()},
        {"leases": {1: 5}},
        {"overdue": 1},
        {"parts": ()},
        {"parts": (job(1), job(2), job(3)), "moved": {1, 2, 3}},
        {"artifacts": (Artifact(0, "a", "digest", b"x"),) * 2},
        {"kinds": (("job", ("open", "late")),)},
        {"kinds": (("job", ("open",)), ("task", ("open",)))},
        {"made": (job(4),)},
        {"gone": (4,)},
        {"links": ((2, 1, 5),)},
        {"tags": ("red",)},
        {"stops": True},
    ],
    ids=str,
)
def test_whatever_the_short_commit_has_no_place_for_goes_the_long_way(
    more: dict[str, object],
) -> None:
    """Without a holder what runs anew is a timer."""
    short = then(begin().unit, job(1, "done"), moved={1}, is_moved_only=True)

    assert is_short(short)
    assert not is_short(replace(short, **more))  # type: ignore[arg-type]  # fields that there are
