"""Random edits of a tree: what is told of it, committed and undone agrees with plain reading."""

import os
import shutil
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.worker.workspace.ground import Ground, contents_in, ground

NAMES = st.sampled_from(["a", "b", "c/a", "c/b", "c/d/e", "-x", "f.o", "build/g", "ü"])
CONTENTS = st.one_of(st.binary(max_size=40), st.sampled_from([b"", b"a\r\nb\n", b"x\n" * 50]))


class Edits(RuleBasedStateMachine):
    """Whatever is done to a tree: what is told of it agrees with plain reading."""

    here: Ground

    @initialize()
    def begin(self) -> None:
        place = Path(os.environ["PYTEST_TMP"]) / str(time.monotonic_ns())
        self.here = ground(place, **{".gitignore": "*.o\nbuild/\n", "a": "a\n"})
        self.here.fresh()
        self.head = self.here.base

    @rule(name=NAMES, content=CONTENTS, mode=st.sampled_from([0o644, 0o755]))
    def write(self, name: str, content: bytes, mode: int) -> None:
        path = self._free(name)
        path.write_bytes(content)
        path.chmod(mode)

    @rule(name=NAMES, to=st.sampled_from(["a", "nowhere"]))
    def link(self, name: str, to: str) -> None:
        self._free(name).symlink_to(to)

    @rule(name=NAMES)
    def delete(self, name: str) -> None:
        path = self.here.folder / name.partition("/")[0]
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    @rule()
    def touch(self) -> None:
        for path in self.here.folder.iterdir():
            if path.is_file():
                os.utime(path, follow_symlinks=False)

    @rule()
    def looked_at(self) -> None:
        assert self.here.look().refused == ()
        was, is_now = self.here.in_commit(self.head), self.shown()
        assert {
            path
            for one in self.here.look().files
            for path in (one.path, one.was)
            if path and was.get(path) != is_now.get(path)
        } == {path for path in {*was, *is_now} if was.get(path) != is_now.get(path)}

    @precondition(lambda self: self.shown() != self.here.in_commit(self.head))
    @rule()
    def commit(self) -> None:
        self.head = self.here.commit()
        assert self.here.in_commit(self.head) == self.shown()
        assert self.here.look().is_clean

    @rule(back=st.booleans())
    def fresh(self, *, back: bool) -> None:
        kept = self.ignored()
        self.head = self.here.base if back else self.head
        self.here.fresh(self.head)
        assert self.shown() == self.here.in_commit(self.head)
        assert self.ignored() == kept
        assert self.here.look().is_clean

    def shown(self) -> dict[str, bytes]:
        every = contents_in(self.here.folder)
        return {path: content for path, content in every.items() if not is_ignored(path)}

    def ignored(self) -> dict[str, bytes]:
        every = contents_in(self.here.folder)
        return {path: content for path, content in every.items() if is_ignored(path)}

    def _free(self, name: str) -> Path:
        path = self.here.folder
        for part in name.split("/"):
            if path.is_symlink() or path.is_file():
                path.unlink()
            path.mkdir(exist_ok=True)
            path /= part
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        return path


def is_ignored(path: str) -> bool:
    return path.endswith(".o") or path.startswith("build/")


def test_whatever_is_edited_what_is_told_agrees_with_plain_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_TMP", str(tmp_path))
    checks = (HealthCheck.too_slow, HealthCheck.filter_too_much)
    case = Edits.TestCase
    case.settings = settings(
        max_examples=12, stateful_step_count=12, deadline=None, suppress_health_check=checks
    )
    case().runTest()
