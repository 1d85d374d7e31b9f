"""The kernel's figures: each is there, with a floor to stand on."""

from tools.bench.kernel import kernel_figures
from tools.bench.scale import QUICK


def test_every_figure_of_the_kernel_is_there() -> None:
    found = kernel_figures(QUICK)

    assert [one.name for one in found] == [
        "decide, beside transitions",
        "decide, beside python-statemachine",
        "submit, 10,000 steps beside 10",
        "checker, plan of 1 steps",
        "checker, plan of 1 steps, 32 states",
    ]
    assert min(one.floor for one in found) > 0
