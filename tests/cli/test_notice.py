"""The notice that a server leaves: found while it runs, believed only if it answers to it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from interlock.cli.notice import noticed, running


@contextmanager
def answering(text: str) -> Iterator[str]:
    """Answer every question with a text."""

    class Handler(BaseHTTPRequestHandler):
        """Answers one question."""

        def do_GET(self) -> None:
            """Answer."""
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def test_a_server_that_answers_to_its_notice_is_found_and_gone_afterwards(tmp_path: Path) -> None:
    with answering(json.dumps({"instance": "server-1"})) as url:
        with noticed(tmp_path / "new", url, "server-1"):
            assert running(tmp_path / "new") == url
        assert running(tmp_path / "new") == ""


@pytest.mark.parametrize("said", ['{"instance": "server-2"}', "{}", "[]", "nonsense"])
def test_who_answers_there_with_another_name_is_not_it(tmp_path: Path, said: str) -> None:
    with answering(said) as url, noticed(tmp_path, url, "server-1"):
        assert running(tmp_path) == ""


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"url": 1, "instance": "x"}', '{"url": "http://127.0.0.1:1", "instance": "x"}',
             '{"url": "http://[", "instance": "x"}'],
)  # fmt: skip
def test_a_notice_that_was_left_behind_or_broken_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "server.json").write_text(text)

    assert running(tmp_path) == ""


def test_a_server_takes_away_its_own_notice_only(tmp_path: Path) -> None:
    with noticed(tmp_path, "http://127.0.0.1:1", "server-1"):
        later = json.dumps({"url": "http://127.0.0.1:2", "instance": "server-2"})
        (tmp_path / "server.json").write_text(later)

    assert (tmp_path / "server.json").read_text() == later


def test_a_folder_that_cannot_be_written_has_no_notice(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with noticed(tmp_path / "file", "http://127.0.0.1:1", "server-1"):
        assert running(tmp_path / "file") == ""
