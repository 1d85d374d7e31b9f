"""The graph of beads: what is needed stands above, each is a link, and nothing brings a style."""

import re

from markupsafe import Markup

from interlock.doors.web.chips import Chip
from interlock.doors.web.ticket.graph import BEADS_MAX, Node, graph

DONE = Chip("done", "Done")
IDLE = Chip("idle", "Pending")


def _node(number: int, *needs: int, title: str = "A bead") -> Node:
    return Node(number, title, IDLE, needs, f"/units/t/beads/{number}")


def _tops(drawn: Markup) -> list[int]:
    return [int(y) for y in re.findall(r'<rect x="\d+" y="(\d+)"', drawn)]


def test_a_bead_stands_below_everything_that_it_needs() -> None:
    drawn = graph([_node(1), _node(2), _node(3, 1, 2), _node(4, 3, 1)])

    tops = _tops(drawn)
    assert tops[0] == tops[1] < tops[2] < tops[3]
    assert drawn.count('class="need"') == 4
    assert 'aria-label="Bead 4: A bead. Pending. Needs 3, 1."' in drawn
    assert "style=" not in drawn


def test_a_title_is_text_and_is_cut() -> None:
    drawn = graph([_node(1, title="<script>canary()</script>\u202e" + "x" * 50), _node(2)])

    assert "<script>" not in drawn
    assert "\u202e" not in drawn
    assert "…" in drawn
    assert 'href="/units/t/beads/1"' in drawn


def test_the_status_is_a_word_a_sign_and_a_class() -> None:
    drawn = graph([_node(1)._replace(chip=DONE), _node(2, 1)])

    assert 'class="node done"' in drawn
    assert "✓ Done" in drawn
    assert "○ Pending" in drawn


def test_one_bead_and_too_many_are_not_drawn() -> None:
    assert graph([_node(1)]) == ""
    assert graph([_node(number) for number in range(1, BEADS_MAX + 2)]) == ""
    chain = [_node(1), *(_node(number, number - 1) for number in range(2, BEADS_MAX + 1))]
    assert graph(chain).count("<a ") == BEADS_MAX
