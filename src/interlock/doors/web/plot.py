"""Small plots: how a number went lately, as a line with the ground below it, drawn by us.

No axes: the figure and a sentence stand beside it. For whoever sees no picture the label says how
it began, how it is now, and the most it was. Where nothing was measured there is a gap.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from markupsafe import Markup

WIDTH: Final = 100.0
HEIGHT: Final = 30.0
HEAD: Final = 2.0
"""Room above the highest value, so that its line is drawn whole."""

EMPTY: Final = "Nothing measured yet: the first value comes within 10 s."
IDLE: Final = "There was nothing to measure in this time."

Point = tuple[float, float]


def plot(values: Sequence[float | None], label: str, say: Callable[[float], str] = str) -> Markup:
    """Return a plot of values in their order; ``say`` tells one of them in words."""
    known = [value for value in values if value is not None]
    if not known:
        return Markup('<p class="empty">{}</p>').format(IDLE if values else EMPTY)
    most = max(known)
    words = f"{label}: {say(known[0])} at first, {say(known[-1])} now, {say(most)} at most."
    paths = [
        (_line(run), _line([(run[0][0], HEIGHT), *run, (run[-1][0], HEIGHT)]) + "Z")
        for run in _runs(values, most)
    ]
    drawn = Markup("").join(
        Markup('<path class="area" d="{}"/><path d="{}"/>').format(area, line)
        for line, area in paths
    )
    return Markup(
        '<svg class="plot" viewBox="0 0 {:g} {:g}" preserveAspectRatio="none" role="img"'
        ' aria-label="{}">{}</svg>'
    ).format(WIDTH, HEIGHT, words, drawn)


def _runs(values: Sequence[float | None], most: float) -> Iterator[list[Point]]:
    """Yield the stretches without a gap, as places in the drawing."""
    step = WIDTH / max(len(values) - 1, 1)
    run: list[Point] = []
    for number, value in enumerate([*values, None]):
        if value is None:
            if run:
                # One value alone is drawn as long as the stretch it stands for.
                yield run if len(run) > 1 else [*run, (run[0][0] + step, run[0][1])]
            run = []
        else:
            run.append((number * step, _height(value, most)))


def _height(value: float, most: float) -> float:
    return HEIGHT - (HEIGHT - HEAD) * (value / most if most > 0 else 0.0)


def _line(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.2f},{y:.2f}" for x, y in points)
