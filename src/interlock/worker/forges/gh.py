"""The gh program, asked for what GitHub's API says: one call, one document.

It runs contained, outside of every working tree, with the login of whoever runs the worker and
nothing else of their environment. What is sent goes through its standard input, so that no text of
others can be read as an option or as the name of a file.
"""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from interlock.worker.forges.forge import ForgeFailed
from interlock.worker.process import run

PROGRAM: Final = "gh"
DEADLINE_S: Final = 60.0
NOT_STARTED: Final = 127
NOT_LOGGED_IN: Final = 4
TOLD_MAX: Final = 600

KEPT: Final = (
    "PATH", "HOME", "GH_TOKEN", "GITHUB_TOKEN", "GH_CONFIG_DIR", "XDG_CONFIG_HOME", "TMPDIR",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy",
)  # fmt: skip
AROUND: Final = {
    "GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
    "GH_HOST": "github.com",
}  # fmt: skip


class GhFailed(ForgeFailed):
    """GitHub has said no; ``status`` is that of HTTP, 0 where it was not asked."""

    def __init__(self, message: str, status: int = 0) -> None:
        """Keep what was said."""
        super().__init__(message)
        self.status = status


async def gh_api(method: str, path: str, body: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401 (whatever JSON says)
    """Call the API; return its document. Raises ``GhFailed``."""
    words = [PROGRAM, "api", "--method", method, "-H", "Accept: application/vnd.github+json", path]
    given = b""
    if body is not None:
        words += ["--input", "-"]
        given = json.dumps(body).encode()
    env = {name: os.environ[name] for name in KEPT if name in os.environ} | AROUND
    ended = await run(
        words, folder=Path(tempfile.gettempdir()), env=env, deadline_s=DEADLINE_S,
        stdin=given, output_max=10_000_000, split=True,
    )  # fmt: skip
    if ended.timed_out:
        raise GhFailed(f"GitHub did not answer within {DEADLINE_S:g} s.")
    if ended.code == NOT_STARTED:
        message = "There is no gh on this machine: install the GitHub command line."
        raise GhFailed(message)
    if ended.code:
        raise _refused(ended.code, ended.out, ended.err)
    try:
        return json.loads(ended.out or "null")
    except ValueError as exc:
        raise GhFailed("gh has said something that is no JSON.") from exc


def _refused(code: int, out: str, err: str) -> GhFailed:
    if code == NOT_LOGGED_IN:
        return GhFailed("gh is not logged in: run gh auth login where the worker runs.", 401)
    said = " ".join(err.split())[:TOLD_MAX]
    try:
        document = json.loads(out)
        status = int(document.get("status", 0))
        message = str(document.get("message", "")) or said
        details = document.get("errors")
    except (ValueError, AttributeError, TypeError):
        return GhFailed(f"gh has failed: {said or code}")
    if details:
        message = f"{message}: {json.dumps(details)[:TOLD_MAX]}"
    return GhFailed(f"GitHub says {status}: {message}"[: 2 * TOLD_MAX], status)
