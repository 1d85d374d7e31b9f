"""The page of one workflow, as Markdown: drawings, statuses, transitions, rules, interlock.

Everything on it comes from the rows; nothing is added by hand. ``tools.docs`` writes it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from interlock.kernel.draw.mermaid import mermaid
from interlock.kernel.export import digest
from interlock.kernel.machine import Edge, Machine, Status
from interlock.kernel.rules import Guard, Rule
from interlock.kernel.words import effect_words, fired_by, stage_words, timer_words
from interlock.kernel.workflow import Field, Workflow

NOTICE: Final = (
    "<!-- Made from the tables by `make docs`. What is changed here by hand is lost. -->"
)
VERSION_LENGTH: Final = 12

STATUS_WORDS: Final[Mapping[str, str]] = MappingProxyType({"ticket": "Phases"})
"""What the statuses of a machine are called where its users have a word of their own."""

LEGEND: Final = (
    "A hexagon is a gate: it goes on only by a person's decision. A double border is an end, a"
    " black dot the start. A dashed frame is a lift (parts move what stands above them), a dotted"
    " one a cascade (parts follow what stands above them). A note stands for a signal that leads"
    " to one place from nearly everywhere; the tables list from where. Lifts and cascades"
    " that only a registered function can spell out are in the tables, not in the picture."
)


def machine_page(flow: Workflow) -> str:
    """Return the page of a workflow."""
    lines = [NOTICE, "", f"# {flow.name}", "", flow.doc, ""]
    lines += [f"Version `{digest(flow)[:VERSION_LENGTH]}`, {_size(flow)}.", ""]
    seen = f"![The machines of {flow.name} and what ties them together]({flow.name}.svg)"
    lines += [f"[{seen}]({flow.name}.svg)", ""]
    lines += [LEGEND, ""]
    for machine in flow.machines():
        lines += _machine(flow, machine)
    lines += _rules(flow)
    lines += _interlock(flow)
    lines += ["## The whole as Mermaid", "", *_fenced(mermaid(flow))]
    return "\n".join(lines).rstrip() + "\n"


def version(flow: Workflow) -> str:
    """Return the first letters of a workflow's digest, enough to tell versions apart."""
    return digest(flow)[:VERSION_LENGTH]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a Markdown table, or a sentence when it has no rows."""
    cells = [[_cell(text) for text in row] for row in rows]
    if not cells:
        yield "None."
    else:
        yield f"| {' | '.join(head)} |"
        yield f"|{'---|' * len(head)}"
        yield from (f"| {' | '.join(row)} |" for row in cells)
    yield ""


def code(names: Iterable[str], separator: str = ", ") -> str:
    """Return names as code, one after the other."""
    return separator.join(f"`{name}`" for name in names)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def _size(flow: Workflow) -> str:
    statuses = sum(len(machine.statuses) for machine in flow.machines())
    edges = sum(len(machine.edges) for machine in flow.machines())
    kinds = [machine.name for machine in flow.machines()]
    return (
        f"{len(kinds)} machines ({', '.join(kinds)}), {statuses} statuses, {edges} edges,"
        f" {len(flow.rules)} events"
    )


def _fenced(drawing: str) -> list[str]:
    return ["```mermaid", drawing.rstrip(), "```", ""]


def _machine(flow: Workflow, machine: Machine) -> Iterator[str]:
    what = "the unit" if machine is flow.unit else "a part"
    if machine is not flow.unit and flow.kind(machine.name).parent:
        what = f"a part, under a {flow.kind(machine.name).parent}"
    yield from (f"## {machine.name}: {what}", "", *_fenced(mermaid(machine, groups=flow.groups)))
    yield from (f"### {STATUS_WORDS.get(machine.name, 'Statuses')} of {machine.name}", "")
    yield from _statuses(flow, machine)
    yield from (f"### Transitions of {machine.name}", "")
    yield from _transitions(flow, machine)
    fields = flow.fields if machine is flow.unit else flow.kind(machine.name).fields
    if fields:
        yield from (f"### Fields of {machine.name}", "")
        yield from _fields(fields)
    timer = flow.timer_of(machine.name)
    if timer is not None:
        yield from (f"### Time of {machine.name}", "")
        yield f"The clock sends an event {timer_words(timer)}."
        yield "With nothing in that field nothing is sent, and nothing once the unit has ended."
        yield ""


def _statuses(flow: Workflow, machine: Machine) -> Iterator[str]:
    shown = list(dict.fromkeys(name for status in machine.statuses for name in status.shown))
    has_groups = any(status.group for status in machine.statuses)
    head = ["name", "label", "kind", *(["group"] if has_groups else [])]
    rows = []
    for status in machine.statuses:
        row = [f"`{status.name}`", status.label, _kind(machine, status)]
        if has_groups:
            row.append(flow.groups.get(status.group, status.group))
        rows.append([*row, *(status.shown.get(name, "") for name in shown)])
    yield from table([*head, *(name.replace("_", " ") for name in shown)], rows)


def _kind(machine: Machine, status: Status) -> str:
    marks = {
        "start": status.name == machine.initial,
        "success": status.is_success,
        "asked for": status.is_asked,
        "for repairs": status.is_trouble,
    }
    told = [mark for mark, holds in marks.items() if holds]
    return f"{status.kind} ({', '.join(told)})" if told else status.kind


def _transitions(flow: Workflow, machine: Machine) -> Iterator[str]:
    merged: dict[tuple[str, str], list[Edge]] = {}
    for edge in machine.edges:
        merged.setdefault((edge.on, edge.target), []).append(edge)
    rows = []
    for (signal, target), edges in merged.items():
        to = f"the field `{edges[0].target_field}`" if edges[0].target_field else f"`{target}`"
        sources = code((edge.source for edge in edges), "\n")
        rows.append((sources, f"`{signal}`", to, *_fired(flow, machine, edges)))
    yield from table(("from", "signal", "to", "who may fire", "by"), rows)


def _fired(flow: Workflow, machine: Machine, edges: list[Edge]) -> tuple[str, str]:
    """Say who may fire edges that share signal and target, and by what; guards come last."""
    causes = [cause for edge in edges for cause in fired_by(flow, machine, edge)]
    said = {actor for edge in edges for actor in edge.actors}
    actors = sorted(said or {actor for cause in causes for actor in cause.actors})
    lines = dict.fromkeys(cause.words for cause in causes)
    guards = dict.fromkeys(_guard(guard) for edge in edges for guard in edge.guards)
    return ", ".join(actors) or "settling", "\n".join([*lines, *guards])


def _fields(fields: Sequence[Field]) -> Iterator[str]:
    rows = []
    for field in fields:
        lives = code(field.during) if field.during else "always"
        rows.append(
            (f"`{field.name}`", _value(field.default), lives, "yes" if field.is_read else "no")
        )
    yield from table(("field", "at first", "lives in", "read by rules"), rows)


def _value(value: object) -> str:
    return "" if value is None or value == "" else f"`{value}`"


def _rules(flow: Workflow) -> Iterator[str]:
    yield from ("## Events", "")
    yield "What can be asked of it or happen to it. Guards are asked in this order; the first"
    yield "that does not hold is the answer. The walk is taken edge by edge, in one decision."
    yield ""
    head = ("event", "command", "about", "who", "refused unless", "walk", "meaning")
    yield from table(head, (_rule(rule) for rule in flow.rules))


def _rule(rule: Rule) -> tuple[str, ...]:
    who = ", ".join(sorted(rule.actors)) + (", with the lease" if rule.lease else "")
    command = f"`{rule.command}`" if rule.command else ""
    guards = "\n".join(_guard(guard) for guard in rule.guards)
    walk = "\n".join(stage_words(stage) for stage in rule.walk) or "no status changes"
    return (f"`{rule.event}`", command, rule.kind, who, guards, walk, rule.doc)


def _guard(guard: Guard) -> str:
    return f"{guard.test.words()}: `{guard.code}`"


def _interlock(flow: Workflow) -> Iterator[str]:
    yield from ("## Interlock", "", "### Lifts", "")
    yield "After a walk, and as long as something moves: while the test holds, the signal is"
    yield "fired on what stands above."
    yield ""
    lifts = ((x.name, x.when.words(), f"`{x.fire}`", x.who, x.reason) for x in flow.lifts)
    yield from table(("lift", "while", "fires", "on the", "reason"), lifts)
    yield from ("### Cascades", "")
    yield "When something enters or leaves a status, others follow."
    yield ""
    yield from table(("cascade", "when", "only if", "then", "reason"), _cascades(flow))
    yield from ("### Legal pairs", "")
    yield "What must be true of the parts while the unit is where it is. Checked after every"
    yield "decision; one that does not hold is a bug, and nothing is written."
    yield ""
    pairs = ((pair.name, code(pair.units), pair.holds.words()) for pair in flow.pairs)
    yield from table(("pair", f"while the {flow.unit.name} is", "it holds that"), pairs)


def _cascades(flow: Workflow) -> Iterator[tuple[str, ...]]:
    for cascade in flow.cascades:
        moments = [f"{cascade.of} enters {code(cascade.enters)}"] if cascade.enters else []
        moments += [f"{cascade.of} leaves {code(cascade.leaves)}"] if cascade.leaves else []
        only_if = cascade.when.words() if cascade.when is not None else ""
        yield (cascade.name, "\n".join(moments), only_if, effect_words(cascade), cascade.reason)
