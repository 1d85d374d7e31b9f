"""One wrong character in the mapper between rows and values is noticed by the traffic.

Drawn at random from the mapper's source, passing over those that change nothing: characters in
texts of errors that this traffic never meets, and names of fields whose bodies would only be
written once too often.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.mutant import NOTICED, NOWHERE, UNNOTICED

ROOT = Path(__file__).parents[2]
MUTANTS = [
    ('fields["holder"], fields["fence"], f', 'fields["holdez"], fields["fence"], f'),
    ('fields["lapsed"] = holder', 'fields["hapsed"] = holder'),
    ('{**fields, "holder": None', '{**fields, "hplder": None'),
    ('if "fence" not in fields', 'if "fenct" not in fields'),
    ('holder, fence = fields["holder"]', 'holder, fence = fields["holdes"]'),
    ('1 if fields["lapsed"]', '0 if fields["lapsed"]'),
    ('("role", "member", "site")', '("rolf", "member", "site")'),
    ('("role", "member", "site")', '("role", "aember", "site")'),
    ("(value != was", "(value == was"),
    ('rpartition(".")[2]', 'rpartition(".")[0]'),
    ('name.partition(".")[0]', 'name.partition(".")[2]'),
    ('key_separator=":"', 'key_separator=";"'),
]  # fmt: skip


def _fate(piece: str, instead: str, folder: Path) -> int:
    command = [sys.executable, "-m", "tests.conformance.mutant", piece, instead, str(folder)]
    return subprocess.run(command, cwd=ROOT, check=False, timeout=120).returncode


@pytest.mark.some(4)
@pytest.mark.parametrize(("piece", "instead"), MUTANTS)
def test_a_wrong_character_is_noticed(tmp_path: Path, piece: str, instead: str) -> None:
    assert sum(a != b for a, b in zip(piece, instead, strict=True)) == 1
    assert _fate(piece, instead, tmp_path) == NOTICED


def test_the_right_characters_pass_unnoticed(tmp_path: Path) -> None:
    assert _fate("def part_id(", "def part_id(", tmp_path) == UNNOTICED


def test_what_is_not_in_the_mapper_cannot_be_changed(tmp_path: Path) -> None:
    assert _fate("no such text", "nor this one", tmp_path) == NOWHERE
