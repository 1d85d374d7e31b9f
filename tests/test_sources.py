"""Where a setting comes from: the usual folder of each platform, and the line of a file."""

from pathlib import Path

import pytest

from interlock.config import ConfigError, load
from interlock.sources import Sources, data_folder, flag, line_of, variable


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {"HOME": "/home/ada"}, "/home/ada/.local/share/interlock"),
        ("linux", {"HOME": "/home/ada", "XDG_DATA_HOME": "/data"}, "/data/interlock"),
        (
            "linux",
            {"HOME": "/home/ada", "XDG_DATA_HOME": "data"},
            "/home/ada/.local/share/interlock",
        ),
        ("darwin", {"HOME": "/Users/ada"}, "/Users/ada/Library/Application Support/interlock"),
        ("win32", {"USERPROFILE": "/Users/ada"}, "/Users/ada/AppData/Local/interlock"),
        ("win32", {"USERPROFILE": "/Users/ada", "LOCALAPPDATA": "/local"}, "/local/interlock"),
    ],
)
def test_each_platform_keeps_data_in_its_usual_place(
    platform: str, environ: dict[str, str], folder: str
) -> None:
    assert data_folder(platform, environ) == Path(folder)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("port = 1", 1),
        ("# port = 1\n\n  port=2", 3),
        ("'port' = 1", 1),
        ('token = """\nport = 7\n"""\nport = 2', 4),
        ('port = """\nport = 7\nport = 8\n"""', 3),
        ("[port]\nx = 1", 1),
        ("hosts = 'port = 1'", None),
        ("port 1", None),
        ("", None),
    ],
)
def test_the_line_of_a_name_is_found(text: str, line: int | None) -> None:
    assert line_of("port", text) == line


def test_a_name_is_spelled_as_it_is_written_in_its_place() -> None:
    assert (flag("lease_ms"), variable("lease_ms")) == ("--lease-ms", "INTERLOCK_LEASE_MS")


def test_where_a_setting_comes_from_can_be_asked(tmp_path: Path) -> None:
    (tmp_path / "interlock.toml").write_text("port = 3")
    sources = Sources({"data": tmp_path}, {"INTERLOCK_HOST": "here"})
    sources.open_folder()

    assert sources.find("host") == ("INTERLOCK_HOST", "here")
    assert sources.find("port") == (f"port in {tmp_path / 'interlock.toml'}, line 1", 3)
    assert sources.find("token") is None


def write(folder: Path, text: str) -> Path:
    path = folder / "interlock.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refuse(folder: Path, **flags: object) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load({"data": folder, **flags}, {})
    return caught.value


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("port 7401", "at line 1, column 6"),
        ("port = 1\nport = 2", "at line 2, column 9"),
        ("\n\n= 3", "at line 3, column 1"),
    ],
)
def test_a_file_that_is_not_toml_is_refused_with_the_place(
    tmp_path: Path, text: str, place: str
) -> None:
    path = write(tmp_path, text)

    error = refuse(tmp_path, prot=1)

    syntax, other = error.message.splitlines()
    assert syntax.startswith(f"{path}: is not TOML (")
    assert place in syntax
    assert other == "--prot: there is no such setting"


def test_each_mistake_in_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, '# ours\nport = 99999\n\n"lease_ms" = "soon"\nlog_levl = "info"\n')

    assert refuse(tmp_path).message.splitlines() == [
        f"port in {path}, line 2: 99999 is out of range",
        f"lease_ms in {path}, line 4: 'soon' is not a whole number",
        f"log_levl in {path}, line 5: there is no such setting",
    ]


PROFILES = """
port = 7500
[profiles.work]
server = "https://interlock.example.org"
port = 7600
[profiles.home]
server = "http://127.0.0.1:7400"
"""


@pytest.mark.parametrize(
    ("flags", "environ", "server", "port"),
    [
        ({}, {}, "", 7500),
        ({"profile": "work"}, {}, "https://interlock.example.org", 7600),
        ({"profile": "home"}, {}, "http://127.0.0.1:7400", 7500),
        ({}, {"INTERLOCK_PROFILE": "work"}, "https://interlock.example.org", 7600),
        ({"profile": "work"}, {"INTERLOCK_PORT": "1"}, "https://interlock.example.org", 1),
        ({"profile": "work", "server": "http://localhost:1"}, {}, "http://localhost:1", 7600),
    ],
)
def test_a_profile_beats_the_rest_of_the_file_and_nothing_else(
    tmp_path: Path, flags: dict[str, object], environ: dict[str, str], server: str, port: int
) -> None:
    write(tmp_path, PROFILES)

    found = load({"data": tmp_path, **flags}, environ)

    assert (found.server, found.port) == (server, port)


@pytest.mark.parametrize(
    ("name", "right"), [("wrk", "did you mean work?"), ("x", "write [profiles.x] in ")]
)
def test_a_profile_that_is_not_there_is_refused(tmp_path: Path, name: str, right: str) -> None:
    write(tmp_path, PROFILES)

    error = refuse(tmp_path, profile=name)

    assert error.message == f"--profile: there is no profile {name!r}"
    assert right in error.fix
