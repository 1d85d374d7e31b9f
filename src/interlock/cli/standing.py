"""How a ticket is told at a terminal: where it stands, who works, what waits for a person."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, cast

from interlock.cli.local import plain
from interlock.doors.web.ticket.gauge import gauges
from interlock.workflows.ticket.phases import REVIEW

Told = Mapping[str, object]
SIGNS: Final = {
    "completed": "[green]✓[/green]", "working": "[cyan]…[/cyan]", "waiting": "[dim]·[/dim]",
    "withdrawn": "[dim]-[/dim]",
}  # fmt: skip
"""What stands before an assignment; anything else went wrong."""

ATTEMPTS: Final = 10
OPEN: Final = ("waiting", "working")


def standing(data: Told) -> Iterator[str]:
    """Tell how a ticket stands."""
    phase = cast("Told", data["phase"])
    where = f"{plain(phase['label'])} [dim]({phase['name']})[/dim]"
    yield f"[bold]{plain(data['title'])}[/bold]  {where}"
    yield f"  [dim]{plain(phase['group'])}, project {plain(data['project_id'])}[/dim]"
    yield from _error(data.get("error"))
    for domain, warnings in cast("Mapping[str, list[str]]", data.get("warnings") or {}).items():
        yield from (f"  [yellow]![/yellow] {plain(domain)}: {plain(one)}" for one in warnings)
    for row in cast("list[Told]", data.get("work", [])):
        yield _work(row)
    yield from _council(data.get("council"))
    for row in cast("list[Told]", data.get("beads", [])):
        yield f"  {row['status']:<12} {plain(row['title'])}  [dim]{row['bead_id']}[/dim]"
    for one in gauges(data):
        if one.limit is not None:
            yield f"  [dim]{one.label.lower():<18}[/dim] {one.words}"
    for name, digest in cast("Told", data["documents"]).items():
        yield f"  [dim]{plain(name):<18} {plain(digest)}[/dim]"
    yield from _waits(data)


def _work(row: Told) -> str:
    outcome = str(row["outcome"])
    sign = SIGNS.get(outcome, "[red]✕[/red]")
    who = plain(row.get("member") or row.get("role", ""))
    holder = f"  held by {plain(row['holder'])}" if row.get("holder") else ""
    failure = cast("Told", row.get("failure") or {})
    why = f"  [red]{plain(failure.get('message') or '')}[/red]" if failure.get("message") else ""
    what = f"{who}  {plain(row.get('task', ''))}  {outcome}{holder}{why}"
    return f"  {sign} {what}  [dim]{row['part_id']}[/dim]"


def _council(council: object) -> Iterator[str]:
    if not isinstance(council, dict):
        return
    totals = cast("Told", council.get("totals", {}))
    said = [
        f"{plain(name)} {totals[name]}" if name in totals else plain(name)
        for name in council["members"]
    ]
    winner = f"; {plain(council['winner'])} won" if "winner" in council else ""
    yield f"  [dim]council[/dim] {', '.join(said)}{winner} [dim](quorum {council['quorum']})[/dim]"


def _error(error: object) -> Iterator[str]:
    """Tell why a ticket is blocked, and what each member came to."""
    if not isinstance(error, dict):
        return
    message = f": {plain(error['message'])}" if error.get("message") else ""
    yield f"  [red]✕ {plain(error.get('code', ''))}[/red]{message}"
    yield f"  [dim]occurrence {error['occurrence']}, in {plain(error['previous_status'])}[/dim]"
    members = error.get("members")
    if isinstance(members, Mapping):
        for name, outcome in members.items():
            yield f"    {plain(name)}  {plain(outcome)}"


def _waits(data: Told) -> Iterator[str]:
    """Tell what waits for a person, with the words that go on."""
    ticket = plain(data["ticket_id"])
    batch = data.get("batch")
    if isinstance(batch, dict):
        for one in cast("list[Told]", batch["questions"]):
            yield f"  {plain(one['id'])}  {plain(one['question'])}"
        yield f"[yellow]waits[/yellow]  interlock ticket answer {ticket}"
    elif cast("Told", data["phase"])["name"] == "DRAFT" and not data.get("work"):
        yield f"[yellow]waits[/yellow]  interlock ticket start {ticket}"
    elif "error" in data:
        yield f"[yellow]waits[/yellow]  interlock ticket retry {ticket}"
        yield f'       interlock ticket cancel {ticket} -m "..."'
    elif cast("Told", data["phase"])["view"] == "approval" and data.get("gates"):
        yield f"[yellow]waits[/yellow]  interlock ticket approve {ticket}"
    elif cast("Told", data["phase"])["name"] == REVIEW and not _is_open(data):
        yield f"[yellow]waits[/yellow]  interlock ticket merge {ticket}"
        yield f"       interlock ticket close-unmerged {ticket}"


def _is_open(data: Told) -> bool:
    """Say whether a worker has something to do."""
    return any(one["outcome"] in OPEN for one in cast("list[Told]", data.get("work") or []))


def context_lines(data: Told) -> Iterator[str]:
    """Tell a ticket with its past and its documents."""
    yield from standing(data)
    if data["description"]:
        yield from (f"  {plain(line)}" for line in str(data["description"]).splitlines())
    for row in cast("list[Told]", data["attempts"])[-ATTEMPTS:]:
        at = datetime.fromtimestamp(cast("int", row["entered_at"]) / 1000, UTC)
        again = f"  [dim]attempt {row['attempt']}[/dim]" if cast("int", row["attempt"]) > 1 else ""
        yield f"[dim]{at:%Y-%m-%d %H:%M}[/dim]  {plain(row['label'])}{again}"
    for name, text in cast("Told", data["texts"]).items():
        yield f"[bold]{plain(name)}[/bold]"
        yield from (f"  {plain(line)}" for line in str(text).splitlines())
