"""The demo's mission: what it says it has computed is believed only if our own sum agrees.

That it is flown to its end, and what is told of it, is in ``test_run``: with the whole demo.
"""

import pytest

from interlock.cli.demo.mission import agreed
from interlock.cli.demo.orders import REPORT, expected
from interlock.cli.demo.serving import WentWrong


def test_a_report_that_agrees_is_returned() -> None:
    figures = expected()

    assert agreed(figures, REPORT.format(**figures)).startswith("November brought 16,001.08 euro")


@pytest.mark.parametrize("field", expected())
def test_one_figure_that_differs_is_told(field: str) -> None:
    figures = expected()
    wrong = {**figures, field: "1.00"}

    with pytest.raises(WentWrong, match="our own sum"):
        agreed(wrong, REPORT.format(**figures))
    with pytest.raises(WentWrong, match="our own sum"):
        agreed(figures, REPORT.format(**wrong))
    with pytest.raises(WentWrong, match="our own sum"):
        agreed(None, None)
