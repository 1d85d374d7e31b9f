"""The floor on PostgreSQL: its functions are whole, and it works as the app does."""

from pathlib import Path

import uvloop

from tools.bench.postgres_floor import FUNCTIONS, SCRIPT, SQL_SHA256, functions
from tools.bench.recording import record


def test_the_functions_carry_the_values_of_a_recorded_step(tmp_path: Path) -> None:
    recording = uvloop.run(record(tmp_path, 3))
    made = functions(recording)
    claim, submit = recording.changes[2:4]

    assert "'bench'" in made
    assert claim.entries[0].body in made
    assert submit.entries[0].body in made
    assert f"{len(submit.artifacts[0].content)}, 'x'" in made
    assert "{tenant}" not in made


def test_the_statements_have_a_digest_that_no_value_is_in() -> None:
    assert len(SQL_SHA256) == 64
    assert "{claim_body}" in FUNCTIONS
    assert SCRIPT.count("SELECT") == 2
