"""What the demo's mission works on: a month of orders in three currencies, the same in every run.

What they come to is computed here, too, in another way than the tools of the mission do it: at
the end both must agree.
"""

from collections import Counter
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from hashlib import sha256
from typing import Any, Final

SHOPS: Final = ("harbour", "market", "station")
PRODUCTS: Final = ("chair", "lamp", "table", "shelf")
CURRENCIES: Final = ("EUR", "USD", "GBP")
DAYS: Final = 30
SEED: Final = "november"
RATES: Final = {"EUR": 10_000, "USD": 8_642, "GBP": 11_387}
"""How many ten-thousandths of a euro one unit is worth."""

REPORT: Final = (
    "November brought {total} euro with {orders} orders.\n"
    "The best shop was the {shop} ({shop_total}), the best product the {product} ({product_total})."
)
Json = dict[str, Any]


def days() -> list[Json]:
    """Return the orders as the shops keep them: a list for each day."""
    return [{"day": day, "orders": list(_orders(day))} for day in range(1, DAYS + 1)]


def _orders(day: int) -> Iterator[Json]:
    for number in range(2 + _dice(day, 0)[0] % 4):
        dice = _dice(day, number + 1)
        yield {
            "shop": SHOPS[dice[0] % len(SHOPS)],
            "product": PRODUCTS[dice[1] % len(PRODUCTS)],
            "currency": CURRENCIES[dice[2] % len(CURRENCIES)],
            "cents": 900 + int.from_bytes(dice[3:5]) % 40_000,
        }


def _dice(day: int, number: int) -> bytes:
    return sha256(f"{SEED} {day} {number}".encode()).digest()


def expected() -> Json:
    """Return the figures that the mission must come to."""
    shops: Counter[str] = Counter()
    products: Counter[str] = Counter()
    count = 0
    for day in days():
        for order in day["orders"]:
            euro = Decimal(order["cents"]) * RATES[order["currency"]] / 10_000
            cents = int(euro.quantize(Decimal(1), ROUND_HALF_UP))
            shops[order["shop"]] += cents
            products[order["product"]] += cents
            count += 1
    shop, product = max(shops, key=shops.__getitem__), max(products, key=products.__getitem__)
    return {
        "orders": count, "total": shown(sum(shops.values())),
        "shop": shop, "shop_total": shown(shops[shop]),
        "product": product, "product_total": shown(products[product]),
    }  # fmt: skip


def shown(cents: int) -> str:
    """Return an amount as a person reads it."""
    return f"{cents // 100:,}.{cents % 100:02}"
