"""The fill: a real server is given plans until it remembers as much as was asked for."""

from tools.soak.fill import AT_ONCE, fill, remembered
from tools.soak.run import served


def test_a_server_is_filled_and_tells_how_much_it_remembers() -> None:
    with served("sqlite") as (_, door, _):
        before = remembered(door)
        made = fill(door, enough=200_000.0)
        after = remembered(door)
        again = fill(door, enough=200_000.0)

    assert before == 0
    assert made == AT_ONCE
    assert after >= 200_000
    assert again == 0
