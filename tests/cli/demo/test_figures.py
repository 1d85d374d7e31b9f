"""The demo's own tools: with those that come along they lead from the orders to the figures."""

from collections.abc import Mapping
from typing import Any

import pytest

from interlock.cli.demo.figures import figures, in_euro
from interlock.cli.demo.orders import RATES, days, expected
from interlock.toolbox.around import Around
from interlock.toolbox.grouping import group_reduce
from interlock.toolbox.query import json_query
from interlock.toolbox.tool import Tool, ToolFailure

RATE = {"dollar": RATES["USD"], "pound": RATES["GBP"]}
PIECE = {"shop": "harbour", "product": "lamp"}


def _run(tool: Tool, **arguments: object) -> Mapping[str, Any]:
    found = tool.run(arguments, Around())
    assert isinstance(found, dict)
    return found


def test_the_tools_come_to_what_an_independent_sum_does() -> None:
    orders = _run(json_query, value=days(), path="[*].orders[*]")["value"]
    rows = _run(in_euro, orders=orders, **RATE)["rows"]
    shops, products = (
        _run(group_reduce, rows=rows, by=by, reduce="sum", of="euro_cents")["groups"]
        for by in ("shop", "product")
    )

    assert _run(figures, shops=shops, products=products)["figures"] == expected()


def test_cents_are_rounded_half_up() -> None:
    orders = [{**PIECE, "currency": "USD", "cents": cents} for cents in (0, 1, 2)]
    rows = _run(in_euro, orders=orders, dollar=5_000, pound=1)["rows"]

    assert [row["euro_cents"] for row in rows] == [0, 1, 1]


def test_what_has_no_rate_or_does_not_add_up_fails() -> None:
    with pytest.raises(ToolFailure, match="no rate for CHF"):
        _run(in_euro, orders=[{**PIECE, "currency": "CHF", "cents": 1}], **RATE)
    one, two = ([{"key": "a", "value": value, "rows": 1}] for value in (1, 2))
    with pytest.raises(ToolFailure, match="same total"):
        _run(figures, shops=one, products=two)
