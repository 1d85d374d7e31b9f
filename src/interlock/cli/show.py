"""A workflow laid out for a terminal: its machines, its events and its interlock.

One line an edge, so that even the longest names fit into 80 columns and can be searched for.
Gates and ends are told apart by mark and word, never by colour alone.
"""

from collections.abc import Iterator

from rich.markup import escape

from interlock.kernel.machine import Edge, Machine, Status
from interlock.kernel.rules import Rule
from interlock.kernel.words import cascade_words, lift_words, pair_words, timer_words
from interlock.kernel.workflow import Workflow

MARKS = {"gate": "◇", "terminal": "■", "active": "○"}


def listed(flow: Workflow) -> Iterator[str]:
    """Yield the two lines that introduce a workflow, with rich's markup."""
    size = f"{len(flow.unit.statuses)} statuses, {len(flow.rules)} events"
    yield f"[bold]{flow.name}[/bold]: {escape(flow.shape())}  [dim]({size})[/dim]"
    yield f"    {escape(flow.doc)}"


def shown(flow: Workflow) -> Iterator[str]:
    """Yield the lines that show a workflow, with rich's markup."""
    yield f"[bold]{flow.name}[/bold]  {escape(flow.shape())}"
    yield escape(flow.doc)
    yield ""
    yield "○ active   ◇ gate: a person decides   ■ end"
    for machine in flow.machines():
        yield ""
        yield f"[bold]{machine.name}[/bold]"
        for status in machine.statuses:
            yield from _status(machine, status)
    for kind in flow.machines():
        yield ""
        yield f"[bold]events about a {kind.name}[/bold]"
        for rule in flow.rules:
            if rule.kind == kind.name:
                yield from _event(rule)
    yield from _interlock(flow)


def _status(machine: Machine, status: Status) -> Iterator[str]:
    notes: list[str] = [status.kind]
    notes += ["start"] if status.name == machine.initial else []
    notes += ["success"] if status.is_success else []
    notes += ["trouble"] if status.is_trouble else []
    yield f"{MARKS[status.kind]} {status.name}  [dim]{', '.join(notes)}[/dim]"
    leaving = [edge for edge in machine.edges if edge.source == status.name]
    width = max((len(edge.on) for edge in leaving), default=0)
    for edge in leaving:
        yield f"    {edge.on:<{width}}  {_target(edge)}"


def _target(edge: Edge) -> str:
    if edge.target_field:
        return f"-> wherever its field {edge.target_field} says"
    return "stays" if edge.target == edge.source else f"-> {edge.target}"


def _event(rule: Rule) -> Iterator[str]:
    command = f" = {rule.command}" if rule.command not in ("", rule.event) else ""
    who = ", ".join(sorted(rule.actors))
    yield f"  {rule.event}{escape(command)}  [dim]by {who}[/dim]"
    if rule.doc:
        yield f"    {escape(rule.doc)}"


def _interlock(flow: Workflow) -> Iterator[str]:
    timers = [(m.name, flow.timer_of(m.name)) for m in flow.machines()]
    rows = (
        ("timers: what the clock sends", [(n, timer_words(t)) for n, t in timers if t is not None]),
        ("lifts: parts move what is above them", [(r.name, lift_words(r)) for r in flow.lifts]),
        ("cascades: what is below follows", [(r.name, cascade_words(r)) for r in flow.cascades]),
        ("pairs: what must hold together", [(r.name, pair_words(r)) for r in flow.pairs]),
    )
    for title, named in rows:
        if named:
            yield ""
            yield f"[bold]{title}[/bold]"
        for name, words in named:
            yield f"  {escape(name)}"
            yield f"    {escape(words)}"
