"""The disk: a folder that goes again, and how often it can make something durable."""

from pathlib import Path

from tools.bench.disk import folder, fsyncs_per_second


def test_the_folder_is_gone_afterwards() -> None:
    with folder() as place:
        (place / "left").write_text("over", encoding="utf-8")

    assert not place.exists()


def test_fsyncs_are_counted_and_leave_nothing_behind(tmp_path: Path) -> None:
    assert fsyncs_per_second(tmp_path, 3) > 0
    assert list(tmp_path.iterdir()) == []
