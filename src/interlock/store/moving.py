"""Rows on their way to another database: between which two they may go, and in which batches.

What tables there are is in ``tables``, what their rows come to in ``sums``. Who reads and who
writes is elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from interlock.store.errors import StoreError
from interlock.store.tables import Row, Table

ROWS_MAX: Final = 500
BYTES_MAX: Final = 4 * 1024 * 1024


class CopyRefused(StoreError):
    """One of the two databases is not as it must be for a copy."""

    code = "COPY_REFUSED"
    http = 409


class CopyUnfinished(StoreError):
    """The database is a copy that has not been finished; nobody may work with it."""

    code = "COPY_UNFINISHED"
    http = 503


class CopyDiffers(StoreError):
    """The copy is not what it was made from."""

    code = "COPY_DIFFERS"
    http = 500


def require_same(source: Iterable[Table], target: Iterable[Table]) -> None:
    """Raise unless both have the same tables with the same columns, but for those made anew."""
    ours, theirs = ({one.name: one.shared for one in some} for some in (source, target))
    if ours != theirs:
        wrong = sorted(name for name in ours | theirs if ours.get(name) != theirs.get(name))
        message = f"The two databases do not have the same {', '.join(wrong)}."
        raise CopyRefused(message, fix="Use the same program for both; run `interlock db migrate`.")


def batches(rows: Iterable[Row], is_end: Callable[[Row], bool]) -> Iterator[list[Row]]:
    """Yield rows in batches of bounded size; some rows are the last of theirs in any case."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(one) for one in row if isinstance(one, str | bytes))
        if len(batch) >= ROWS_MAX or size >= BYTES_MAX or is_end(row):
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
