"""Values of settings are read in their usual spellings; what is wrong is told, no secret with it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from interlock.values import (
    Wrong,
    one_of,
    read_file,
    read_folder,
    read_host,
    read_hosts,
    read_issuer,
    read_modules,
    read_networks,
    read_server,
    read_token,
    read_word,
    read_yes_or_no,
    whole,
)

PASSWORD = "s3cret"  # noqa: S105 (it has to be looked for)


def refuse(read: Callable[[object], object], value: object) -> Wrong:
    with pytest.raises(Wrong) as caught:
        read(value)
    return caught.value


@pytest.mark.parametrize(
    ("value", "meant"), [("1", True), ("Yes", True), ("on", True), ("0", False), ("FALSE", False)]
)
def test_yes_and_no_have_their_usual_spellings(value: str, *, meant: bool) -> None:
    assert read_yes_or_no(value) is meant


def test_a_file_need_not_be_there_but_no_folder_is_one(tmp_path: Path) -> None:
    assert read_file(str(tmp_path / "a" / "b")) == str(tmp_path / "a" / "b")
    assert Path(read_file("~/b")).is_absolute()
    for value in ("", " ", "a\0b", 7, str(tmp_path)):
        assert refuse(read_file, value).right == "say the path of a file"


def test_neither_yes_nor_no_is_refused() -> None:
    assert refuse(read_yes_or_no, "perhaps").wrong == "'perhaps' is neither yes nor no"


@pytest.mark.parametrize(
    "value", ["1e3", "-1", "7400.0", "", " ", "0x10", "٣", 1.5, 65536, "9" * 40, True]
)
def test_what_is_no_number_in_range_is_refused(value: object) -> None:
    assert refuse(whole(0, 65535), value).right == "say a whole number from 0 to 65535"


@pytest.mark.parametrize("value", ["", "a b", "http://a", "a:80", "a/b", "é", 7])
def test_a_host_is_a_name_without_a_port(value: object) -> None:
    assert "is not a host" in refuse(read_host, value).wrong


@pytest.mark.parametrize("value", ["a,", ",a", "a,,b", "a b", "a:80", "https://a", 7])
def test_further_hosts_are_names_with_commas_between(value: object) -> None:
    assert "is not a list of hosts" in refuse(read_hosts, value).wrong


@pytest.mark.parametrize("token", [f"{PASSWORD} {PASSWORD}", f"“{PASSWORD}”", 5])
def test_a_wrong_token_is_refused_without_showing_it(token: object) -> None:
    assert refuse(read_token, token).wrong == "is not a token"


@pytest.mark.parametrize("value", ["a b", "ä", 5])
def test_a_word_is_one_word(value: object) -> None:
    assert refuse(read_word, value).wrong == "is not a name"


@pytest.mark.parametrize(
    "url",
    ["work.example", "ftp://work.example", "http://", "http://[::1", "http://host:99999", 1,
     f"https://ada:{PASSWORD}@work.example", f"https://work.example?token={PASSWORD}"],
)  # fmt: skip
def test_a_wrong_server_is_refused(url: object) -> None:
    wrong = refuse(read_server, url)

    assert PASSWORD not in wrong.wrong + wrong.right


@pytest.mark.parametrize(
    "url", ["https://id.example/", "https://id.example/realm", "", "http://localhost:9"]
)
def test_an_issuer_is_kept_letter_by_letter(url: str) -> None:
    assert read_issuer(url) == url


def test_an_issuer_is_asked_over_https() -> None:
    assert refuse(read_issuer, "http://id.example").wrong == "is not reached over https"


def test_a_choice_is_one_of_those_there_are() -> None:
    assert one_of(("a", "b"))(" A ") == "a"
    assert refuse(one_of(("a", "b")), "c").right == "say a or b"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()

    assert read_folder(str(tmp_path)) == tmp_path
    assert "is a file" in refuse(read_folder, file).wrong


def test_addresses_and_networks_are_read_as_networks() -> None:
    assert read_networks("10.1.2.3/16, ::1") == "10.1.0.0/16,::1/128"
    assert read_networks("") == ""


@pytest.mark.parametrize("value", ["proxy.example", "10.0.0.1,", "10.0.0.1:80", 5])
def test_what_is_no_list_of_addresses_is_refused(value: object) -> None:
    assert "is not a list of addresses" in refuse(read_networks, value).wrong


def test_modules_are_named_as_python_imports_them() -> None:
    assert read_modules("tools, package.module_2") == "tools,package.module_2"
    assert read_modules("") == ""


@pytest.mark.parametrize("value", ["a-b", "a..b", ".a", "a,", "a b", "/x.py", 3])
def test_what_python_cannot_import_is_no_module(value: object) -> None:
    assert "is not a list of Python modules" in refuse(read_modules, value).wrong
