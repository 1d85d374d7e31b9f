"""``python -m tests.simulation``: look closer at a run of the simulation.

    python -m tests.simulation shrink --seed 7 --amount 50000       the shortest run that fails
    python -m tests.simulation shrink --seed 1 --amount 5000 --bug 'any lease is good'
    python -m tests.simulation trace --seed 7 --amount 2000         a digest of all that happens
    python -m tests.simulation reach --seed 7 --amount 50000        which statuses and events it sees

``--campaign store-faults`` means its half on SQLite: what happens in PostgreSQL is not repeated
by a seed.
"""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from tests.simulation.bugs import BUGS, planted
from tests.simulation.reach import table, unheard, unseen
from tests.simulation.run import play_all, runs
from tests.simulation.shrink import TRIES_MAX, first_failing, shrink, told
from tests.simulation.torture import SWARMS
from tests.torture.campaigns import CAMPAIGNS

app = typer.Typer(add_completion=False)
Named = Annotated[str, typer.Option(help="simulation or store-faults.")]


@app.command("shrink")
def cut_down(
    seed: int = 1,
    amount: int = 50_000,
    bug: Annotated[str, typer.Option(help="One of those in tests/torture/bugs.toml.")] = "",
    campaign: Named = "simulation",
    tries: int = TRIES_MAX,
) -> None:
    """Find the first run of a leg that fails, cut it down and tell it."""
    if bug and bug not in BUGS:
        raise typer.BadParameter(", ".join(BUGS))
    counted = CAMPAIGNS[campaign].counted
    with tempfile.TemporaryDirectory(prefix="simulation-") as name, planted(bug):
        folder = Path(name)
        failing = first_failing(runs(seed, SWARMS[campaign]), folder, counted, amount)
        if failing is None:
            typer.echo("No run fails.")
            return
        typer.echo(told(shrink(failing, folder, tries)))
    raise typer.Exit(1)


@app.command("trace")
def trace(seed: int = 1, amount: int = 2_000, campaign: Named = "simulation") -> None:
    """Print a digest of everything that happens in a leg: the same for the same seed."""
    counted = CAMPAIGNS[campaign].counted
    with tempfile.TemporaryDirectory(prefix="simulation-") as folder:
        done = play_all(runs(seed, SWARMS[campaign]), Path(folder), counted, amount)
    typer.echo(done.trace)


@app.command("reach")
def reach(seed: int = 1, amount: int = 50_000, campaign: Named = "simulation") -> None:
    """Print how often a leg sees each status and each event, and what it never sees."""
    counted = CAMPAIGNS[campaign].counted
    with tempfile.TemporaryDirectory(prefix="simulation-") as folder:
        done = play_all(runs(seed, SWARMS[campaign]), Path(folder), counted, amount)
    for line in (*table(done.reached, done.events), *unseen(done.reached), *unheard(done.events)):
        typer.echo(line)


if __name__ == "__main__":
    app()
