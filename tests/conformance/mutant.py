"""Play traffic with a mapper that has one wrong character; run as a program, in its own process.

Arguments: a piece of the mapper's source, what stands there instead, a folder. The exit code says
whether anybody noticed: 0 nobody, 1 the traffic, 2 the piece is not there just once.
"""

import asyncio
import importlib.util
import sys
from pathlib import Path

MAPPER = "interlock.store.rows"
COMMANDS = 600
# At the end of this traffic there is work to offer, and a lease that has lapsed.
SEED = 3
UNNOTICED, NOTICED, NOWHERE = 0, 1, 2


def plant(piece: str, instead: str) -> bool:
    """Put a changed mapper in place of ours, before anybody has imported it."""
    spec = importlib.util.find_spec(MAPPER)
    if spec is None or spec.origin is None:
        return False
    source = Path(spec.origin).read_text(encoding="utf-8")
    if source.count(piece) != 1:
        return False
    module = importlib.util.module_from_spec(spec)
    sys.modules[MAPPER] = module
    exec(compile(source.replace(piece, instead), spec.origin, "exec"), module.__dict__)  # noqa: S102  that is the point
    return True


async def is_noticed(folder: Path) -> bool:
    """Play traffic; say whether something was wrong with it."""
    from tests.conformance.playing import play  # noqa: PLC0415  only now, with the changed mapper
    from tests.conformance.stores import sqlite  # noqa: PLC0415  same
    from tests.conformance.traffic import Traffic  # noqa: PLC0415  same

    traffic = Traffic(SEED)
    commands = list(traffic.commands(COMMANDS))
    played = await play(sqlite(folder / "interlock.db"), commands, traffic.world)
    return bool(played.wrong)


def main() -> int:
    """Plant, play, and tell."""
    piece, instead, folder = sys.argv[1:]
    if not plant(piece, instead):
        return NOWHERE
    try:
        return NOTICED if asyncio.run(is_noticed(Path(folder))) else UNNOTICED
    except Exception:  # noqa: BLE001  however it breaks, it was noticed
        return NOTICED


if __name__ == "__main__":
    sys.exit(main())
