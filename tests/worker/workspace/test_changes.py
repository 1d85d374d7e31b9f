"""Changes between commits: renamed, not text, strange names, and cut where there is too much."""

from pathlib import Path

from tests.worker.workspace.ground import done, ground

LONG = "".join(f"line {number}\n" for number in range(50))


def test_renamed_and_what_is_no_text_are_told(tmp_path: Path) -> None:
    here = ground(tmp_path, long=LONG, gone="x\n")
    here.fresh()
    (here.folder / "long").rename(here.folder / "moved")
    (here.folder / "moved").write_text(LONG + "more\n")
    (here.folder / "gone").unlink()
    (here.folder / "binary").write_bytes(bytes(range(256)))
    (here.folder / 'odd "name"\\ü').write_text("y\n")
    commit = here.commit()

    found = done(here.tree.diff(here.base, commit, 100_000))
    assert {one.path: tuple(one)[1:5] for one in found.files} == {
        "binary": ("added", 0, 0, ""), "gone": ("deleted", 0, 1, ""),
        "moved": ("renamed", 1, 0, "long"), 'odd "name"\\ü': ("added", 1, 0, ""),
    }  # fmt: skip
    assert not found.is_cut
    assert "rename from long\nrename to moved" in found.text
    assert "Binary files /dev/null and b/binary differ" in found.text
    assert done(here.tree.diff(commit, commit, 100)) == ("", False, ())


def test_too_much_is_cut_at_the_end_of_a_line(tmp_path: Path) -> None:
    here = ground(tmp_path)
    here.fresh()
    (here.folder / "large").write_text("ü" * 30 + "\n" + LONG * 20)
    commit = here.commit()
    whole = done(here.tree.diff(here.base, commit, 100_000))
    part = done(here.tree.diff(here.base, commit, 500))
    assert part.is_cut
    assert len(part.text) <= 500
    assert part.text.endswith("\n")
    assert whole.text.startswith(part.text)
    assert part.files == whole.files
    assert done(here.tree.diff(here.base, commit, len(whole.text))) == whole
