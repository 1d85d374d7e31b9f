"""``python -m interlock``: the same as the command ``interlock``."""

import gc


def start() -> None:
    """Load the command line and run it."""
    # What is loaded here stays to the end. Looking for garbage in it takes a seventh of the time
    # that loading takes, and later on as much again with every long search.
    gc.disable()
    from interlock.cli.main import run  # noqa: PLC0415  only now, while nothing is looked for

    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    start()
