"""A workflow as plain data: nothing is lost, and any change is seen."""

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

import pytest

from interlock.kernel.export import canonical, digest, export
from interlock.kernel.forms import Form, Free
from interlock.kernel.timer import Timer
from interlock.kernel.trouble import Trouble
from interlock.kernel.workflow import Field, Workflow
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.parcel import PARCEL

OPTIONAL_FORMS = frozenset({"when", "claimable", "first"})


def changed(value: object, name: str = "") -> Iterator[object]:
    """Yield copies of a value, each with one thing in it taken out or made different."""
    if isinstance(value, Mapping):
        yield from changed_mapping(value)
    elif isinstance(value, tuple):
        for place, held in enumerate(value):
            yield (*value[:place], *value[place + 1 :])
            yield from ((*value[:place], other, *value[place + 1 :]) for other in changed(held))
    elif isinstance(value, frozenset):
        yield from (value - {held} for held in value)
    elif is_dataclass(value):
        # What is not compared only words what the rows say.
        for field in (one for one in fields(value) if one.init and one.compare):
            for other in changed(getattr(value, field.name), field.name):
                yield with_field(value, field.name, other)
    else:
        yield other_than(value, name)


def changed_mapping(value: Mapping[str, object]) -> Iterator[object]:
    for key, held in value.items():
        yield {known: kept for known, kept in value.items() if known != key}
        if not callable(held):  # functions are exported by name
            yield from ({**value, key: other} for other in changed(held))


def other_than(value: object, name: str) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None:
        if name == "timer":
            return Timer("field", "event", ("status",))
        if name == "trouble":
            return Trouble("event", "status", "previous", "lost", "error", "count")
        return Free() if name in OPTIONAL_FORMS else "something"
    return f"{value}~"


def with_field(value: object, name: str, held: object) -> object:
    """Copy without asking whether it still fits together: export must not care."""
    other = copy.copy(value)
    object.__setattr__(other, name, held)
    return other


def without_rows(flow: Workflow) -> Iterator[Workflow]:
    for name in ("rules", "lifts", "cascades", "pairs", "fields", "parts"):
        rows = getattr(flow, name)
        for place in range(len(rows)):
            yield _flow(with_field(flow, name, (*rows[:place], *rows[place + 1 :])))
    for place, rule in enumerate(flow.rules):
        for name in ("guards", "walk"):
            held = getattr(rule, name)
            for at in range(len(held)):
                bare = with_field(rule, name, (*held[:at], *held[at + 1 :]))
                rules = (*flow.rules[:place], bare, *flow.rules[place + 1 :])
                yield _flow(with_field(flow, "rules", rules))
    for name in ("statuses", "edges"):
        held = getattr(flow.unit, name)
        for at in range(len(held)):
            unit = with_field(flow.unit, name, (*held[:at], *held[at + 1 :]))
            yield _flow(with_field(flow, "unit", unit))


def _flow(value: object) -> Workflow:
    assert isinstance(value, Workflow)
    return value


def test_whatever_is_changed_in_any_row_changes_the_digest() -> None:
    before = digest(PARCEL)
    mutants = [_flow(mutant) for mutant in changed(PARCEL)]

    assert len(mutants) > 250
    assert [mutant for mutant in mutants if digest(mutant) == before] == []


def test_removing_any_row_of_the_plan_changes_its_digest() -> None:
    flow = WORKFLOWS["plan"]
    before = digest(flow)
    mutants = list(without_rows(flow))

    assert len(mutants) > 150
    assert [mutant for mutant in mutants if digest(mutant) == before] == []


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_row_of_a_workflow_is_in_its_export(name: str) -> None:
    flow = WORKFLOWS[name]
    data = json.loads(canonical(flow))

    machines = [data["unit"], *data["parts"]]
    assert [m["kind"] for m in machines] == [m.name for m in flow.machines()]
    assert [[s["name"] for s in m["statuses"]] for m in machines] == [
        list(m.names()) for m in flow.machines()
    ]
    assert [[(e["from"], e["signal"], e["to"]) for e in m["edges"]] for m in machines] == [
        [(e.source, e.on, e.target) for e in m.edges] for m in flow.machines()
    ]
    assert [
        (r["event"], len(r.get("guards", [])), len(r.get("walk", []))) for r in data["rules"]
    ] == [(r.event, len(r.guards), len(r.walk)) for r in flow.rules]
    for kind in ("lifts", "cascades", "pairs"):
        assert [row["name"] for row in data.get(kind, [])] == [
            row.name for row in getattr(flow, kind)
        ]
    assert data["functions"] == sorted(flow.functions)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_the_export_is_what_json_gives_back(name: str) -> None:
    data = export(WORKFLOWS[name])

    assert json.loads(json.dumps(data)) == data


def test_a_part_reads_as_a_user_would_write_it() -> None:
    parts = export(PARCEL)["parts"]

    assert isinstance(parts, list)
    assert parts[0] == {
        "kind": "label",
        "initial": "blank",
        "statuses": [
            {"name": "blank", "kind": "active"},
            {"name": "written", "kind": "terminal", "success": True},
        ],
        "edges": [{"from": "blank", "signal": "write", "to": "written"}],
        "parent": "item",
        "fields": [{"name": "text", "default": "", "unread": True}],
        "unordered": True,
    }


def test_a_rule_reads_as_a_user_would_write_it() -> None:
    rules = export(PARCEL)["rules"]

    assert isinstance(rules, list)
    assert rules[1] == {
        "event": "send",
        "kind": "parcel",
        "actors": ["user"],
        "doc": "Send it away.",
        "walk": [{"do": "weigh", "when": {"in": {"who": "unit", "statuses": ["looked_at"]}}}],
    }
    assert rules[0]["examples"] == [{"fits": True}, {"fits": False, "why": ["too", "long"]}]


def test_the_same_rows_always_give_the_same_digest() -> None:
    assert digest(replace(PARCEL)) == digest(PARCEL)
    assert len(digest(PARCEL)) == 64


def test_a_value_that_json_cannot_hold_is_refused_by_name() -> None:
    flow = replace(PARCEL, fields=(*PARCEL.fields, Field("odd", default=Form())))

    with pytest.raises(TypeError, match="cannot be written as data"):
        export(flow)
