"""What is a comment, a text, a parameter; and when two texts say the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.store.lexemes import Lexeme, lexemes, plain, statement_heads

PIECES = {
    "comment": ["-- it's :a ; 'b'\n", "/* a ; :b\n 'c' */"],
    "text": ["'a'", "'it''s :a;'", r"E'it\'s :a'", "$$ :a; 'b $$", "$body$ :a $$ ; $body$"],
    "quoted": ['"a:b;"', '"say ""so"" :a"'],
    "parameter": [":a", ":tenant_id", ":A1"],
    "place": ["$1", "$12"],
    "word": ["SELECT", "a_1", "12", "1.5e3", "a$b"],
    "sign": ["::", ";", "(", ",", "?", ":", "="],
}


@given(st.lists(st.sampled_from([(kind, text) for kind in PIECES for text in PIECES[kind]])))
def test_pieces_are_found_again_wherever_they_stand(pieces: list[tuple[str, str]]) -> None:
    sql = " ".join(text for _, text in pieces)

    found = [(kind, text) for kind, text, _ in lexemes(sql)]

    assert found == [(kind, text.rstrip("\n")) for kind, text in pieces]


def test_a_piece_knows_where_it_begins() -> None:
    assert list(lexemes("a  =\n:b")) == [
        Lexeme("word", "a", 0),
        Lexeme("sign", "=", 3),
        Lexeme("parameter", ":b", 5),
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE units(id TEXT NOT NULL,\n  size INTEGER CHECK (size>0))",
        'create table "units" ( "id" text not null , size integer check ( size > 0 ) )',
        "CREATE /* the */ TABLE units (\n-- its name\nid TEXT NOT NULL, size INTEGER CHECK (size > 0))",
    ],
)
def test_layout_capitals_and_comments_say_nothing(sql: str) -> None:
    assert " ".join(plain(sql)) == (
        "create table units ( id text not null , size integer check ( size > 0 ) )"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("'A'", "'a'"), ('"A"', '"a"'), ("'a b'", "'a  b'"), ("$$ A $$", "$$ a $$"), ("a b", "ab")],
)
def test_what_a_database_tells_apart_stays_apart(one: str, other: str) -> None:
    assert plain(one) != plain(other)


def test_every_statement_has_a_first_word() -> None:
    sql = "-- COMMIT;\ncreate table a (b text); /* x */ BEGIN; insert into a values ('; COMMIT');"

    assert list(statement_heads(sql)) == ["CREATE", "BEGIN", "INSERT"]
