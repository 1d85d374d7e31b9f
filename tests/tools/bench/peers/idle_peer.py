"""A peer that does nothing, quickly, slowly or wrongly: what the protocol is tried with."""

import sys
import time
from collections.abc import Sequence

from tools.bench.peers.child import Play, Watch, serve


class Idle:
    """Plans of nothing."""

    package = "pytest"

    def __init__(self, mode: str, url: str) -> None:
        self._mode = mode
        print(f"a library that prints {url}")  # noqa: T201 (what libraries do)

    def prepare(self, plans: int, steps: int) -> Sequence[Play]:
        """Count steps, each as long as the mode says."""

        def play(watch: Watch) -> None:
            for _ in range(steps):
                if self._mode == "slow":
                    time.sleep(0.01)
                if self._mode == "lost":
                    sys.exit("lost its way")
                if self._mode == "short":
                    return
                watch.step()

        return [play] * plans

    def finish(self) -> None:
        """Have nothing to let go of."""


if __name__ == "__main__":
    serve(Idle)
