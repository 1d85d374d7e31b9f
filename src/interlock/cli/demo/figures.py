"""Two tools of the demo's own, as any operator may write them: see docs/tools.md.

They are loaded by the server and by the worker because the settings of both name this module.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

from interlock.cli.demo.orders import shown
from interlock.toolbox.around import Around
from interlock.toolbox.tool import VALIDATION, ToolFailure, tool

ROWS: Final = {"type": "array", "items": {"type": "object"}}
RATE: Final = {"type": "integer", "description": "Ten-thousandths of a euro."}
GROUPS: Final = {"type": "array", "minItems": 1, "description": "As group_reduce returns them."}
TEXT: Final = {"type": "string"}
Row = Mapping[str, Any]


@tool(
    name="in_euro",
    doc="Add euro_cents to each order: cents by the rate of its currency, rounded half up.",
    parameters={
        "type": "object",
        "properties": {"orders": ROWS, "dollar": RATE, "pound": RATE},
        "required": ["orders", "dollar", "pound"],
    },
    result={"type": "object", "properties": {"rows": ROWS}, "required": ["rows"]},
)
def in_euro(arguments: Mapping[str, object], around: Around) -> object:
    """Return the orders with what each comes to in euro."""
    del around
    rates = {"EUR": 10_000, "USD": arguments["dollar"], "GBP": arguments["pound"]}
    rows = cast("list[Row]", arguments["orders"])
    return {"rows": [{**row, "euro_cents": _cents(row, rates)} for row in rows]}


def _cents(row: Row, rates: Mapping[str, object]) -> int:
    rate = rates.get(row["currency"])
    if not isinstance(rate, int):
        raise ToolFailure(VALIDATION, f"There is no rate for {row['currency']}.")
    return int((row["cents"] * rate + 5_000) // 10_000)


@tool(
    name="figures",
    doc="Tell the total, the best shop and the best product from the sums of both, in euro.",
    parameters={
        "type": "object",
        "properties": {"shops": GROUPS, "products": GROUPS},
        "required": ["shops", "products"],
    },
    result={
        "type": "object",
        "properties": {
            "figures": {
                "type": "object",
                "properties": {
                    "orders": {"type": "integer"}, "total": TEXT, "shop": TEXT,
                    "shop_total": TEXT, "product": TEXT, "product_total": TEXT,
                },
            }
        },
        "required": ["figures"],
    },
)  # fmt: skip
def figures(arguments: Mapping[str, object], around: Around) -> object:
    """Return the figures; both ways to add up must come to the same."""
    del around
    shops = cast("list[Row]", arguments["shops"])
    products = cast("list[Row]", arguments["products"])
    total = sum(row["value"] for row in shops)
    if total != sum(row["value"] for row in products):
        raise ToolFailure(VALIDATION, "Shops and products do not come to the same total.")
    shop, product = (max(rows, key=lambda row: row["value"]) for rows in (shops, products))
    return {
        "figures": {
            "orders": sum(row["rows"] for row in shops), "total": shown(total),
            "shop": shop["key"], "shop_total": shown(shop["value"]),
            "product": product["key"], "product_total": shown(product["value"]),
        }
    }  # fmt: skip
