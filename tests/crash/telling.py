"""How a child tells whoever started it: through a named pipe, one line a message.

Whoever hears it is in ``nursery``.
"""

import os
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from interlock.store.rows import dump

Message = Mapping[str, object]
Tell = Callable[[Message], None]


def teller(path: str) -> Tell:
    """Open a pipe; return what tells through it."""
    pipe = os.open(path, os.O_WRONLY)

    def tell(message: Message) -> None:
        os.write(pipe, dump(message).encode() + b"\n")

    return tell


@contextmanager
def telling(path: str) -> Iterator[Tell]:
    """Open a pipe for as long as a child lives; what ends it is told last."""
    tell = teller(path)
    try:
        yield tell
    except BaseException:  # noqa: BLE001  whatever it is, the parent must hear of it
        tell({"trouble": traceback.format_exc()})
