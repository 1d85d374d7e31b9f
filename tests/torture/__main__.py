"""``python -m tests.torture``: the campaigns at their large figures, or a share of them.

    python -m tests.torture                          all of it: many hours
    python -m tests.torture run --share 0.1          a tenth of the large figures
    python -m tests.torture run --only kills         one campaign and its bugs
    python -m tests.torture leg kills --seed 7 --amount 50     one leg again, in this process

A run that was stopped goes on where it was when it is asked for with the same words; ``--fresh``
begins anew. The exit code is 1 when anything was found or a planted bug was not.
"""

import json
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from interlock.family import adopt
from tests.torture.book import Book
from tests.torture.bugs import bugs
from tests.torture.campaigns import CAMPAIGNS
from tests.torture.frame import Campaign
from tests.torture.runner import ROOT, commit, jobs, leg, play_all
from tools.stopping import heed_signals

BOOK: Final = ROOT / "build" / "torture.json"

app = typer.Typer(add_completion=False, no_args_is_help=False)


@app.command("leg")
def one_leg(name: str, seed: int = 1, amount: int = 1, bug: str = "") -> None:
    """Run one leg in this process and print what it came to."""
    typer.echo(json.dumps(leg(CAMPAIGNS[name], seed, amount, bug).told()))


@app.command("run")
def run(
    share: Annotated[float, typer.Option(help="How much of the large figures.")] = 1.0,
    seed: int = 1,
    only: Annotated[list[str] | None, typer.Option(help="These campaigns alone.")] = None,
    at_once: Annotated[int, typer.Option(help="How many legs at once.")] = 2,
    book: Annotated[Path, typer.Option(help="Where each leg that is done is written down.")] = BOOK,
    *,
    fresh: bool = False,
) -> None:
    """Run the campaigns and the bugs that they must find."""
    adopt()  # what has left the session of its leg comes to us when the leg is gone
    heed_signals()
    chosen = {name: one for name, one in CAMPAIGNS.items() if not only or name in only}
    able = {name: one for name, one in chosen.items() if not one.lacks()}
    if fresh:
        book.unlink(missing_ok=True)
    written = Book(book, {"commit": commit(), "share": share, "seed": seed, "only": only or []})
    todo = [job for job in jobs(able, bugs(), share, seed) if job.key not in written.legs]
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with (
        Progress(*columns, console=Console()) as progress,
        closing(play_all(todo, at_once)) as played,
    ):
        bar = progress.add_task(
            f"seed {seed}", total=len(todo) + len(written.legs), completed=len(written.legs)
        )
        for job, told in played:
            written.add(job.key, told, chosen)
            is_bad = not told["caught"] if job.bug else bool(told["findings"])
            if is_bad:
                progress.console.print(f"[red]{job.key}[/red]: {told['findings'] or 'not caught'}")
                progress.console.print(f"    {job.line()}", highlight=False)
            progress.advance(bar)
    raise typer.Exit(_verdict(written, chosen))


def _verdict(book: Book, chosen: dict[str, Campaign]) -> int:
    """Print what a run came to; return its exit code."""
    is_bad = False
    for name, told in book.sums(chosen).items():
        missed = [bug for bug, is_caught in told["bugs"].items() if not is_caught]
        faults = sum(told["faults"].values())
        state = f"lacks {told['lacks']}" if told["lacks"] else (
            f"{told['tried']:,} of {told['long']:,} {told['counted']}, {faults:,} faults,"
            f" {len(told['findings'])} findings, {len(told['bugs']) - len(missed)} of"
            f" {len(told['bugs'])} planted bugs caught"
        )  # fmt: skip
        typer.echo(f"{name}: {state}")
        is_bad = is_bad or bool(missed or told["findings"])
    typer.echo(f"{book.path} has all of it.")
    return int(is_bad)


if __name__ == "__main__":
    app()
