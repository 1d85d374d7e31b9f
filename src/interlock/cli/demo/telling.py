"""How the demo tells what happens: a line for each thing, with who did it."""

from interlock.cli.screen import print_text


def say(who: str, text: str) -> None:
    """Tell in a line who did what."""
    print_text(f"  {who:<8} {text}")
