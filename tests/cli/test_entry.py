"""An entry in a text: added beside what is there, replaced only on demand, refused when in doubt."""

import json
import tomllib

import pytest

from interlock.cli.entry import AlreadyConfigured, Form, Json, Placed, Toml, Unreadable, written

OURS = Placed("interlock", {"command": "interlock", "args": ["mcp"]})
REMOTE = Placed("interlock", {"url": "http://here/mcp", "http_headers": {"Authorization": 'a "b"'}})
OLD_TOML = """\
# mine
model = "o"   # do not touch

[mcp_servers.interlock]
command = "old"

[mcp_servers.interlock.env]
A = "b"

[mcp_servers.other]
command = "x"
note = '''
[not a header
'''
"""


def put(form: Form, text: str, place: Placed = OURS, *, force: bool = False) -> str:
    """Add the entry to the section that the tests use."""
    section = "mcp_servers" if isinstance(form, Toml) else "mcpServers"
    return written(form, text, section, place, force=force)


@pytest.mark.parametrize("form", [Json(), Toml()], ids=["json", "toml"])
def test_an_empty_text_becomes_the_snippet_and_a_second_time_changes_nothing(form: Form) -> None:
    section = "mcp_servers" if isinstance(form, Toml) else "mcpServers"
    made = put(form, "")

    assert made == form.snippet(section, OURS.name, OURS.entry)
    assert put(form, made) == made


def test_json_keeps_order_indent_letters_and_the_missing_last_line_break() -> None:
    text = '{\n\t"z": 1,\n\t"mcpServers": {\n\t\t"other": {"a": "ü"}\n\t},\n\t"a": []\n}'

    made = put(Json(), text)

    assert list(json.loads(made)) == ["z", "mcpServers", "a"]
    assert json.loads(made)["mcpServers"] == {"other": {"a": "ü"}, "interlock": OURS.entry}
    assert '\n\t"z"' in made
    assert "ü" in made
    assert not made.endswith("\n")


def test_toml_keeps_every_other_line() -> None:
    text = '# mine\nmodel = "o"   # do not touch\n\n[mcp_servers.other]\ncommand = "x"\n'

    made = put(Toml(), text, REMOTE)

    assert made.startswith(text)
    assert tomllib.loads(made)["mcp_servers"]["interlock"] == REMOTE.entry


def test_an_entry_of_ours_that_differs_stays_unless_it_is_forced() -> None:
    text = '{"mcpServers": {"interlock": {"command": "old"}, "other": {}}}'

    with pytest.raises(AlreadyConfigured, match="says something else"):
        put(Json(), text)
    made = json.loads(put(Json(), text, force=True))

    assert made == {"mcpServers": {"interlock": OURS.entry, "other": {}}}


def test_forced_toml_loses_the_old_table_with_its_own_tables_and_nothing_else() -> None:
    made = put(Toml(), OLD_TOML, force=True)

    assert made.startswith('# mine\nmodel = "o"   # do not touch\n')
    assert "[not a header" in made
    found = tomllib.loads(made)["mcp_servers"]
    assert found.keys() == {"other", "interlock"}
    assert found["interlock"] == OURS.entry


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Json(), '{"a": 1 // a note\n}'),
        (Json(), '{"a": 1, "a": 2}'),
        (Json(), "[]"),
        (Json(), '{"mcpServers": []}'),
        (Json(), "[" * 100_000),
        (Toml(), "a = "),
        (Toml(), "mcp_servers = 3"),
        (Toml(), "mcp_servers = { other = { command = 'x' } }"),
    ],
)
def test_what_cannot_be_read_or_not_be_changed_safely_is_refused(form: Form, text: str) -> None:
    with pytest.raises(Unreadable):
        put(form, text)


def test_an_entry_written_in_a_way_we_cannot_take_out_is_refused_not_mangled() -> None:
    with pytest.raises(Unreadable, match="without touching"):
        put(Toml(), 'mcp_servers.interlock.command = "old"\n', force=True)


@pytest.mark.parametrize(
    ("form", "text"), [(Json(), '{\r\n  "a": 1\r\n}\r\n'), (Toml(), "a = 1\r\n")]
)
def test_line_ends_and_the_mark_at_the_beginning_stay(form: Form, text: str) -> None:
    made = put(form, "\ufeff" + text)

    assert made.startswith("\ufeff")
    assert made.count("\n") == made.count("\r\n") > 2
