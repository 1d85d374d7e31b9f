"""Documents as text: what is written is read as the same, and hostile YAML is refused by place."""

import json
from time import perf_counter

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from interlock.ticketing import canonical
from interlock.ticketing.canonical import DocumentInvalid, digest, read, write

TRAPS = st.sampled_from([
    "1", "007", "1.5", "1e5", "-3", "+1", ".5", "0x1f", "0o17", "1_000", "1:30", ".nan", "-.inf",
    "true", "False", "yes", "No", "on", "OFF", "y", "~", "null", "Null", "", " ", "=", "<<", "-",
    "2024-01-31", "2024-01-31T10:00:00Z", "- a", "? b", ": c", "a: b", "a #b", "a:", "#", "*x",
    "&x", "!x", "%x", "@x", "`x", "{", "}", "[]", "'", '"', "|", ">", "---", "...", "--- a",
    "a\nb", "a\n", "\na", "a\n\n", " a\nb", "a\n b\n", "a\n\nb", "\tx", "a\tb\nc", "a \nb ", "a\r\nb",
    "a\n \nb", "a\n\t\nb", "\x00", "\x07\x1b", "\x7f", "\x85", "\x9f", "\xa0", "\u2028", "\u2029x\ny",
    "\ufeffx", "\ufffe", "\uffff", "😀 ok", "👩‍👩‍👧", "é: à", "x" * 1500, "word " * 300, "…\n…",
])  # fmt: skip
TEXT = TRAPS | st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
FLOATS = st.floats(allow_nan=False, allow_infinity=False).map(lambda found: found + 0.0)
NUMBERS = st.integers(-(10**290), 10**290) | FLOATS
KEYS = TEXT.map(lambda found: found[:150])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=4)


def exactly(value: object) -> str:
    """Return a value as JSON, so that 1, 1.0 and True are not alike."""
    return json.dumps(value)


@given(DOCUMENTS)
def test_what_was_written_is_read_as_the_same(document: dict[str, object]) -> None:
    assert exactly(read(write(document))) == exactly(document)


@given(DOCUMENTS)
def test_any_reader_of_yaml_reads_what_we_write_as_we_do(document: dict[str, object]) -> None:
    text = write(document)

    # In YAML 1.1 a number with an exponent but no point is text; there is no other difference.
    read_by_others = yaml.safe_load(text)
    assert exactly(numbered(read_by_others, document)) == exactly(read(text))


def numbered(found: object, wanted: object) -> object:
    """Return a value with floats where the other reader saw the text of one."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return {key: numbered(found[key], inner) for key, inner in wanted.items()}
    if isinstance(wanted, list) and isinstance(found, list):
        return [numbered(one, inner) for one, inner in zip(found, wanted, strict=True)]
    if isinstance(wanted, float) and isinstance(found, str):
        return float(found)
    return found


@given(DOCUMENTS)
def test_equal_documents_give_equal_bytes(document: dict[str, object]) -> None:
    text = write(document)

    again = write(read(text))
    assert again == text
    assert digest(again) == digest(text)


@given(DOCUMENTS)
def test_the_parser_without_c_reads_the_same(document: dict[str, object]) -> None:
    text = write(document)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canonical, "LOADER", yaml.SafeLoader)
        slowly = read(text)
    assert exactly(slowly) == exactly(read(text))


def test_there_is_one_zero() -> None:
    assert write({"a": -0.0}) == write({"a": 0.0}) == "a: 0.0\n"


def test_the_form_is_fixed() -> None:
    document = {
        "schema_version": 1,
        "title": "Log in: by mail",
        "note": "first line\n  second: line",
        "parts": [{"id": "a", "labels": ["x", "2024-01-31"], "none": []}, [1, 2.5], {}, None],
        "is_done": False,
        "face": "😀\x07",
    }

    text = write(document)
    assert text == (
        "schema_version: 1\n"
        'title: "Log in: by mail"\n'
        "note: |-\n"
        "  first line\n"
        "    second: line\n"
        "parts:\n"
        "  - id: a\n"
        "    labels:\n"
        "      - x\n"
        '      - "2024-01-31"\n'
        "    none: []\n"
        "  - - 1\n"
        "    - 2.5\n"
        "  - {}\n"
        "  - null\n"
        "is_done: false\n"
        'face: "😀\\u0007"\n'
    )
    assert digest(text) == "975f0f71a6a05709d2e6e60be1290f5ee28df8e43a011147586ebbfc3718cea1"


def test_plain_words_stay_text_when_a_person_writes_them() -> None:
    text = "a: yes\nb: 2024-01-31\nc: 007\nd: 0x1f\ne: true\nf: ~\ng: 1e3\n2: x\n"

    assert read(text) == {
        "a": "yes", "b": "2024-01-31", "c": "007", "d": "0x1f", "e": True, "f": None, "g": 1000.0,
        "2": "x",
    }  # fmt: skip


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        (BOMB, 1, 4, "&a names a place"),
        ("a: 1\nb: *x\n", 2, 4, "*x refers to another place"),
        ("a: !!python/object/apply:os.system [ls]\n", 1, 4, "the tag tag:yaml.org,2002:python"),
        ("a: !x 1\n", 1, 4, "the tag !x"),
        ("a: !!str 1\n", 1, 4, "the tag"),
        ("a: 1\nb:\n  c: 1\n  c: 2\n", 4, 3, "'c' is there twice"),
        ("a: .nan\n", 1, 4, ".nan is no number"),
        ("a: [1, -.inf]\n", 1, 8, "-.inf is no number"),
        ("a: 1e999\n", 1, 4, "too large"),
        ("a: " + "9" * 400, 1, 4, "more than 300 digits"),
        ("a: 1\n---\nb: 2\n", 2, 1, "a second document"),
        ("a: [1\nb: 2\n", 2, 2, ""),
        ("a: 'x\n", 2, 1, "end of stream"),
        ("a: 1\n b: 2\n", 2, 3, "mapping values are not allowed"),
        ("a: \x07\n", 1, 4, "U+0007"),
        ("ok: 1\na: \ud800\n", 2, 4, "U+D800"),
        ("? [a]\n: 1\n", 1, 3, "must be text"),
        ("k" * 300 + ": 1\n", 1, 1, "more than 150 characters"),
        ("a: " + "[" * 100 + "]" * 100, 1, 67, "nested more than 64 deep"),
        ("", 1, 1, "nothing found"),
        ("- a\n", 1, 1, "no fields found"),
        ("just text", 1, 1, "no fields found"),
    ],
)  # fmt: skip
def test_what_is_no_document_of_ours_is_refused_with_its_place(
    text: str, line: int, column: int, why: str
) -> None:
    with pytest.raises(DocumentInvalid) as caught:
        read(text)

    assert (caught.value.line, caught.value.column) == (line, column)
    assert why in caught.value.message


def test_a_document_that_is_too_large_is_neither_read_nor_written() -> None:
    large = "é" * (9 * 1024 * 1024)

    with pytest.raises(DocumentInvalid, match="more than 16,777,216 bytes"):
        read("a: " + large)
    with pytest.raises(DocumentInvalid, match="more than 16,777,216 bytes"):
        write({"a": large})


def test_the_longest_name_can_be_read_though_all_of_it_is_escaped() -> None:
    document = {"\x07" * 150: 1}

    assert read(write(document)) == document


def test_hostile_depth_ends_at_once() -> None:
    began = perf_counter()

    with pytest.raises(DocumentInvalid, match="nested"):
        read("a: " + "[" * 1_000_000)
    assert perf_counter() - began < 5


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (float("nan"), "no number"),
        (float("inf"), "no number"),
        (10**300, "more than 300 digits"),
        ("half \ud83d", "half of a character"),
        (b"bytes", "a bytes is nothing"),
        ({1: 2}, "cannot be the name of a field"),
        ({"k" * 151: 2}, "cannot be the name of a field"),
    ],
)
def test_what_json_cannot_hold_is_not_written(value: object, why: str) -> None:
    with pytest.raises(DocumentInvalid, match=why) as caught:
        write({"a": value})
    assert "Line" not in caught.value.message


@pytest.mark.parametrize("innermost", [1, [], {}, "a\nb", {"b": []}])
@pytest.mark.parametrize("kind", ["list", "object"])
def test_whatever_can_be_written_can_be_read(kind: str, innermost: object) -> None:
    value, written = innermost, 0
    for _ in range(70):
        value = [value] if kind == "list" else {"a": value}
        try:
            text = write({"a": value})
        except DocumentInvalid:
            continue
        written += 1

        assert read(text) == {"a": value}
    assert 58 <= written <= 63


def test_what_holds_itself_is_not_written() -> None:
    endless: list[object] = []
    endless.append(endless)

    with pytest.raises(DocumentInvalid, match="nested"):
        write({"a": endless})


def test_what_is_just_as_long_as_may_be_is_written_and_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for document in ({"a": "bcdef"}, {"a": "äöü"}):
        text = write(document)
        monkeypatch.setattr(canonical, "BYTES_MAX", len(text.encode()))
        assert read(write(document)) == document
        monkeypatch.setattr(canonical, "BYTES_MAX", len(text.encode()) - 1)
        with pytest.raises(DocumentInvalid, match="more than"):
            write(document)
        with pytest.raises(DocumentInvalid, match="more than"):
            read(text)
        monkeypatch.undo()


@pytest.mark.parametrize("inner", ["x", {}, []])
def test_what_is_just_as_deep_as_may_be_is_written_and_read(inner: object) -> None:
    def nested(depth: int) -> dict[str, object]:
        document: object = inner
        for _ in range(depth):
            document = {"a": document}
        assert isinstance(document, dict)
        return document

    deepest = nested(63)
    assert read(write(deepest)) == deepest
    with pytest.raises(DocumentInvalid, match="nested more than 64 deep"):
        write(nested(64))
