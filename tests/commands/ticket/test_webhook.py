"""How a body is signed: as GitHub documents it."""

from interlock.commands.ticket.webhook import signature


def test_a_body_is_signed_as_github_does() -> None:
    # The example of GitHub's own documentation.
    wanted = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"

    assert signature("It's a Secret to Everybody", b"Hello, World!") == wanted
