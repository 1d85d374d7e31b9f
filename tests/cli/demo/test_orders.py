"""The orders of the demo: the same in every run, and worth being added up."""

import json
from hashlib import sha256

from interlock.cli.demo.orders import CURRENCIES, DAYS, PRODUCTS, SHOPS, days, expected, shown

DIGEST = "720d9f80ad02dcbcc25f6e1655f81d5f3bd8bebf17b9cbb7fb70823d4cdc11c3"


def test_every_run_has_the_same_orders() -> None:
    made = days()

    assert [day["day"] for day in made] == list(range(1, DAYS + 1))
    assert sha256(json.dumps(made, sort_keys=True).encode()).hexdigest() == DIGEST


def test_every_shop_product_and_currency_occurs() -> None:
    orders = [order for day in days() for order in day["orders"]]

    for field, values in (("shop", SHOPS), ("product", PRODUCTS), ("currency", CURRENCIES)):
        assert {order[field] for order in orders} == set(values)


def test_what_they_come_to_is_known() -> None:
    assert expected() == {
        "orders": 101, "total": "16,001.08", "shop": "station", "shop_total": "6,993.43",
        "product": "shelf", "product_total": "4,903.78",
    }  # fmt: skip


def test_an_amount_is_shown_with_its_cents() -> None:
    assert [shown(cents) for cents in (5, 100, 123_456_789)] == ["0.05", "1.00", "1,234,567.89"]
