"""How the demo tells an event: who sent it, every move it made, and the cause of each.

A move is caused by the event itself, by a lift (parts move what is above them) or by a cascade
(what is below follows). Fields are told where they matter to a reader: those of the unit that
rules read, and those of a part when nothing moved.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from interlock.cli.screen import print_text
from interlock.kernel.refusal import Refusal
from interlock.kernel.replay import Record
from interlock.kernel.seen import Event, PartId
from interlock.kernel.workflow import Field, Workflow

INDENT = " " * 18
UNTOLD = ("lease", "result", "content")
ABOUT = ("title", "tool", "task")
"""Fields that say what a part is about, where it has one of them."""


def say(who: str, text: str) -> None:
    """Tell in a line who did what."""
    print_text(f"  {who:<8} {text}")


def tell_start(flow: Workflow, unit: str, status: str) -> None:
    """Tell how a unit begins."""
    print_text(f"  {'begin':<15} {unit}: the {flow.unit.name} is {status}")


def tell_again(count: int) -> None:
    """Tell that a play has caught up with what was done before it was killed."""
    print_text(f"  {'again':<15} {count} commands had been done; each gave its first answer again")


def tell(
    flow: Workflow,
    event: Event,
    told: Iterable[Record],
    branches: Iterable[Mapping[str, object]] = (),
) -> None:
    """Tell an event that was accepted."""
    print_text(_sent(event))
    for line in (*_conditions(branches), *_changes(flow, event, tuple(told))):
        print_text(INDENT + line)


def tell_refusal(event: Event, no: Refusal) -> None:
    """Tell an event that was refused, with what the caller can do instead."""
    print_text(_sent(event))
    print_text(f"{INDENT}refused: {no.code}. {no.message} {no.fix}")


def _sent(event: Event) -> str:
    who = f"{event.actor.kind} {event.actor.session}"
    said = ", ".join(
        f"{name} {value}"
        for name, value in event.args.items()
        if name not in UNTOLD and isinstance(value, str | int)
    )
    return f"  {who:<15} {event.name} {event.part or ''}".rstrip() + (f"  ({said})" if said else "")


def _conditions(branches: Iterable[Mapping[str, object]]) -> Iterator[str]:
    for one in branches:
        outcome = one["action"] if one["applied"] else f"nothing, {one['why_not']}"
        yield f"condition {one['expression']}: {outcome}"


def _changes(flow: Workflow, event: Event, told: tuple[Record, ...]) -> Iterator[str]:
    is_still = not any(record.change in ("move", "new", "drop") for record in told)
    shown = [r for r in told if r.change != "write" or _matters(flow, r, is_still=is_still)]
    if not shown:
        yield "nothing moves"
    for (change, who, _), group in groupby(shown, key=lambda record: _key(flow, record)):
        records = tuple(group)
        if change == "move":
            yield from (f"{who}: {_move(event, record)}" for record in records)
        elif change == "write":
            written = (f"{record.field} is {_shown(record.value)}" for record in records)
            yield f"{who}: {', '.join(written)}"
        elif change == "new":
            yield f"{_counted(_made(record) for record in records)} made, {records[0].target}"
        else:
            gone = _counted(str(part) for part in records[0].ids)
            yield f"{gone} taken out  ({records[0].reason})"


def _key(flow: Workflow, record: Record) -> tuple[str, str, tuple[PartId, ...]]:
    """Return what neighbouring records share that are told in one line."""
    who = flow.unit.name if record.is_unit else ", ".join(map(str, record.ids))
    if record.change == "new":
        return ("new", record.kind, ())
    return (record.change, who, record.ids)


def _move(event: Event, record: Record) -> str:
    if record.source == record.target:
        way = f"stays {record.target} on {record.signal}"
    else:
        way = f"{record.source} --{record.signal}--> {record.target}"
    is_own = record.cause.kind == "event"
    cause = event.name if is_own else f"{record.cause.kind}: {record.cause.name}"
    reason = f", {record.reason}" if record.reason not in ("", event.name) else ""
    return f"{way}  ({cause}{reason})"


def _made(record: Record) -> str:
    fields = dict(record.fields)
    about = next((str(fields[name]) for name in ABOUT if fields.get(name)), "")
    return f"{record.ids[0]} {about!r}" if about else str(record.ids[0])


def _counted(names: Iterable[str]) -> str:
    listed = list(names)
    return f"{', '.join(listed)} {'is' if len(listed) == 1 else 'are'}"


def _matters(flow: Workflow, record: Record, *, is_still: bool) -> bool:
    fields: tuple[Field, ...] = flow.fields if record.is_unit else flow.kind(record.kind).fields
    is_read = any(field.name == record.field and field.is_read for field in fields)
    return is_read and (record.is_unit or is_still)


def _shown(value: object) -> str:
    if value is None or value == "":
        return "cleared"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
