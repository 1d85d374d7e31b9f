"""Which tools there are; a module that cannot be used is told of at once, a server when asked."""

import sys
from itertools import count
from pathlib import Path

import pytest

from interlock.servers import Server
from interlock.toolbox.around import Around
from interlock.toolbox.built_in import TOOLS
from interlock.toolbox.catalog import Catalog, ToolsNotLoaded
from interlock.toolbox.tool import Described

HEAD = "from interlock.toolbox.tool import tool\nANY = {'type': 'object'}\n"
ONE = "@tool(name={name!r}, doc='', parameters=ANY, result={result})\ndef one(arguments, around):\n    return {{}}\n"
ANY = {"type": "object"}
NUMBERS = count()


def module(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Around:
    """Return settings that name a module with such a text."""
    name = f"made_{next(NUMBERS)}"  # a folder may have the name of one before, a module may not
    (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    return Around(modules=(name,))


def test_ours_and_those_of_modules_are_known_by_their_names() -> None:
    catalog = Catalog(Around(modules=("tests.toolbox.strange",)))
    known = catalog.describe()

    assert [*known][: len(TOOLS)] == [tool.name for tool in TOOLS]
    assert {"shout", "chatty", "around", "misbehave", "linger"} < set(known)
    assert all(known[tool.name] == tool.described for tool in TOOLS)
    found = catalog.find("shout")
    assert found is not None
    assert found.described == known["shout"]
    assert catalog.find("nobody") is None


def test_a_module_named_twice_is_the_same_module() -> None:
    strange = "tests.toolbox.strange"

    assert "shout" in Catalog(Around(modules=(strange, strange))).describe()


def test_what_a_module_prints_is_not_what_we_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"print('loud')\n{HEAD}{ONE.format(name='a', result='ANY')}"
    Catalog(module(tmp_path, monkeypatch, text))

    assert capsys.readouterr() == ("", "loud\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import nobody_has_this", "cannot be loaded: ModuleNotFoundError"),
        ("raise SystemError('x')", "cannot be loaded: SystemError: x"),
        ("(", "cannot be loaded: SyntaxError"),
        ("x = 1", "has no tools"),
        (HEAD + ONE.format(name="literal", result="ANY"), "Two tools are called literal."),
        (HEAD + ONE.format(name="a.b", result="ANY"), "a dot stands for a server"),
        (HEAD + ONE.format(name="a b", result="ANY"), "'a b' is no name of a tool"),
        (HEAD + ONE.format(name="a", result="{'type': 'object', 'required': 3}"), "its result: The schema"),
    ],
)  # fmt: skip
def test_a_module_that_cannot_be_used_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    with pytest.raises(ToolsNotLoaded) as no:
        Catalog(module(tmp_path, monkeypatch, text))

    assert told in no.value.message
    assert no.value.code == "TOOLS_NOT_LOADED"


def test_tools_of_servers_are_known_once_they_were_told() -> None:
    server = Server("files", (sys.executable,))
    catalog = Catalog(Around(servers=(server,)))
    read = Described("files.read", "Read.", {**ANY, "required": ["path"]}, ANY, ("mcp:files",))

    assert catalog.unlisted() == (server,)
    catalog.keep("files", [read])
    found = catalog.find("files.read")

    assert catalog.unlisted() == ()
    assert catalog.describe()["files.read"] == read
    assert found is not None
    assert found.described == read


def test_a_tool_of_a_server_is_found_before_it_was_told() -> None:
    catalog = Catalog(Around())
    found = catalog.find("files.read")

    assert found is not None
    assert found.resources == ("mcp:files",)
    assert catalog.find("files.re ad") is None
    assert "files.read" not in catalog.describe()


def test_what_nobody_could_use_is_left_out_and_told() -> None:
    catalog = Catalog(Around(servers=(Server("s", ("x",)),)))
    good = Described("s.good", "", ANY, ANY)
    bad = [
        Described("s.a b", "", ANY, ANY),
        Described("s.fetches", "", {**ANY, "$ref": "https://x.example/"}, ANY),
        Described("s.list", "", ANY, {"type": "array"}),
    ]

    catalog.keep("s", [*bad, good])

    assert [name for name in catalog.describe() if "." in name] == ["s.good"]
    told = catalog.problems
    assert [one.partition(": ")[2].partition(":")[0] for one in told] == [
        "s.a b",
        "s.fetches",
        "s.list",
    ]
    catalog.note("s", "is away")
    assert (catalog.problems, "s.good" in catalog.describe()) == (("s: is away",), True)
