"""A workflow as plain data: everything its rows say, in the form in which a user writes one.

Only what differs from the default is written, lists keep the order of the table, and sets are
sorted: the same workflow always gives the same text, and its digest is a version of it.
Registered functions are exported by name; what is inside of them is not part of the digest.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Final

from interlock.kernel.expression import Grammar
from interlock.kernel.forms import Form
from interlock.kernel.machine import Edge, Machine, Status
from interlock.kernel.rules import NO_ARGS, Cascade, Do, Fire, Guard, Lift, Pair, Rule
from interlock.kernel.timer import Timer
from interlock.kernel.workflow import LEASE_MS, PLAIN, Field, PartKind, Workflow

FORMAT: Final = 1
"""Raised when the same words come to mean something else."""

Row = dict[str, object]


def export(flow: Workflow) -> Row:
    """Return the whole workflow as plain data; raises TypeError for a value JSON cannot hold."""
    return _row(
        {
            "interlock": FORMAT,
            "name": flow.name,
            "doc": flow.doc,
            "groups": dict(flow.groups),
            "unit": {**_machine(flow.unit), **_row({"fields": _fields(flow.fields)})},
            "parts": [_part(part) for part in flow.parts],
            "rules": [_rule(rule) for rule in flow.rules],
            "lifts": [_lift(lift) for lift in flow.lifts],
            "cascades": [_cascade(cascade) for cascade in flow.cascades],
            "pairs": [_pair(pair) for pair in flow.pairs],
            "held": flow.held,
            "timer": _timer(flow.timer),
            "trouble": {} if flow.trouble is None else asdict(flow.trouble),
            "functions": sorted(flow.functions),
            "conditions": None if flow.conditions == PLAIN else _grammar(flow.conditions),
        }
    )


def canonical(flow: Workflow) -> str:
    """Return the export as the one text that is hashed: keys sorted, no spaces."""
    return json.dumps(export(flow), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(flow: Workflow) -> str:
    """Return the SHA-256 of a workflow's rows, in hex; it names a version of the workflow."""
    return hashlib.sha256(canonical(flow).encode()).hexdigest()


def _grammar(grammar: Grammar) -> Row:
    limits = grammar.limits
    return {
        "roots": sorted(grammar.roots),
        "default": grammar.default_root,
        "characters": limits.characters,
        "depth": limits.depth,
        "nodes": limits.nodes,
    }


def _machine(machine: Machine) -> Row:
    return {
        "kind": machine.name,
        "initial": machine.initial,
        "statuses": [_status(status) for status in machine.statuses],
        "edges": [_edge(edge) for edge in machine.edges],
    }


def _status(status: Status) -> Row:
    return _row(
        {
            "name": status.name,
            "kind": status.kind,
            "label": status.label,
            "group": status.group,
            "success": status.is_success,
            "asked": status.is_asked,
            "trouble": status.is_trouble,
            "shown": dict(status.shown),
        }
    )


def _edge(edge: Edge) -> Row:
    return _row(
        {
            "from": edge.source,
            # Not "on": a YAML file would read that word as true.
            "signal": edge.on,
            "to": edge.target,
            "actors": sorted(edge.actors),
            "guards": [_guard(guard) for guard in edge.guards],
        }
    )


def _part(part: PartKind) -> Row:
    return {
        **_machine(part.machine),
        **_row(
            {
                "parent": part.parent,
                "fields": _fields(part.fields),
                "closed": sorted(part.closed),
                # Most parts have an order; the word is written where they have none.
                "unordered": not part.is_ordered,
                "claim": part.claim,
                "claimable": _form(part.claimable),
                "first": _form(part.first),
                "verbs": dict(part.verbs),
                "alone": sorted(part.alone),
                "lease_ms": None if part.lease_ms == LEASE_MS else part.lease_ms,
                "timer": _timer(part.timer),
            }
        ),
    }


def _fields(fields: Iterable[Field]) -> list[Row]:
    rows: list[Row] = []
    for field in fields:
        row: Row = {"name": field.name}
        # Nothing is the default's default; 0, false and the empty text are not nothing.
        if field.default is not None:
            row["default"] = _plain(field.default)
        rows.append(row | _row({"unread": not field.is_read, "during": list(field.during)}))
    return rows


def _timer(timer: Timer | None) -> Row:
    if timer is None:
        return {}
    return _row(
        {
            "event": timer.event,
            "after": timer.field,
            "during": list(timer.during),
            "anew": list(timer.anew),
            "renewed": list(timer.renewed),
            "when": timer.when,
            "reason": timer.reason,
        }
    )


def _guard(guard: Guard) -> Row:
    return _row(
        {
            "test": _form(guard.test),
            "code": guard.code,
            "message": guard.message,
            "fix": guard.fix,
        }
    )


def _rule(rule: Rule) -> Row:
    row = _row(
        {
            "event": rule.event,
            "kind": rule.kind,
            "actors": sorted(rule.actors),
            "command": rule.command,
            "doc": rule.doc,
            "lease": rule.lease,
            "guards": [_guard(guard) for guard in rule.guards],
            "walk": [_stage(stage) for stage in rule.walk],
            "sees": list(rule.sees),
        }
    )
    if rule.examples != (NO_ARGS,):
        row["examples"] = _plain(rule.examples)
    return row


def _stage(stage: Fire | Do) -> Row:
    if isinstance(stage, Do):
        return _row({"do": stage.name, "when": _form(stage.when)})
    return _row(
        {
            "fire": stage.signal,
            "who": stage.who,
            "maybe": stage.maybe,
            "when": _form(stage.when),
            "reason": stage.reason,
            "from_arg": stage.from_arg,
        }
    )


def _lift(lift: Lift) -> Row:
    return _row(
        {
            "name": lift.name,
            "when": _form(lift.when),
            "fire": lift.fire,
            "who": lift.who,
            "reason": lift.reason,
        }
    )


def _cascade(cascade: Cascade) -> Row:
    return _row(
        {
            "name": cascade.name,
            "of": cascade.of,
            "enters": list(cascade.enters),
            "leaves": list(cascade.leaves),
            "to": cascade.to,
            "fire": cascade.fire,
            "whom": cascade.whom,
            "do": cascade.do,
            "when": _form(cascade.when),
            "reason": cascade.reason,
        }
    )


def _pair(pair: Pair) -> Row:
    return _row({"name": pair.name, "units": list(pair.units), "holds": _form(pair.holds)})


def _form(form: Form | None) -> object:
    return None if form is None else _plain(form.data())


def _row(values: Row) -> Row:
    """Leave out what is empty: an absent word means nothing, no, or none."""
    return {
        name: value
        for name, value in values.items()
        if not (value is None or value is False or value in ("", [], {}))
    }


def _plain(value: object) -> object:
    """Return a value as JSON would hold it, without changing what it means."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(name): _plain(held) for name, held in value.items()}
        case tuple() | list():
            return [_plain(held) for held in value]
        case set() | frozenset():
            return sorted((_plain(held) for held in value), key=repr)
        case _:
            raise TypeError(f"{value!r} cannot be written as data; use text, numbers or lists")
