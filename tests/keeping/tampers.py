"""Ways to tamper with a database and its checkpoints, as a superuser who knows how chains are made.

Each takes a copy it may change, and a source of chance. What it changes is older than the last
checkpoint, so it must be found.
"""

import json
import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import apsw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from interlock.service.checkpoint import public_text
from interlock.store.chain import genesis, linked
from interlock.store.tables import tables

Entry = tuple[int, int, str]
"""Sequence, time and body."""


@dataclass(frozen=True, slots=True)
class Copy:
    """What may be changed: a file, its checkpoints, and the file as it was earlier."""

    file: Path
    lines: Path
    early: Path


Tamper = Callable[[Copy, random.Random], None]


def _open(path: Path) -> apsw.Connection:
    """Open a file with everything switched off that would stand in the way."""
    connection = apsw.Connection(str(path))
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for (name,) in names:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("PRAGMA foreign_keys = off")
    return connection


def _unit(connection: apsw.Connection, chance: random.Random) -> tuple[str, str]:
    units = connection.execute("SELECT tenant, id FROM units ORDER BY tenant, id").fetchall()
    tenant, unit = chance.choice(units)
    return str(tenant), str(unit)


def _entries(connection: apsw.Connection, tenant: str, unit: str) -> list[Entry]:
    asked = "SELECT sequence, at, body FROM audit WHERE tenant = ? AND unit = ? ORDER BY sequence"
    return cast("list[Entry]", connection.execute(asked, (tenant, unit)).fetchall())


def _rewrite(connection: apsw.Connection, tenant: str, unit: str, entries: list[Entry]) -> None:
    """Write a new history of a unit whose chain is right in itself, and a unit that ends there."""
    connection.execute("DELETE FROM audit WHERE tenant = ? AND unit = ?", (tenant, unit))
    before = genesis(tenant, unit)
    for sequence, (_, at, body) in enumerate(entries, 1):
        before = linked(before, body)
        said = (
            "INSERT INTO audit (tenant, unit, sequence, at, body, hash) VALUES (?, ?, ?, ?, ?, ?)"
        )
        connection.execute(said, (tenant, unit, sequence, at, body, before))
    said = "UPDATE units SET version = ?, head = ? WHERE tenant = ? AND id = ?"
    connection.execute(said, (len(entries), before, tenant, unit))


def _changed(body: str) -> str:
    """Return a body that tells of somebody else; every state stays as it is."""
    told = json.loads(body)
    told["actor"]["id"] = "somebody else"
    return json.dumps(told)


def edit(copy: Copy, chance: random.Random) -> None:
    """Change what an entry says, and nothing else."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        sequence, _, body = chance.choice(_entries(connection, tenant, unit))
        said = "UPDATE audit SET body = ? WHERE tenant = ? AND unit = ? AND sequence = ?"
        connection.execute(said, (_changed(body), tenant, unit, sequence))


def rewrite(copy: Copy, chance: random.Random) -> None:
    """Change what an entry says, and make all hashes after it anew."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        entries = _entries(connection, tenant, unit)
        place = chance.randrange(len(entries))
        sequence, at, body = entries[place]
        entries[place] = (sequence, at, _changed(body))
        _rewrite(connection, tenant, unit, entries)


def blank(copy: Copy, chance: random.Random) -> None:
    """Let the entries of a unit say nothing, as if its tenant had been erased; keep their hashes."""
    with closing(_open(copy.file)) as connection:
        said = "UPDATE audit SET body = '' WHERE tenant = ? AND unit = ?"
        connection.execute(said, _unit(connection, chance))


def retime(copy: Copy, chance: random.Random) -> None:
    """Let an entry stand under another time."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        sequence, at, _ = chance.choice(_entries(connection, tenant, unit))
        said = "UPDATE audit SET at = ? WHERE tenant = ? AND unit = ? AND sequence = ?"
        connection.execute(said, (at + chance.randint(1, 99), tenant, unit, sequence))


def remove(copy: Copy, chance: random.Random) -> None:
    """Take an entry away."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        sequence, _, _ = chance.choice(_entries(connection, tenant, unit))
        said = "DELETE FROM audit WHERE tenant = ? AND unit = ? AND sequence = ?"
        connection.execute(said, (tenant, unit, sequence))


def close_gap(copy: Copy, chance: random.Random) -> None:
    """Take an entry away and close the gap, with all hashes made anew."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        entries = _entries(connection, tenant, unit)
        del entries[chance.randrange(len(entries))]
        _rewrite(connection, tenant, unit, entries)


def reorder(copy: Copy, chance: random.Random) -> None:
    """Let two entries change places, with all hashes made anew."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        entries = _entries(connection, tenant, unit)
        one, other = chance.sample(range(len(entries)), 2)
        entries[one], entries[other] = entries[other], entries[one]
        _rewrite(connection, tenant, unit, entries)


def cut(copy: Copy, chance: random.Random) -> None:
    """Cut the end of a history off; the unit ends where it is cut."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        entries = _entries(connection, tenant, unit)
        _rewrite(connection, tenant, unit, entries[: chance.randrange(1, len(entries))])


def bring_back(copy: Copy, chance: random.Random) -> None:
    """Bring all rows of a unit back as they were earlier: everything fits, and is not true."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        connection.execute("ATTACH ? AS early", (str(copy.early),))
        for table in tables(connection):
            column = _column(table.name, table.columns)
            if not column:
                continue
            which = f"WHERE tenant = ?1 AND {column} = ?2"
            connection.execute(f"DELETE FROM main.{table.name} {which}", (tenant, unit))  # noqa: S608
            connection.execute(
                f"INSERT INTO main.{table.name} SELECT * FROM early.{table.name} {which}",  # noqa: S608
                (tenant, unit),
            )


def drop_unit(copy: Copy, chance: random.Random) -> None:
    """Take a whole unit away."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        for table in tables(connection):
            column = _column(table.name, table.columns)
            if column:
                said = f"DELETE FROM {table.name} WHERE tenant = ? AND {column} = ?"  # noqa: S608
                connection.execute(said, (tenant, unit))


def drop_tenant(copy: Copy, chance: random.Random) -> None:
    """Take a whole tenant away."""
    with closing(_open(copy.file)) as connection:
        tenant, _ = _unit(connection, chance)
        for table in tables(connection):
            if table.owner:
                said = f"DELETE FROM {table.name} WHERE {table.owner} = ?"  # noqa: S608
                connection.execute(said, (tenant,))


def alter_rows(copy: Copy, chance: random.Random) -> None:
    """Let a unit or a part stand elsewhere than its history says."""
    with closing(_open(copy.file)) as connection:
        tenant, unit = _unit(connection, chance)
        if chance.random() < 1 / 2:
            said = "UPDATE units SET status = 'completed' WHERE tenant = ? AND id = ?"
        else:
            said = "UPDATE parts SET status = 'skipped' WHERE tenant = ? AND unit = ?"
        connection.execute(said, (tenant, unit))


def _column(table: str, columns: tuple[str, ...]) -> str:
    """Return the column that names the unit of a row; none where there is none."""
    if table == "units":
        return "id"
    return "unit" if "unit" in columns else ""


def rename(copy: Copy, chance: random.Random) -> None:
    """Give the database another incarnation, as a restore would, and tell nobody."""
    with closing(_open(copy.file)) as connection:
        connection.execute("UPDATE incarnations SET name = ?", (f"i{chance.getrandbits(32):x}",))


def pretend_restore(copy: Copy, chance: random.Random) -> None:
    """Take a unit away and tell that a backup was restored."""
    drop_unit(copy, chance)
    with closing(_open(copy.file)) as connection:
        said = "INSERT INTO restores VALUES ('other', 'former', 0, ?, 'none')"
        connection.execute(said, (2**50,))
        connection.execute("UPDATE incarnations SET name = 'other'")


def _lines(copy: Copy) -> list[str]:
    return copy.lines.read_text(encoding="utf-8").splitlines()


def _write(copy: Copy, lines: list[str]) -> None:
    copy.lines.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def forge_line(copy: Copy, chance: random.Random) -> None:
    """Change a head in a line of the checkpoints."""
    lines = _lines(copy)
    place = chance.randrange(len(lines))
    told = json.loads(lines[place])
    chance.choice(told["heads"])[3] = f"{chance.getrandbits(256):064x}"
    lines[place] = json.dumps(told, separators=(",", ":"))
    _write(copy, lines)


def sign_anew(copy: Copy, chance: random.Random) -> None:
    """Change a line and sign it with a key of one's own."""
    lines = _lines(copy)
    place = chance.randrange(len(lines))
    key = Ed25519PrivateKey.from_private_bytes(chance.randbytes(32))
    told = json.loads(lines[place])
    told.pop("signature")
    told["key"], told["heads"] = public_text(key.public_key()), []
    signed = json.dumps(told, separators=(",", ":")).encode()
    lines[place] = json.dumps({**told, "signature": key.sign(signed).hex()}, separators=(",", ":"))
    _write(copy, lines)


def leave_line_out(copy: Copy, chance: random.Random) -> None:
    """Take a line out that is not the last."""
    lines = _lines(copy)
    del lines[chance.randrange(len(lines) - 1)]
    _write(copy, lines)


def swap_lines(copy: Copy, chance: random.Random) -> None:
    """Let two lines change places."""
    lines = _lines(copy)
    one, other = chance.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    _write(copy, lines)


TAMPERS: Final[tuple[Tamper, ...]] = (
    edit, blank, rewrite, retime, remove, close_gap, reorder, cut, bring_back, drop_unit, drop_tenant,
    alter_rows, rename, pretend_restore, forge_line, sign_anew, leave_line_out, swap_lines,
)  # fmt: skip
