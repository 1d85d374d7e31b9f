"""An explanation as plain data, for ``--json``: texts, numbers, lists and objects only."""

from collections.abc import Mapping
from dataclasses import asdict

from interlock.kernel.why import Call, Why


def explained(why: Why) -> dict[str, object]:
    """Return an explanation as a document."""
    return {
        "kind": why.kind,
        "status": why.status,
        "is_ended": why.is_ended,
        "holder": why.holder,
        "waits": [asdict(wait) for wait in why.waits],
        "calls": [_call(call) for call in why.calls],
        "first": [_call(call) for call in why.first],
        "facts": [asdict(fact) for fact in why.facts],
    }


def _call(call: Call) -> dict[str, object]:
    return {
        "event": call.event,
        "command": call.command,
        "part": call.part,
        "args": _plain(call.args),
        "actors": list(call.actors),
        "moves": list(call.moves),
        "reach": call.reach,
        "is_giving_up": call.is_giving_up,
    }


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
