"""Being told to stop: a tool that has started others clears them away before it goes."""

import signal
from typing import Final

ASKS: Final = (signal.SIGINT, signal.SIGTERM)


def heed_signals() -> None:
    """Let a signal to stop raise, so that every block is left; a second one cannot disturb that."""

    def stop(number: int, _: object) -> None:
        for each in ASKS:
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for each in ASKS:
        signal.signal(each, stop)
